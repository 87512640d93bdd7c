/* SPDX-License-Identifier: Apache-2.0 */
/* A trusted side with virtual chips that is switched off and on within one program. */
#ifndef TEST_WALL_STORED_BEGIN_H
#define TEST_WALL_STORED_BEGIN_H

#include "../../../core/common/owner.h"

/* The trusted side loses power, and all clients with it: no key is in a slot. Power is back, and
 * `client` calls psa_crypto_init(), which must succeed. */
void stored_restart(corral_owner_t client);

/* As it leaves the factory; calls are of client 1. */
void stored_begin(void);

#endif
