/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys of any type and length wrapped into rooms of any size, unwrapped again as they are, changed,
 * cut, or as other keys; and bytes that were never wrapped.
 */
#include "../common/fuzz.h"

#define MAX_KEY 64u
#define MAX_WRAPPED (MAX_KEY + 16u)
#define BOTH (PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP)

static const psa_key_type_t types[] = {PSA_KEY_TYPE_RAW_DATA, PSA_KEY_TYPE_AES, PSA_KEY_TYPE_HMAC,
                                       PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1),
                                       PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)};
static const psa_algorithm_t algs[] = {PSA_ALG_KW, PSA_ALG_KWP};

struct wrapped {
    size_t length;
    uint8_t data[MAX_WRAPPED];
};

static psa_key_attributes_t attributes_of(psa_key_type_t type)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT);
    return attributes;
}

static psa_key_id_t wrapping_key(struct fuzz_input *input, psa_algorithm_t alg)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t data[32];
    psa_key_id_t key;

    memset(data, fuzz_byte(input), sizeof data);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, BOTH);
    FUZZ_CHECK(psa_import_key(&attributes, data, fuzz_below(input, 2) == 0 ? 16 : 32, &key) ==
               PSA_SUCCESS);
    return key;
}

/* KW takes whole blocks of 8 bytes, two at least; KWP anything. */
static bool fits(psa_algorithm_t alg, size_t size)
{
    return alg == PSA_ALG_KWP || (size >= 16 && size % 8 == 0);
}

static bool wrap(struct fuzz_input *input, psa_key_id_t by, psa_algorithm_t alg, psa_key_id_t key,
                 size_t size, struct wrapped *wrapped)
{
    const size_t needed = (size + 7) / 8 * 8 + 8;
    const unsigned less = fuzz_below(input, 4) == 0 ? fuzz_byte(input) : 0;
    const size_t room = less < needed ? needed - less : 0;
    uint8_t *output = fuzz_room(room);
    size_t n = 7;

    const psa_status_t status = psa_wrap_key(by, alg, key, output, room, &n);
    FUZZ_CHECK(status == (!fits(alg, size) ? PSA_ERROR_INVALID_ARGUMENT
                          : room < needed  ? PSA_ERROR_BUFFER_TOO_SMALL
                                           : PSA_SUCCESS));
    FUZZ_CHECK(n == (status == PSA_SUCCESS ? needed : 0));
    for (size_t i = 0; status != PSA_SUCCESS && i < room; i++) {
        FUZZ_CHECK(output[i] == 0);
    }
    memcpy(wrapped->data, output, n);
    wrapped->length = n;
    free(output);
    return status == PSA_SUCCESS;
}

static void check_same(psa_key_id_t key, const uint8_t *data, size_t size)
{
    uint8_t got[MAX_KEY + 1];
    size_t n;

    FUZZ_CHECK(psa_export_key(key, got, sizeof got, &n) == PSA_SUCCESS);
    FUZZ_CHECK(n == size && memcmp(got, data, size) == 0);
}

/* Unwrap from a block of exactly the size. Returns what was made; the caller destroys it. */
static psa_status_t unwrap(psa_key_id_t by, psa_algorithm_t alg, psa_key_type_t type,
                           const uint8_t *data, size_t length, psa_key_id_t *key)
{
    const psa_key_attributes_t attributes = attributes_of(type);
    uint8_t *exact = fuzz_room(length);

    memcpy(exact, data, length);
    *key = 1;
    const psa_status_t status = psa_unwrap_key(&attributes, by, alg, exact, length, key);
    FUZZ_CHECK((status == PSA_SUCCESS) == (*key != PSA_KEY_ID_NULL));
    free(exact);
    return status;
}

/* A bit changed anywhere, or a piece cut off: never a key. */
static void forge(struct fuzz_input *input, psa_key_id_t by, psa_algorithm_t alg,
                  psa_key_type_t type, struct wrapped *wrapped)
{
    const unsigned choice = fuzz_byte(input);
    psa_key_id_t key;

    if (choice % 4 == 0) {
        wrapped->length -= 1 + fuzz_byte(input) % wrapped->length;
    } else {
        wrapped->data[choice % wrapped->length] ^= (uint8_t)(1u << (choice % 8));
    }
    FUZZ_CHECK(unwrap(by, alg, type, wrapped->data, wrapped->length, &key) ==
               PSA_ERROR_INVALID_SIGNATURE);
}

static void call_wrap(struct fuzz_input *input)
{
    const psa_algorithm_t alg = algs[fuzz_below(input, 2)];
    const psa_key_type_t type = types[fuzz_below(input, sizeof types / sizeof types[0])];
    const psa_key_type_t other = types[fuzz_below(input, sizeof types / sizeof types[0])];
    const psa_key_attributes_t attributes = attributes_of(type);
    const psa_key_id_t by = wrapping_key(input, alg);
    struct wrapped wrapped;
    psa_key_id_t key;
    psa_key_id_t back;
    size_t size;
    uint8_t *data = fuzz_bytes(input, MAX_KEY, &size);

    if (psa_import_key(&attributes, data, size, &key) == PSA_SUCCESS) {
        if (wrap(input, by, alg, key, size, &wrapped)) {
            FUZZ_CHECK(unwrap(by, alg, type, wrapped.data, wrapped.length, &back) == PSA_SUCCESS);
            check_same(back, data, size);
            FUZZ_CHECK(psa_destroy_key(back) == PSA_SUCCESS);
            /* As another type: a key or an error, and its content comes from the same bytes. */
            if (unwrap(by, alg, other, wrapped.data, wrapped.length, &back) == PSA_SUCCESS) {
                check_same(back, data, size);
            }
            FUZZ_CHECK(psa_destroy_key(back) == PSA_SUCCESS);
            forge(input, by, alg, type, &wrapped);
        }
        FUZZ_CHECK(psa_destroy_key(key) == PSA_SUCCESS);
    }
    free(data);
    FUZZ_CHECK(psa_destroy_key(by) == PSA_SUCCESS);
}

/* Bytes that were never wrapped, of any length. */
static void call_unwrap(struct fuzz_input *input)
{
    const psa_algorithm_t alg = algs[fuzz_below(input, 2)];
    const psa_key_type_t type = types[fuzz_below(input, sizeof types / sizeof types[0])];
    const psa_key_id_t by = wrapping_key(input, alg);
    psa_key_id_t key;
    size_t size;
    uint8_t *data = fuzz_bytes(input, 200, &size);

    const psa_status_t status = unwrap(by, alg, type, data, size, &key);
    FUZZ_CHECK(status == PSA_ERROR_INVALID_SIGNATURE ||
               (size > MAX_WRAPPED - 1 && status == PSA_ERROR_NOT_SUPPORTED));
    free(data);
    FUZZ_CHECK(psa_destroy_key(by) == PSA_SUCCESS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};

    while (input.size > 0) {
        if (fuzz_below(&input, 4) == 0) {
            call_unwrap(&input);
        } else {
            call_wrap(&input);
        }
        FUZZ_CHECK(corral_holds() == 0);
    }
    return 0;
}
