/* SPDX-License-Identifier: Apache-2.0 */
/* A signature by a key that never leaves its place, and its verification by the public key. */
#include "../show.h"

#define ALG PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define BITS 256

static const uint8_t message[] = "open the valve";

static psa_status_t generate(psa_key_id_t *pair)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PAIR);
    psa_set_key_bits(&attributes, BITS);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_set_key_algorithm(&attributes, ALG);
    return psa_generate_key(&attributes, pair);
}

static psa_status_t sign_and_verify(psa_key_id_t pair, psa_key_id_t *public_key)
{
    uint8_t point[PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(PAIR, BITS)];
    uint8_t signature[PSA_SIGN_OUTPUT_SIZE(PAIR, BITS, ALG)];
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    size_t point_length;
    size_t length;

    psa_status_t status = psa_sign_message(pair, ALG, message, sizeof message - 1, signature,
                                           sizeof signature, &length);
    status = THEN(status, psa_export_public_key(pair, point, sizeof point, &point_length));
    if (status != PSA_SUCCESS) {
        return status;
    }
    show("public", point, point_length);
    show("signature", signature, length);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(PAIR));
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_set_key_algorithm(&attributes, ALG);
    status = psa_import_key(&attributes, point, point_length, public_key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return psa_verify_message(*public_key, ALG, message, sizeof message - 1, signature, length);
}

int main(void)
{
    psa_key_id_t pair = PSA_KEY_ID_NULL;
    psa_key_id_t public_key = PSA_KEY_ID_NULL;

    psa_status_t status = psa_crypto_init();
    status = THEN(status, generate(&pair));
    status = THEN(status, sign_and_verify(pair, &public_key));
    (void)psa_destroy_key(public_key);
    (void)psa_destroy_key(pair);
    return show_end(status);
}
