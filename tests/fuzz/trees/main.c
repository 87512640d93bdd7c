/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LMS and HSS. Any values of a signature lead to some root, so a key is computed for which they
 * are right: that verifies, and nothing that differs from it does, nor trees over different hashes.
 */
#include "../common/fuzz.h"

#define HASH_SIZE 32u
#define KEY_SIZE 56u
#define HEADER_SIZE 24u
#define MESSAGE_SIZE 9u
#define LEVELS_MAX 3u
#define SIGNATURE_MAX (12u + HASH_SIZE * (1u + 265u + 25u))
#define HSS_MAX (4u + LEVELS_MAX * (SIGNATURE_MAX + KEY_SIZE))

/* SHA-256, or the first 24 bytes of it (size), of several texts, one behind the other. */
struct text {
    uint8_t bytes[HEADER_SIZE + 265 * HASH_SIZE];
    size_t size;
};

static const uint8_t message[MESSAGE_SIZE] = "a message";

static void put(struct text *text, const uint8_t *bytes, size_t size)
{
    FUZZ_CHECK(size <= sizeof text->bytes - text->size);
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

static void put_number(struct text *text, uint32_t number, size_t size)
{
    while (size-- > 0) {
        const uint8_t byte = (uint8_t)(number >> 8 * size);
        put(text, &byte, 1);
    }
}

static void hash(const struct text *text, uint8_t output[HASH_SIZE])
{
    size_t n;

    FUZZ_CHECK(psa_hash_compute(PSA_ALG_SHA_256, text->bytes, text->size, output, HASH_SIZE, &n) ==
               PSA_SUCCESS);
}

/* Begin a text with identifier, number and mark. */
static void head(struct text *text, const uint8_t *key, uint32_t number, uint32_t mark)
{
    text->size = 0;
    put(text, key + 8, 16);
    put_number(text, number, 4);
    put_number(text, mark, 2);
}

/* Sizes of the tree that a key's types stand for; tables as RFC 8554 has them. */
struct sizes {
    size_t hash;
    unsigned height, width, chains, shift;
};

static struct sizes sizes_of(const uint8_t *key)
{
    static const unsigned chains[2][4] = {{265, 133, 67, 34}, {200, 101, 51, 26}};
    static const unsigned shifts[2][4] = {{7, 6, 4, 0}, {8, 6, 4, 0}};
    const unsigned family = (key[3] - 5u) / 5;
    const unsigned width = (key[7] - 1u) % 4;

    return (struct sizes){family == 0 ? 32 : 24, 5 * ((key[3] - 5u) % 5 + 1), 1u << width,
                          chains[family][width], shifts[family][width]};
}

static size_t signature_size(const struct sizes *sizes)
{
    return 12 + sizes->hash * (1 + sizes->chains + sizes->height);
}

/* Digit i of a digest, bit for bit. */
static unsigned digit(const uint8_t *digest, unsigned i, unsigned width)
{
    unsigned value = 0;

    for (unsigned bit = i * width; bit < (i + 1) * width; bit++) {
        value = value << 1 | (digest[bit / 8] >> (7 - bit % 8) & 1u);
    }
    return value;
}

/* Compute the root that a signature of a text leads to, into the key. */
static void find_root(uint8_t *key, const uint8_t *signature, const uint8_t *input, size_t size)
{
    const struct sizes sizes = sizes_of(key);
    const uint8_t *const values = signature + 8 + sizes.hash;
    const uint8_t *const path = values + sizes.chains * sizes.hash + 4;
    const uint32_t leaf = (uint32_t)signature[0] << 24 | (uint32_t)signature[1] << 16 |
                          (uint32_t)signature[2] << 8 | signature[3];
    const unsigned last = (1u << sizes.width) - 1;
    const unsigned digits = 8 * (unsigned)sizes.hash / sizes.width;
    static struct text text, ends;
    uint8_t digest[HASH_SIZE + 2];
    uint8_t node[HASH_SIZE];
    unsigned sum = 0;

    head(&text, key, leaf, 0x8181);
    put(&text, signature + 8, sizes.hash);
    put(&text, input, size);
    hash(&text, digest);
    for (unsigned i = 0; i < digits; i++) {
        sum += last - digit(digest, i, sizes.width);
    }
    digest[sizes.hash] = (uint8_t)(sum << sizes.shift >> 8);
    digest[sizes.hash + 1] = (uint8_t)(sum << sizes.shift);
    head(&ends, key, leaf, 0x8080);
    for (unsigned i = 0; i < sizes.chains; i++) {
        memcpy(node, values + i * sizes.hash, sizes.hash);
        for (unsigned j = digit(digest, i, sizes.width); j < last; j++) {
            head(&text, key, leaf, i);
            put_number(&text, j, 1);
            put(&text, node, sizes.hash);
            hash(&text, node);
        }
        put(&ends, node, sizes.hash);
    }
    hash(&ends, node);
    uint32_t number = (1u << sizes.height) + leaf;
    head(&text, key, number, 0x8282);
    put(&text, node, sizes.hash);
    hash(&text, node);
    for (unsigned i = 0; i < sizes.height; i++) {
        const uint8_t *const sibling = path + i * sizes.hash;
        const int is_right = (int)(number & 1);
        number >>= 1;
        head(&text, key, number, 0x8383);
        put(&text, is_right ? sibling : node, sizes.hash);
        put(&text, is_right ? node : sibling, sizes.hash);
        hash(&text, node);
    }
    memcpy(key + HEADER_SIZE, node, sizes.hash);
}

/* Draw a tree of a family, and the parts of its signature that do not depend on a text. */
static size_t draw(struct fuzz_input *input, unsigned family, uint8_t *key, uint8_t *signature)
{
    memset(key, 0, HEADER_SIZE);
    key[3] = (uint8_t)(5 + 5 * family + fuzz_below(input, 5));
    key[7] = (uint8_t)(1 + 4 * family + fuzz_below(input, 4));
    memset(key + 8, fuzz_byte(input), 16);
    const struct sizes sizes = sizes_of(key);
    const size_t size = signature_size(&sizes);
    const unsigned step = fuzz_byte(input);
    for (size_t i = 0; i < size; i++) {
        signature[i] = (uint8_t)(i * step >> 3);
    }
    const uint32_t leaf = (uint32_t)fuzz_byte(input) * 0x01010101u & ((1u << sizes.height) - 1);
    for (unsigned i = 0; i < 4; i++) {
        signature[i] = (uint8_t)(leaf >> (24 - 8 * i));
    }
    memcpy(signature + 4, key + 4, 4);
    memcpy(signature + 8 + sizes.hash * (1 + sizes.chains), key, 4);
    return size;
}

static size_t key_size(const uint8_t *key)
{
    return HEADER_SIZE + sizes_of(key).hash;
}

/* Verify a signature that is right if it is of one family, changed or of another length. */
static void verify(struct fuzz_input *input, psa_algorithm_t alg, psa_key_type_t type,
                   const uint8_t *key, size_t size, const uint8_t *right, size_t length,
                   int is_one_family)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    const unsigned how = fuzz_below(input, 4);
    psa_key_id_t id;
    size_t given = length;

    if (how == 1) {
        given = fuzz_place(input, length);
    } else if (how == 2) {
        given = length + 1 + fuzz_byte(input);
    }
    uint8_t *const signature = fuzz_room(given);
    memcpy(signature, right, given < length ? given : length);
    if (how == 3) {
        fuzz_change(input, signature, given);
    }
    const int is_right = is_one_family && given == length && memcmp(signature, right, length) == 0;
    psa_set_key_type(&attributes, type);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_VERIFY_MESSAGE);
    FUZZ_CHECK(psa_import_key(&attributes, key, size, &id) == PSA_SUCCESS);
    const psa_status_t status =
        psa_verify_message(id, alg, message, MESSAGE_SIZE, signature, given);
    FUZZ_CHECK(status == (is_right ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE));
    FUZZ_CHECK(psa_destroy_key(id) == PSA_SUCCESS);
    free(signature);
}

