/* SPDX-License-Identifier: Apache-2.0 */
/* The client of a transport that has one, whatever its entrance says: a constant in serve.c. */
#ifndef CORRAL_WALL_TRUSTED_ONLY_CLIENT_H
#define CORRAL_WALL_TRUSTED_ONLY_CLIENT_H

#include "transport.h"

#define CORRAL_WALL_ONLY_CLIENT 1u

inline __attribute__((always_inline)) corral_owner_t corral_wall_who(corral_owner_t client)
{
    (void)client;
    return CORRAL_WALL_ONLY_CLIENT;
}

#endif
