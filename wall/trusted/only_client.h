/* SPDX-License-Identifier: Apache-2.0 */
/* The number of the caller for a transport with one client: always a constant. */
#ifndef CORRAL_WALL_TRUSTED_ONLY_CLIENT_H
#define CORRAL_WALL_TRUSTED_ONLY_CLIENT_H

#include "transport.h"

inline __attribute__((always_inline)) corral_owner_t corral_wall_who(corral_owner_t client)
{
    (void)client;
    return CORRAL_WALL_ONLY_CLIENT;
}

#endif
