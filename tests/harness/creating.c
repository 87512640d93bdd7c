/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that create keys. */
#include "keyed.h"
#include "material.h"

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define HMAC PSA_ALG_HMAC(PSA_ALG_SHA_256)
#define SIZE 32u

static psa_key_id_t source; /* of the key, registered with the harness */
static psa_key_derivation_operation_t derivation;
static uint8_t wrapped[SIZE + 8];
static const psa_custom_key_parameters_t ordinary = PSA_CUSTOM_KEY_PARAMETERS_INIT;

/* A function of one call. */
#define CALL(name, call)                                                                           \
    static psa_status_t name(const psa_key_attributes_t *attributes, psa_key_id_t *key)            \
    {                                                                                              \
        return (call);                                                                             \
    }                                                                                              \
    struct creating_call

psa_key_attributes_t creating_attributes(void)
{
    return test_attributes(PSA_KEY_TYPE_HMAC, 8 * SIZE, HMAC,
                           PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_EXPORT);
}

CALL(import, psa_import_key(attributes, aes_text, SIZE, key));
CALL(generate_custom, psa_generate_key_custom(attributes, &ordinary, NULL, 0, key));

static void copy_begin(void)
{
    source = test_import(PSA_KEY_TYPE_HMAC, HMAC,
                         PSA_KEY_USAGE_COPY | PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_EXPORT,
                         aes_text, SIZE);
}

CALL(copy, psa_copy_key(source, attributes, key));

static void unwrap_begin(void)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_HMAC, HMAC, PSA_KEY_USAGE_EXPORT, aes_text, SIZE);
    size_t length;

    source = test_import(PSA_KEY_TYPE_AES, PSA_ALG_KW, PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP,
                         aes_key, 16);
    NEED(psa_wrap_key(source, PSA_ALG_KW, key, wrapped, sizeof wrapped, &length));
    NEED(psa_destroy_key(key));
}

CALL(unwrap, psa_unwrap_key(attributes, source, PSA_ALG_KW, wrapped, sizeof wrapped, key));

static void derive_begin(void)
{
    source = test_import(PSA_KEY_TYPE_DERIVE, HKDF, PSA_KEY_USAGE_DERIVE, aes_text, SIZE);
    NEED(psa_key_derivation_abort(&derivation));
    NEED(psa_key_derivation_setup(&derivation, HKDF));
    NEED(psa_key_derivation_input_key(&derivation, PSA_KEY_DERIVATION_INPUT_SECRET, source));
    NEED(psa_key_derivation_input_bytes(&derivation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
}

CALL(derive, psa_key_derivation_output_key(attributes, &derivation, key));
CALL(derive_custom,
     psa_key_derivation_output_key_custom(attributes, &derivation, &ordinary, NULL, 0, key));

static void agree_begin(void)
{
    source = test_generate(PAIR, 256, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE);
}

CALL(agree, psa_key_agreement(source, p256_public, 65, PSA_ALG_ECDH, attributes, key));

static void encapsulate_begin(void)
{
    source =
        test_generate(PAIR, 256, PSA_ALG_ECIES_SEC1, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
}

static psa_status_t encapsulate(const psa_key_attributes_t *attributes, psa_key_id_t *key)
{
    uint8_t ciphertext[65];
    size_t length;

    return psa_encapsulate(source, PSA_ALG_ECIES_SEC1, attributes, key, ciphertext,
                           sizeof ciphertext, &length);
}

CALL(decapsulate, psa_decapsulate(source, PSA_ALG_ECIES_SEC1, p256_public, 65, attributes, key));

const struct creating_call creating_calls[] = {
    {"import_key", NULL, import},
    {"generate_key", NULL, psa_generate_key},
    {"generate_key_custom", NULL, generate_custom},
    {"copy_key", copy_begin, copy},
    {"unwrap_key", unwrap_begin, unwrap},
    {"key_derivation_output_key", derive_begin, derive},
    {"key_derivation_output_key_custom", derive_begin, derive_custom},
    {"key_agreement", agree_begin, agree},
    {"encapsulate", encapsulate_begin, encapsulate},
    {"decapsulate", encapsulate_begin, decapsulate},
};
const size_t creating_call_count = sizeof creating_calls / sizeof creating_calls[0];
