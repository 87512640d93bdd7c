/* SPDX-License-Identifier: Apache-2.0 */
/* In which orders each key derivation takes its inputs, for tests of the API and for fuzzers. */
#ifndef TEST_DERIVATION_ORDERS_H
#define TEST_DERIVATION_ORDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <psa/crypto.h>

/* Steps by letters. */
static const char derivation_letters[] = "Kopsidlxc";
static const psa_key_derivation_step_t derivation_steps[] = {
    PSA_KEY_DERIVATION_INPUT_SECRET,   PSA_KEY_DERIVATION_INPUT_OTHER_SECRET,
    PSA_KEY_DERIVATION_INPUT_PASSWORD, PSA_KEY_DERIVATION_INPUT_SALT,
    PSA_KEY_DERIVATION_INPUT_INFO,     PSA_KEY_DERIVATION_INPUT_SEED,
    PSA_KEY_DERIVATION_INPUT_LABEL,    PSA_KEY_DERIVATION_INPUT_CONTEXT,
    PSA_KEY_DERIVATION_INPUT_COST,
};
#define DERIVATION_STEPS (sizeof derivation_steps / sizeof derivation_steps[0])

static const struct derivation_orders {
    psa_algorithm_t alg;
    const char *whole[5]; /* complete orders; of four steps at most, where salts may be many */
} derivation_orders[] = {
    {PSA_ALG_HKDF(PSA_ALG_SHA_256), {"Ki", "iK", "sKi", "siK", "isK"}},
    {PSA_ALG_HKDF_EXTRACT(PSA_ALG_SHA_256), {"sK"}},
    {PSA_ALG_HKDF_EXPAND(PSA_ALG_SHA_256), {"Ki"}},
    {PSA_ALG_SP800_108_COUNTER_HMAC(PSA_ALG_SHA_256), {"K", "Kl", "Kx", "Klx"}},
    {PSA_ALG_SP800_108_COUNTER_CMAC, {"K", "Kl", "Kx", "Klx"}},
    {PSA_ALG_TLS12_PRF(PSA_ALG_SHA_256), {"dKl"}},
    {PSA_ALG_TLS12_PSK_TO_MS(PSA_ALG_SHA_256), {"dKl", "doKl"}},
    {PSA_ALG_TLS12_ECJPAKE_TO_PMS, {"K"}},
    {PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_256), {"csp", "cssp", "csssp"}},
    {PSA_ALG_PBKDF2_AES_CMAC_PRF_128, {"csp", "cssp", "csssp"}},
};
#define DERIVATIONS (sizeof derivation_orders / sizeof derivation_orders[0])

/* Whether so many first letters begin one of the orders; *is_whole: are one. */
static inline bool derivation_begins(const struct derivation_orders *orders, const char *letters,
                                     size_t length, bool *is_whole)
{
    bool is_prefix = false;

    *is_whole = false;
    for (size_t i = 0; i < 5 && orders->whole[i] != NULL; i++) {
        if (strncmp(orders->whole[i], letters, length) == 0) {
            is_prefix = true;
            *is_whole = *is_whole || orders->whole[i][length] == 0;
        }
    }
    return is_prefix;
}

static inline bool derivation_has(const struct derivation_orders *orders, char letter)
{
    bool has = false;

    for (size_t i = 0; i < 5 && orders->whole[i] != NULL; i++) {
        has = has || strchr(orders->whole[i], letter) != NULL;
    }
    return has;
}

static inline psa_key_derivation_step_t derivation_step(char letter)
{
    return derivation_steps[strchr(derivation_letters, letter) - derivation_letters];
}

#endif
