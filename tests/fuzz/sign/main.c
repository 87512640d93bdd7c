/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures and key agreement with random keys, buffers and damage. */
#include "../common/fuzz.h"

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define X_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY)
#define ALG PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define ALL                                                                                        \
    (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_EXPORT |                  \
     PSA_KEY_USAGE_DERIVE)

/* Made once: generating takes longer than all the rest. */
static psa_key_id_t pair;
static uint8_t point[65];
static uint8_t signature[64];
static const uint8_t hash[32] = {1, 2, 3};

static psa_key_attributes_t attributes_of(psa_key_type_t type, psa_algorithm_t alg)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, ALL);
    return attributes;
}

static void make_pair(void)
{
    psa_key_attributes_t attributes = attributes_of(PAIR, ALG);
    size_t n;

    if (pair == PSA_KEY_ID_NULL) {
        psa_set_key_bits(&attributes, 256);
        FUZZ_CHECK(psa_generate_key(&attributes, &pair) == PSA_SUCCESS);
        FUZZ_CHECK(psa_export_public_key(pair, point, sizeof point, &n) == PSA_SUCCESS);
        FUZZ_CHECK(psa_sign_hash(pair, ALG, hash, 32, signature, 64, &n) == PSA_SUCCESS);
    }
}

/* A signature of any bytes or a damaged one never verifies, and does no harm. */
static void verify_damaged(struct fuzz_input *input)
{
    size_t size;
    uint8_t *forged = fuzz_bytes(input, 80, &size);
    bool is_right = false;

    if (fuzz_below(input, 2) == 0 && size >= 64) {
        const uint8_t damage = fuzz_byte(input);
        size = 64;
        memcpy(forged, signature, 64);
        forged[fuzz_below(input, 64)] ^= damage;
        is_right = damage == 0;
    }
    FUZZ_CHECK(psa_verify_hash(pair, ALG, hash, 32, forged, size) ==
               (is_right ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE));
    free(forged);
}

/* Whatever bytes: imported whole, or refused. */
static void import_public(struct fuzz_input *input)
{
    const psa_key_attributes_t attributes = attributes_of(PUBLIC, ALG);
    uint8_t *data = fuzz_room(65);
    uint8_t output[65];
    psa_key_id_t key;
    size_t n;

    memcpy(data, point, 65);
    for (unsigned flips = fuzz_below(input, 3); flips > 0; flips--) {
        fuzz_change(input, data, 65);
    }
    const psa_status_t status = psa_import_key(&attributes, data, 65, &key);
    FUZZ_CHECK(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_ARGUMENT);
    if (status == PSA_SUCCESS) {
        FUZZ_CHECK(psa_export_key(key, output, sizeof output, &n) == PSA_SUCCESS);
        FUZZ_CHECK(n == 65 && memcmp(output, data, 65) == 0);
        /* The y of a point has two values: the same x may come out, no other point. */
        FUZZ_CHECK((psa_verify_hash(key, ALG, hash, 32, signature, 64) == PSA_SUCCESS) ==
                   (memcmp(data, point, 65) == 0));
        FUZZ_CHECK(psa_destroy_key(key) == PSA_SUCCESS);
    }
    free(data);
}

/* A pair of any bytes signs what it verifies itself. */
static void import_pair(struct fuzz_input *input)
{
    const psa_key_attributes_t attributes = attributes_of(PAIR, ALG);
    size_t size;
    uint8_t *data = fuzz_bytes(input, 66, &size);
    const size_t room = fuzz_below(input, 100);
    uint8_t *output = fuzz_room(room);
    psa_key_id_t key;
    size_t n = 7;

    if (psa_import_key(&attributes, data, size, &key) == PSA_SUCCESS) {
        FUZZ_CHECK(size == 32);
        const psa_status_t status = psa_sign_hash(key, ALG, hash, 32, output, room, &n);
        FUZZ_CHECK(status == (room < 64 ? PSA_ERROR_BUFFER_TOO_SMALL : PSA_SUCCESS));
        FUZZ_CHECK(n == (room < 64 ? 0 : 64));
        FUZZ_CHECK(room < 64 || psa_verify_hash(key, ALG, hash, 32, output, n) == PSA_SUCCESS);
        FUZZ_CHECK(psa_destroy_key(key) == PSA_SUCCESS);
    } else {
        FUZZ_CHECK(key == PSA_KEY_ID_NULL);
    }
    free(output);
    free(data);
}

/* Agreement with whatever peer: a secret of 32 bytes, or a refusal without output. */
static void agree(struct fuzz_input *input)
{
    const bool is_x = fuzz_below(input, 2) == 0;
    const psa_key_attributes_t attributes = attributes_of(is_x ? X_PAIR : PAIR, PSA_ALG_ECDH);
    uint8_t secret[32];
    uint8_t output[32];
    size_t size;
    uint8_t *peer = fuzz_bytes(input, 80, &size);
    psa_key_id_t key;
    size_t n = 7;

    for (size_t i = 0; i < sizeof secret; i++) {
        secret[i] = fuzz_byte(input);
    }
    if (!is_x && size >= 65 && fuzz_below(input, 2) == 0) {
        memcpy(peer, point, 65);
        size = 65;
    }
    if (psa_import_key(&attributes, secret, sizeof secret, &key) == PSA_SUCCESS) {
        const psa_status_t status =
            psa_raw_key_agreement(PSA_ALG_ECDH, key, peer, size, output, sizeof output, &n);
        FUZZ_CHECK(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_ARGUMENT);
        FUZZ_CHECK(n == (status == PSA_SUCCESS ? 32 : 0));
        FUZZ_CHECK(psa_destroy_key(key) == PSA_SUCCESS);
    }
    free(peer);
}

static const fuzz_action actions[4] = {verify_damaged, import_public, import_pair, agree};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};

    make_pair();
    while (input.size > 0) {
        fuzz_act(&input, actions, 4);
    }
    return 0;
}
