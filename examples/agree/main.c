/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two sides agree on a secret over a wire that everybody reads: X25519, then HKDF. An attacker that
 * can also write on it can replace the points: sign them, or agree by a password (examples/pake).
 */
#include "../show.h"

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY)
#define BITS 255
#define POINT_SIZE PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(PAIR, BITS)
#define ALG PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, PSA_ALG_HKDF(PSA_ALG_SHA_256))
#define SECRET_SIZE 32

static psa_status_t generate(psa_key_id_t *pair, uint8_t point[POINT_SIZE])
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    size_t length;

    psa_set_key_type(&attributes, PAIR);
    psa_set_key_bits(&attributes, BITS);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_DERIVE);
    psa_set_key_algorithm(&attributes, ALG);
    const psa_status_t status = psa_generate_key(&attributes, pair);
    return THEN(status, psa_export_public_key(*pair, point, POINT_SIZE, &length));
}

static psa_status_t agree(psa_key_id_t mine, const uint8_t point[POINT_SIZE],
                          uint8_t secret[SECRET_SIZE])
{
    static const uint8_t purpose[] = "example of agreement";
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    psa_status_t status = psa_key_derivation_setup(&operation, ALG);
    status =
        THEN(status, psa_key_derivation_key_agreement(&operation, PSA_KEY_DERIVATION_INPUT_SECRET,
                                                      mine, point, POINT_SIZE));
    status = THEN(status, psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO,
                                                         purpose, sizeof purpose - 1));
    status = THEN(status, psa_key_derivation_output_bytes(&operation, secret, SECRET_SIZE));
    (void)psa_key_derivation_abort(&operation);
    return status;
}

int main(void)
{
    psa_key_id_t pairs[2] = {PSA_KEY_ID_NULL, PSA_KEY_ID_NULL};
    uint8_t points[2][POINT_SIZE];
    uint8_t secrets[2][SECRET_SIZE];

    psa_status_t status = psa_crypto_init();
    for (unsigned i = 0; i < 2 && status == PSA_SUCCESS; i++) {
        status = generate(&pairs[i], points[i]);
    }
    for (unsigned i = 0; i < 2 && status == PSA_SUCCESS; i++) {
        status = agree(pairs[i], points[1 - i], secrets[i]);
    }
    if (status == PSA_SUCCESS) {
        show("client", secrets[0], SECRET_SIZE);
        show("server", secrets[1], SECRET_SIZE);
    }
    (void)psa_destroy_key(pairs[0]);
    (void)psa_destroy_key(pairs[1]);
    return show_end(status);
}
