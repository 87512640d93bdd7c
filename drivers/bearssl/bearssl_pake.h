/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of an exchange by password between two calls. Numbers and elements are bytes, because
 * this header reaches applications through psa/crypto.h, and an application may move its operation.
 */
#ifndef BEARSSL_PAKE_H
#define BEARSSL_PAKE_H

#include <stdbool.h>
#include <stdint.h>

#include <corral/bindings.h>
#include <corral/config.h>
#include <corral/sae.h>

/* Bytes of the largest prime of this build: of a curve, and of a finite field. */
#define BEARSSL_SAE_CURVE_SIZE                                                                     \
    (CORRAL_WANT_ECC_SECP_R1_521 ? 66 : CORRAL_WANT_ECC_SECP_R1_384 ? 48 : 32)
#define BEARSSL_SAE_FIELD_SIZE                                                                     \
    (!CORRAL_WANT_KEY_TYPE_WPA3_SAE_DH ? 0 : CORRAL_WANT_DH_RFC3526_4096 ? 512 : 384)

/* Largest scalar, element and both. */
#define BEARSSL_SAE_SCALAR_SIZE                                                                    \
    (BEARSSL_SAE_FIELD_SIZE > BEARSSL_SAE_CURVE_SIZE ? BEARSSL_SAE_FIELD_SIZE                      \
                                                     : BEARSSL_SAE_CURVE_SIZE)
#define BEARSSL_SAE_ELEMENT_SIZE                                                                   \
    (BEARSSL_SAE_FIELD_SIZE > 2 * BEARSSL_SAE_CURVE_SIZE ? BEARSSL_SAE_FIELD_SIZE                  \
                                                         : 2 * BEARSSL_SAE_CURVE_SIZE)
#define BEARSSL_SAE_COMMIT_SIZE (BEARSSL_SAE_SCALAR_SIZE + BEARSSL_SAE_ELEMENT_SIZE)

/*
 * Both sides' commitments, and the values derived from them. `secret` is the element
 * that the password stands for until both are there, and then what they have in common.
 */
typedef struct {
    uint8_t secret[BEARSSL_SAE_ELEMENT_SIZE];
    uint8_t random[BEARSSL_SAE_SCALAR_SIZE];
    uint8_t own[BEARSSL_SAE_COMMIT_SIZE];
    uint8_t peer[BEARSSL_SAE_COMMIT_SIZE];
    uint8_t confirmation_key[CORRAL_HASH_MAX_LENGTH];
    uint8_t master_key[CORRAL_HASH_MAX_LENGTH];
    uint8_t name[CORRAL_SAE_PMKID_SIZE];
    uint8_t count[CORRAL_SAE_COUNT_SIZE];
    bool has_secret;
    bool has_own;
    bool has_peer;
} bearssl_driver_sae_operation_t;

#endif
