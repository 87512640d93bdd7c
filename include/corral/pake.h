/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The view of a driver of password-authenticated key exchanges: each call passes
 * everything that the application has set, and the step. The core has checked the order
 * of steps, identities, roles, type and policy of the key, and the size of the output
 * buffer; a driver therefore keeps only its own results.
 */
#ifndef CORRAL_PAKE_H
#define CORRAL_PAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that the application has set; never NULL, of length 0 if it has not. */
struct corral_pake_bytes {
    const uint8_t *data;
    size_t length;
};

/*
 * The name is that of the PSA Crypto Driver Interface 1.0, whose functions give one member each. In
 * pake_setup() there is neither role nor identity yet.
 */
typedef struct {
    psa_algorithm_t alg;
    psa_key_attributes_t group; /* the primitive: type and size of a public key of its group */
    const psa_key_attributes_t *attributes; /* of the password, or of the key derived from it */
    const uint8_t *key;
    size_t key_length;
    psa_pake_role_t role;
    bool has_context; /* set, if only to nothing */
    struct corral_pake_bytes user;
    struct corral_pake_bytes peer;
    struct corral_pake_bytes context;
} psa_crypto_driver_pake_inputs_t;

/*
 * A step as the core has found its place. J-PAKE: the constants below, for sent and received
 * values alike. Other algorithms: PSA_PAKE_STEP_*. SPAKE2+ has each of its steps once in each
 * direction; WPA3-SAE confirms, and is confirmed, as often as the application likes.
 */
typedef uint8_t psa_crypto_driver_pake_step_t;

/* The first and second share of round one, and that of round two: 3 steps each. */
#define PSA_JPAKE_X1_STEP_KEY_SHARE CORRAL_CAST(psa_crypto_driver_pake_step_t, 1)
#define PSA_JPAKE_X1_STEP_ZK_PUBLIC CORRAL_CAST(psa_crypto_driver_pake_step_t, 2)
#define PSA_JPAKE_X1_STEP_ZK_PROOF CORRAL_CAST(psa_crypto_driver_pake_step_t, 3)
#define PSA_JPAKE_X2_STEP_KEY_SHARE CORRAL_CAST(psa_crypto_driver_pake_step_t, 4)
#define PSA_JPAKE_X2_STEP_ZK_PUBLIC CORRAL_CAST(psa_crypto_driver_pake_step_t, 5)
#define PSA_JPAKE_X2_STEP_ZK_PROOF CORRAL_CAST(psa_crypto_driver_pake_step_t, 6)
#define PSA_JPAKE_X2S_STEP_KEY_SHARE CORRAL_CAST(psa_crypto_driver_pake_step_t, 7)
#define PSA_JPAKE_X2S_STEP_ZK_PUBLIC CORRAL_CAST(psa_crypto_driver_pake_step_t, 8)
#define PSA_JPAKE_X2S_STEP_ZK_PROOF CORRAL_CAST(psa_crypto_driver_pake_step_t, 9)

#ifdef __cplusplus
}
#endif

#endif
