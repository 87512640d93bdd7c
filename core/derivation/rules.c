/* SPDX-License-Identifier: Apache-2.0 */
#include "operation.h"

#define RULES(first, second, third, fourth)                                                        \
    ((uint32_t)(first) | (uint32_t)(second) << 8 | (uint32_t)(third) << 16 |                       \
     (uint32_t)(fourth) << 24)

/* A step in a byte: SECRET is 0x0101, which becomes 01 001. */
#define STEP(step) ((uint32_t)(((step) >> 5 & 0x18) | ((step)&7)))

#define SECRET STEP(PSA_KEY_DERIVATION_INPUT_SECRET)
#define OTHER_SECRET STEP(PSA_KEY_DERIVATION_INPUT_OTHER_SECRET)
#define PASSWORD STEP(PSA_KEY_DERIVATION_INPUT_PASSWORD)
#define LABEL STEP(PSA_KEY_DERIVATION_INPUT_LABEL)
#define CONTEXT STEP(PSA_KEY_DERIVATION_INPUT_CONTEXT)
#define SALT STEP(PSA_KEY_DERIVATION_INPUT_SALT)
#define INFO STEP(PSA_KEY_DERIVATION_INPUT_INFO)
#define SEED STEP(PSA_KEY_DERIVATION_INPUT_SEED)
#define COST STEP(PSA_KEY_DERIVATION_INPUT_COST)

#define OPTIONAL CORRAL_STEP_OPTIONAL
#define REPEATED CORRAL_STEP_REPEATED
#define ANY_TIME CORRAL_STEP_ANY_TIME

uint32_t corral_derivation_rules(psa_algorithm_t alg)
{
    if (CORRAL_WANT_ALG_HKDF && PSA_ALG_IS_HKDF(alg)) {
        return RULES(SALT | OPTIONAL, SECRET, INFO | ANY_TIME, 0u);
    }
    if (CORRAL_WANT_ALG_HKDF_EXTRACT && PSA_ALG_IS_HKDF_EXTRACT(alg)) {
        return RULES(SALT, SECRET, 0u, 0u);
    }
    if (CORRAL_WANT_ALG_HKDF_EXPAND && PSA_ALG_IS_HKDF_EXPAND(alg)) {
        return RULES(SECRET, INFO, 0u, 0u);
    }
    if (corral_derivation_is_counter(alg)) {
        return RULES(SECRET, LABEL | OPTIONAL, CONTEXT | OPTIONAL, 0u);
    }
    if (CORRAL_WANT_ALG_TLS12_PRF && PSA_ALG_IS_TLS12_PRF(alg)) {
        return RULES(SEED, SECRET, LABEL, 0u);
    }
    if (CORRAL_WANT_ALG_TLS12_PSK_TO_MS && PSA_ALG_IS_TLS12_PSK_TO_MS(alg)) {
        return RULES(SEED, OTHER_SECRET | OPTIONAL, SECRET, LABEL);
    }
    if (CORRAL_WANT_ALG_TLS12_ECJPAKE_TO_PMS && alg == PSA_ALG_TLS12_ECJPAKE_TO_PMS) {
        return RULES(SECRET, 0u, 0u, 0u);
    }
    if ((CORRAL_WANT_ALG_PBKDF2_HMAC && PSA_ALG_IS_PBKDF2_HMAC(alg)) ||
        (CORRAL_WANT_ALG_PBKDF2_AES_CMAC_PRF_128 && alg == PSA_ALG_PBKDF2_AES_CMAC_PRF_128)) {
        return RULES(COST, SALT | REPEATED, PASSWORD, 0u);
    }
    if (corral_derivation_is_token(alg)) {
        return RULES(SALT, PASSWORD, INFO | OPTIONAL, 0u);
    }
    return 0;
}
