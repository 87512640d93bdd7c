/* SPDX-License-Identifier: Apache-2.0 */
/* RSA: keys that were damaged, ciphertexts and signatures of any bytes, messages in parts. */
#include "../../harness/rsa_keys.h"
#include "../common/fuzz.h"

#define PAIR PSA_KEY_TYPE_RSA_KEY_PAIR
#define PUBLIC PSA_KEY_TYPE_RSA_PUBLIC_KEY
#define PKCS1 PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256)
#define ANY_SALT PSA_ALG_RSA_PSS_ANY_SALT(PSA_ALG_SHA_256)
#define OAEP PSA_ALG_RSA_OAEP(PSA_ALG_SHA_256)
#define CRYPT PSA_ALG_RSA_PKCS1V15_CRYPT
#define SIZE 128u
#define MESSAGE_MAX_SIZE 100u

/* Imported once, for each algorithm. */
static const psa_algorithm_t algs[] = {PKCS1, ANY_SALT, OAEP, CRYPT};
static psa_key_id_t keys[4];

static psa_key_attributes_t attributes_of(psa_key_type_t type, psa_algorithm_t alg)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_SIGN_HASH |
                                             PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_ENCRYPT |
                                             PSA_KEY_USAGE_DECRYPT);
    return attributes;
}

static void make_keys(void)
{
    for (unsigned i = 0; keys[3] == PSA_KEY_ID_NULL; i++) {
        const psa_key_attributes_t attributes = attributes_of(PAIR, algs[i]);
        FUZZ_CHECK(psa_import_key(&attributes, rsa1024_pair, sizeof rsa1024_pair, &keys[i]) ==
                   PSA_SUCCESS);
    }
}

/* A key in a block of exactly its size, with bytes changed, cut off or added. */
static uint8_t *damaged_key(struct fuzz_input *input, bool is_pair, size_t *size)
{
    const uint8_t *const key = is_pair ? rsa1024_pair : rsa1024_public;
    const size_t whole = is_pair ? sizeof rsa1024_pair : sizeof rsa1024_public;
    const unsigned how = fuzz_below(input, 8);

    *size = how == 0 ? fuzz_below(input, 140) : how == 1 ? whole + 1 : whole;
    uint8_t *data = fuzz_room(*size);
    memset(data, 0, *size);
    memcpy(data, key, *size < whole ? *size : whole);
    for (unsigned flips = fuzz_below(input, 4); flips > 0 && *size > 0; flips--) {
        /* The head of the structure more often than the numbers. */
        fuzz_change(input, data, fuzz_below(input, 2) == 0 && *size > 12 ? 12 : *size);
    }
    return data;
}

/* Whatever bytes: imported whole and exported again, or refused. */
static void import_damaged(struct fuzz_input *input)
{
    const bool is_pair = fuzz_below(input, 2) == 0;
    const psa_key_attributes_t attributes = attributes_of(is_pair ? PAIR : PUBLIC, PKCS1);
    uint8_t output[PSA_EXPORT_KEY_PAIR_MAX_SIZE];
    psa_key_id_t key;
    size_t size;
    size_t n;

    uint8_t *data = damaged_key(input, is_pair, &size);
    const psa_status_t status = psa_import_key(&attributes, data, size, &key);
    FUZZ_CHECK(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_ARGUMENT ||
               status == PSA_ERROR_NOT_SUPPORTED);
    if (status == PSA_SUCCESS) {
        FUZZ_CHECK(psa_export_key(key, output, sizeof output, &n) == PSA_SUCCESS);
        FUZZ_CHECK(n == size && memcmp(output, data, size) == 0);
        FUZZ_CHECK(psa_export_public_key(key, output, sizeof output, &n) == PSA_SUCCESS);
        FUZZ_CHECK(psa_verify_hash(key, PKCS1, rsa1024_raw, 32, rsa1024_raw, SIZE) ==
                   PSA_ERROR_INVALID_SIGNATURE);
        FUZZ_CHECK(psa_destroy_key(key) == PSA_SUCCESS);
    }
    free(data);
}

