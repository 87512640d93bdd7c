/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mbedtls_ecdsa_sign_det_ext() leaves the private key in its frame. Called right after it returned,
 * and from the same function, this overwrites the frame; the deepest use of the stack does not
 * grow.
 */
#ifndef MBEDTLS_DRIVER_STACK_H
#define MBEDTLS_DRIVER_STACK_H

#include <corral/bindings.h>
#include <psa/error.h>

void mbedtls_driver_wipe_stack(void);

/*
 * The same after mbedtls_aes_setkey_dec() and after decrypting: the last words of the schedule for
 * decryption are the key's, and stay behind among the registers that were saved.
 */
void mbedtls_driver_wipe_stack_aes(void);

/* After setting a key of one of these, and after each use. */
void mbedtls_driver_wipe_stack_aria(void);
void mbedtls_driver_wipe_stack_camellia(void);

/*
 * After HMAC: MD5 and RIPEMD-160 leave words of the padded key where they ran out of registers. The
 * first is for these two hashes where constructions put keys through them.
 */
void mbedtls_driver_wipe_stack_digest(void);
void mbedtls_driver_wipe_stack_hmac(void);

/* Passes a status on, from one of these hashes. */
static inline psa_status_t mbedtls_driver_hashed(psa_status_t status)
{
    if (CORRAL_HASHES_TAKE_KEYS) {
        mbedtls_driver_wipe_stack_digest();
    }
    return status;
}

#endif
