/* SPDX-License-Identifier: Apache-2.0 */
/* The key that a client or server of these tests says who it is by. */
#ifndef OWN_KEY_H
#define OWN_KEY_H

#include <psa/crypto.h>

/* A key pair on P-256: "software", "element" (made there) or "builtin". */
psa_status_t own_key_make(const char *place, psa_key_id_t *key);

#endif