/* A ciphertext of any bytes, or a right one with a bit changed. */
static void decrypt_damaged(struct fuzz_input *input)
{
    const unsigned which = 2 + fuzz_below(input, 2);
    const uint8_t text[] = {1, 2, 3};
    uint8_t cipher[SIZE];
    uint8_t plain[SIZE];
    uint8_t damage = 1;
    size_t n = 0;

    if (fuzz_below(input, 4) != 0) {
        damage = fuzz_byte(input);
        FUZZ_CHECK(psa_asymmetric_encrypt(keys[which], algs[which], text, sizeof text, NULL, 0,
                                          cipher, SIZE, &n) == PSA_SUCCESS);
        cipher[fuzz_below(input, SIZE)] ^= damage;
    } else {
        for (size_t i = 0; i < SIZE; i++) {
            cipher[i] = fuzz_byte(input);
        }
    }
    memset(plain, 0xa5, sizeof plain);
    const psa_status_t status = psa_asymmetric_decrypt(keys[which], algs[which], cipher, SIZE, NULL,
                                                       0, plain, sizeof plain, &n);
    if (damage == 0) {
        FUZZ_CHECK(status == PSA_SUCCESS && n == 3 && memcmp(plain, text, 3) == 0);
    } else if (status == PSA_SUCCESS) {
        FUZZ_CHECK(algs[which] == CRYPT && n <= SIZE - 11); /* padding by chance */
    } else {
        FUZZ_CHECK(status == PSA_ERROR_INVALID_PADDING && n == 0);
        for (size_t i = 0; i < SIZE; i++) {
            FUZZ_CHECK(plain[i] == 0);
        }
    }
}

static void verify_damaged(struct fuzz_input *input)
{
    const unsigned which = fuzz_below(input, 2);
    size_t size;
    uint8_t *signature = fuzz_bytes(input, SIZE + 2, &size);

    FUZZ_CHECK(psa_verify_hash(keys[which], algs[which], rsa1024_raw, 32, signature, size) ==
               PSA_ERROR_INVALID_SIGNATURE);
    free(signature);
}

/* Calls in any order; the model is the state, and the message in one piece. */
static void sign_in_parts(struct fuzz_input *input)
{
    psa_sign_operation_t operation = PSA_SIGN_OPERATION_INIT;
    enum { INACTIVE, ACTIVE } state = INACTIVE;
    uint8_t message[MESSAGE_MAX_SIZE];
    uint8_t signature[SIZE];
    uint8_t whole[SIZE];
    size_t length = 0;
    size_t n;

    for (unsigned steps = fuzz_below(input, 10); steps > 0; steps--) {
        const size_t part = fuzz_below(input, 10);
        psa_status_t status;
        switch (fuzz_below(input, 6)) {
        case 0:
            status = psa_sign_setup(&operation, keys[0], PKCS1);
            FUZZ_CHECK(status == (state == INACTIVE ? PSA_SUCCESS : PSA_ERROR_BAD_STATE));
            length = state == INACTIVE ? 0 : length;
            state = state == INACTIVE ? ACTIVE : state;
            break;
        case 1:
            status = psa_sign_finish(&operation, signature, SIZE, &n);
            FUZZ_CHECK(status == (state == ACTIVE ? PSA_SUCCESS : PSA_ERROR_BAD_STATE));
            if (state == ACTIVE) {
                FUZZ_CHECK(psa_sign_message(keys[0], PKCS1, message, length, whole, SIZE, &n) ==
                           PSA_SUCCESS);
                FUZZ_CHECK(n == SIZE && memcmp(signature, whole, SIZE) == 0);
            }
            state = INACTIVE; /* a call on what is not active changes nothing */
            break;
        case 2:
            FUZZ_CHECK(psa_sign_abort(&operation) == PSA_SUCCESS);
            state = INACTIVE;
            break;
        default:
            memset(message + length, (int)part, part);
            status = psa_sign_update(&operation, message + length, part);
            FUZZ_CHECK(status == (state == ACTIVE ? PSA_SUCCESS : PSA_ERROR_BAD_STATE));
            length += state == ACTIVE ? part : 0;
            break;
        }
    }
    FUZZ_CHECK(psa_sign_abort(&operation) == PSA_SUCCESS);
}

static const fuzz_action actions[8] = {decrypt_damaged, verify_damaged, sign_in_parts,
                                       import_damaged,  import_damaged, import_damaged,
                                       import_damaged,  import_damaged};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};

    make_keys();
    while (input.size > 0) {
        fuzz_act(&input, actions, 8);
    }
    return 0;
}
