/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transport of tests: both sides are one program, and messages go over the same way as to
 * another processor mode. It protects nothing.
 */
#ifndef CORRAL_WALL_LOOPBACK_H
#define CORRAL_WALL_LOOPBACK_H

#include "../../core/common/owner.h"
#include "../region.h"

/* The caller's number, 1 at first, and its memory, all at first. */
struct corral_wall_loopback {
    corral_owner_t client;
    struct corral_wall_region memory;
};

extern struct corral_wall_loopback corral_wall_loopback;

#endif
