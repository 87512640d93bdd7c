/* SPDX-License-Identifier: Apache-2.0 */
/* Generates a P-256 key, signs 127 bytes, and verifies with the public key, exported and imported.
 */
#include <corral/board.h>
#include <psa/crypto.h>

#define ALG PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define BITS 256

/* A hash and its signature. */
struct signed_hash {
    uint8_t hash[PSA_HASH_LENGTH(PSA_ALG_SHA_256)];
    size_t hash_length;
    uint8_t signature[PSA_SIGN_OUTPUT_SIZE(PAIR, BITS, ALG)];
    size_t signature_length;
};

static psa_status_t sign(psa_key_id_t key, struct signed_hash *made)
{
    uint8_t message[127];

    for (size_t i = 0; i < sizeof message; i++) {
        message[i] = (uint8_t)i;
    }
    psa_status_t status = psa_hash_compute(PSA_ALG_SHA_256, message, sizeof message, made->hash,
                                           sizeof made->hash, &made->hash_length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return psa_sign_hash(key, ALG, made->hash, made->hash_length, made->signature,
                         sizeof made->signature, &made->signature_length);
}

static psa_status_t verify(psa_key_id_t pair, const struct signed_hash *made)
{
    uint8_t point[PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(PAIR, BITS)];
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    size_t length;
    psa_key_id_t key;

    psa_status_t status = psa_export_public_key(pair, point, sizeof point, &length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    psa_set_key_type(&attributes, PUBLIC);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_VERIFY_HASH);
    psa_set_key_algorithm(&attributes, ALG);
    status = psa_import_key(&attributes, point, length, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = psa_verify_hash(key, ALG, made->hash, made->hash_length, made->signature,
                             made->signature_length);
    const psa_status_t destroyed = psa_destroy_key(key);
    return status == PSA_SUCCESS ? destroyed : status;
}

static psa_status_t sign_and_verify(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    struct signed_hash made;
    psa_key_id_t key;

    psa_set_key_type(&attributes, PAIR);
    psa_set_key_bits(&attributes, BITS);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_HASH);
    psa_set_key_algorithm(&attributes, ALG);
    psa_status_t status = psa_generate_key(&attributes, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = sign(key, &made);
    if (status == PSA_SUCCESS) {
        status = verify(key, &made);
    }
    const psa_status_t destroyed = psa_destroy_key(key);
    return status == PSA_SUCCESS ? destroyed : status;
}

int main(void)
{
    psa_status_t status = psa_crypto_init();

    if (status == PSA_SUCCESS) {
        status = sign_and_verify();
    }
    corral_board_print(status == PSA_SUCCESS ? "ecdsa: pass\n" : "ecdsa: FAIL\n");
    return status == PSA_SUCCESS ? 0 : 1;
}