static void verify_lms(struct fuzz_input *input)
{
    static uint8_t signature[SIGNATURE_MAX];
    uint8_t key[KEY_SIZE];
    const unsigned family = fuzz_below(input, 2);
    const size_t length = draw(input, family, key, signature);

    find_root(key, signature, message, MESSAGE_SIZE);
    verify(input, PSA_ALG_LMS, PSA_KEY_TYPE_LMS_PUBLIC_KEY, key, key_size(key), signature, length,
           1);
}

/* From the last tree to the first: each signs the key below it. */
static void verify_hss(struct fuzz_input *input)
{
    static uint8_t parts[LEVELS_MAX][SIGNATURE_MAX];
    static uint8_t signature[HSS_MAX];
    uint8_t keys[LEVELS_MAX][KEY_SIZE];
    size_t sizes[LEVELS_MAX];
    uint8_t key[4 + KEY_SIZE] = {0};
    const unsigned levels = 1 + fuzz_below(input, LEVELS_MAX);
    unsigned families = 0; /* a bit each */
    size_t length = 4;

    for (unsigned i = levels; i-- > 0;) {
        const int is_last = i == levels - 1;
        const unsigned family = fuzz_below(input, 2);
        families |= 1u << family;
        sizes[i] = draw(input, family, keys[i], parts[i]);
        find_root(keys[i], parts[i], is_last ? message : keys[i + 1],
                  is_last ? MESSAGE_SIZE : key_size(keys[i + 1]));
    }
    memset(signature, 0, 4);
    signature[3] = (uint8_t)(levels - 1);
    for (unsigned i = 0; i < levels; i++) {
        memcpy(signature + length, parts[i], sizes[i]);
        length += sizes[i];
        if (i + 1 < levels) {
            memcpy(signature + length, keys[i + 1], key_size(keys[i + 1]));
            length += key_size(keys[i + 1]);
        }
    }
    key[3] = (uint8_t)levels;
    memcpy(key + 4, keys[0], key_size(keys[0]));
    verify(input, PSA_ALG_HSS, PSA_KEY_TYPE_HSS_PUBLIC_KEY, key, 4 + key_size(keys[0]), signature,
           length, families != 3);
}

/* Keys of any bytes: imported whole, or refused. */
static void import_any(struct fuzz_input *input)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    size_t size;
    uint8_t *const data = fuzz_bytes(input, 70, &size);
    uint8_t output[70];
    psa_key_id_t id;
    size_t n;

    psa_set_key_type(&attributes, fuzz_below(input, 2) == 0 ? PSA_KEY_TYPE_LMS_PUBLIC_KEY
                                                            : PSA_KEY_TYPE_HSS_PUBLIC_KEY);
    if (size > 0 && psa_import_key(&attributes, data, size, &id) == PSA_SUCCESS) {
        FUZZ_CHECK(psa_export_key(id, output, sizeof output, &n) == PSA_SUCCESS);
        FUZZ_CHECK(n == size && memcmp(output, data, size) == 0);
        FUZZ_CHECK(psa_destroy_key(id) == PSA_SUCCESS);
    }
    free(data);
}

static const fuzz_action actions[3] = {verify_lms, verify_hss, import_any};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};

    for (unsigned i = 0; i < 4 && input.size > 0; i++) {
        fuzz_act(&input, actions, 3);
    }
    return 0;
}
