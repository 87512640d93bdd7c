/* SPDX-License-Identifier: Apache-2.0 */
/* p256-m: X || Y. PSA: 04 || X || Y. Scalars, shared secrets and r || s agree. */
#ifndef P256M_GLUE_H
#define P256M_GLUE_H

#include <stdbool.h>

#include <psa/crypto.h>

#define P256M_SCALAR_SIZE 32
#define P256M_POINT_SIZE 65
#define P256M_SIGNATURE_SIZE 64
#define P256M_POINT_PREFIX 0x04

/* Does the buffer look like a point? Whether it lies on the curve is the library's to say. */
static inline bool p256m_has_point_format(const uint8_t *key, size_t length)
{
    return length == P256M_POINT_SIZE && key[0] == P256M_POINT_PREFIX;
}

/*
 * The status of a library call on a stored key. A key is checked when it enters its slot, so an
 * invalid one has been changed there.
 */
psa_status_t p256m_driver_status(int result);

/*
 * Overwrite what a call with a private key has left on the stack: pieces of the key, of the nonce,
 * the shared secret. <corral/stack.h>.
 */
void p256m_driver_wipe_stack(void);

#endif
