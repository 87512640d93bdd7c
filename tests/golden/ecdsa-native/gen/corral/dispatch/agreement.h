/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who agrees on shared secrets. Call with key pairs only. Generated from a configuration, board
 * native and each driver.json. Made by corral.generate.asymmetric of the rows of family agreement
 * in dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_AGREEMENT_H
#define CORRAL_DISPATCH_AGREEMENT_H

#include <stddef.h>
#include <stdint.h>

#include <corral/unserved.h>
#include <psa/crypto.h>

/* No driver of this build serves these. */
#define corral_dispatch_key_agreement(...) CORRAL_UNSERVED_9(__VA_ARGS__)

#endif
