/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library wipes its contexts and its buffers, but not its frames: keys and numbers that its
 * functions had in registers stay where calls saved these, and so do the states before the last
 * round of a cipher. Called right after the library, these overwrite it: <corral/stack.h>.
 */
#ifndef MBEDTLS_DRIVER_STACK_H
#define MBEDTLS_DRIVER_STACK_H

#include <corral/bindings.h>
#include <psa/error.h>

/* After AES: keys, blocks and the modes without a context of their own. */
void mbedtls_driver_wipe_stack_aes(void);

/* After setting a key of one of these, and after each use. */
void mbedtls_driver_wipe_stack_aria(void);
void mbedtls_driver_wipe_stack_camellia(void);

/* After CMAC and CCM with AES, GCM with any cipher, and ChaCha20-Poly1305. */
void mbedtls_driver_wipe_stack_cmac(void);
void mbedtls_driver_wipe_stack_ccm(void);
void mbedtls_driver_wipe_stack_gcm(void);
void mbedtls_driver_wipe_stack_chachapoly(void);

/* After HMAC, and after hashes where constructions put keys through them. */
void mbedtls_driver_wipe_stack_hmac(void);
void mbedtls_driver_wipe_stack_digest(void);

/* After HMAC_DRBG. */
void mbedtls_driver_wipe_stack_random(void);

/* After deterministic ECDSA, which draws its nonce by HMAC_DRBG. */
void mbedtls_driver_wipe_stack_nonce(void);

/* After a private number: of a curve, of a group of Diffie-Hellman, of a PAKE, of RSA. */
void mbedtls_driver_wipe_stack_curve(void);
void mbedtls_driver_wipe_stack_group(void);
void mbedtls_driver_wipe_stack_pake(void);
void mbedtls_driver_wipe_stack_rsa(void);

/* Each of these passes a status on, from a call that it wipes after. */

static inline psa_status_t mbedtls_driver_hashed(psa_status_t status)
{
    if (CORRAL_HASHES_TAKE_KEYS) {
        mbedtls_driver_wipe_stack_digest();
    }
    return status;
}

static inline psa_status_t mbedtls_driver_aes_done(psa_status_t status)
{
    mbedtls_driver_wipe_stack_aes();
    return status;
}

static inline psa_status_t mbedtls_driver_curve_done(psa_status_t status)
{
    mbedtls_driver_wipe_stack_curve();
    return status;
}

static inline psa_status_t mbedtls_driver_group_done(psa_status_t status)
{
    mbedtls_driver_wipe_stack_group();
    return status;
}

static inline psa_status_t mbedtls_driver_pake_done(psa_status_t status)
{
    mbedtls_driver_wipe_stack_pake();
    return status;
}

static inline psa_status_t mbedtls_driver_rsa_done(psa_status_t status)
{
    mbedtls_driver_wipe_stack_rsa();
    return status;
}

#endif
