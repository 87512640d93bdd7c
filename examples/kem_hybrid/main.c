/* SPDX-License-Identifier: Apache-2.0 */
/* A secret that holds while one of two families does: ML-KEM-768 and X25519, combined by HKDF. */
#include "../show.h"

#define CURVE PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY)
#define SIZE 32 /* of each secret, and of a point */
#define LATTICE_TYPE PSA_KEY_TYPE_ML_KEM_KEY_PAIR

/* Of the client: a pair of each family. Of the server: one for this exchange. */
enum { LATTICE, CLIENT, SERVER, PAIRS };

static psa_status_t generate(psa_key_type_t type, size_t bits, psa_key_usage_t usage,
                             psa_algorithm_t alg, psa_key_id_t *pair)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_bits(&attributes, bits);
    psa_set_key_usage_flags(&attributes, usage);
    psa_set_key_algorithm(&attributes, alg);
    return psa_generate_key(&attributes, pair);
}

/* HKDF of both secrets, one behind the other, and of both points. */
static psa_status_t combine(const char *name, psa_key_id_t of_lattice, const psa_key_id_t *pairs,
                            unsigned mine)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    uint8_t points[2][SIZE], secrets[2 * SIZE], made[SIZE];
    size_t length;

    psa_status_t status = psa_export_public_key(pairs[CLIENT], points[0], SIZE, &length);
    status = THEN(status, psa_export_public_key(pairs[SERVER], points[1], SIZE, &length));
    status = THEN(status, psa_export_key(of_lattice, secrets, SIZE, &length));
    status = THEN(status, psa_raw_key_agreement(PSA_ALG_ECDH, pairs[mine], points[mine == CLIENT],
                                                SIZE, secrets + SIZE, SIZE, &length));
    status = THEN(status, psa_key_derivation_setup(&operation, PSA_ALG_HKDF(PSA_ALG_SHA_256)));
    status =
        THEN(status, psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SECRET,
                                                    secrets, sizeof secrets));
    status = THEN(status, psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO,
                                                         points[0], sizeof points));
    status = THEN(status, psa_key_derivation_output_bytes(&operation, made, SIZE));
    (void)psa_key_derivation_abort(&operation);
    show(name, made, status == PSA_SUCCESS ? SIZE : 0);
    return status;
}

static psa_status_t exchange(const psa_key_id_t pairs[PAIRS], psa_key_id_t secrets[2])
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t sent[PSA_ENCAPSULATE_CIPHERTEXT_SIZE(LATTICE_TYPE, 768, PSA_ALG_ML_KEM)];
    size_t length;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_DERIVE);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT);
    psa_status_t status = psa_encapsulate(pairs[LATTICE], PSA_ALG_ML_KEM, &attributes, &secrets[0],
                                          sent, sizeof sent, &length);
    status = THEN(status, psa_decapsulate(pairs[LATTICE], PSA_ALG_ML_KEM, sent, length, &attributes,
                                          &secrets[1]));
    status = THEN(status, combine("server", secrets[0], pairs, SERVER));
    return THEN(status, combine("client", secrets[1], pairs, CLIENT));
}

int main(void)
{
    psa_key_id_t keys[PAIRS + 2] = {PSA_KEY_ID_NULL};

    psa_status_t status = psa_crypto_init();
    status = THEN(status, generate(LATTICE_TYPE, 768, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT,
                                   PSA_ALG_ML_KEM, &keys[LATTICE]));
    status = THEN(status, generate(CURVE, 255, PSA_KEY_USAGE_DERIVE, PSA_ALG_ECDH, &keys[CLIENT]));
    status = THEN(status, generate(CURVE, 255, PSA_KEY_USAGE_DERIVE, PSA_ALG_ECDH, &keys[SERVER]));
    status = THEN(status, exchange(keys, keys + PAIRS));
    for (unsigned i = 0; i < PAIRS + 2; i++) {
        (void)psa_destroy_key(keys[i]);
    }
    return show_end(status);
}
