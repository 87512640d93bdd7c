/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LMS and HSS verification (RFC 8554, SP 800-208), for every height and Winternitz parameter, over
 * the hashes of the build. A signature is read once, from its beginning to its end.
 */
#include <corral/drivers/compose/entry_points.h>

#include <stdbool.h>
#include <string.h>

#include <corral/dispatch/hash.h>
#include <corral/driver.h>

/* A key has the types of the tree and of its one-time keys, an identifier and the root. */
#define LEAF_TYPE_AT 4u
#define IDENTIFIER_AT 8u
#define ROOT_AT 24u
#define KEY_MAX_SIZE (ROOT_AT + HASH_MAX_SIZE)
#define HASH_MAX_SIZE 32u
/* An HSS key has the number of trees before that of the first tree (RFC 8554, 6). */
#define LEVELS_SIZE 4u
#define LEVELS_MAX 8u

/* RFC 8554, 5.1 and 4.1; SP 800-208, 4: each family of types has the next numbers. */
#define FIRST_TREE_TYPE 5u
#define FIRST_LEAF_TYPE 1u
#define HEIGHTS 5u
#define WIDTHS 4u
#define CHECKSUM_BITS 16u

/* What a block to be hashed begins with: identifier, number, and mark (RFC 8554, 7.1). */
#define NUMBER_AT 16u
#define MARK_AT 20u
#define STEP_AT 22u /* in a chain, behind the number of the chain in place of a mark */
#define HEAD_SIZE 22u
#define VALUE_AT 23u
#define MARK_OF_ENDS 0x80
#define MARK_OF_MESSAGE 0x81
#define MARK_OF_LEAF 0x82
#define MARK_OF_NODE 0x83

/* A tree by its key. Sizes are bytes. */
struct tree {
    psa_algorithm_t hash_alg;
    uint16_t chains;
    uint8_t hash_size;
    uint8_t height;
    uint8_t width; /* bits of a digit */
    uint8_t key[KEY_MAX_SIZE];
};

static uint32_t read_number(const uint8_t bytes[4])
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void write_number(uint8_t bytes[4], uint32_t number)
{
    for (unsigned i = 4; i-- > 0; number >>= 8) {
        bytes[i] = (uint8_t)number;
    }
}

/* Digits of a hash, without those of its checksum. */
static unsigned digits_of(const struct tree *tree)
{
    return 8u * tree->hash_size / tree->width;
}

static size_t signature_size(const struct tree *tree)
{
    return 12u + (size_t)tree->hash_size * (1u + tree->chains + tree->height);
}

static size_t key_size(const struct tree *tree)
{
    return ROOT_AT + (size_t)tree->hash_size;
}

/*
 * Take a key, of which `length` bytes are there, and what follows from its types. SHA-256/192 is a
 * truncated SHA-256; the number of checksum digits follows from RFC 8554, appendix B.
 */
static psa_status_t take_tree(struct tree *tree, const uint8_t *key, size_t length)
{
    static const psa_algorithm_t hashes[] = {PSA_ALG_SHA_256, PSA_ALG_SHA_256, PSA_ALG_SHAKE256_256,
                                             PSA_ALG_SHAKE256_192};
    static const uint8_t checksum_digits[WIDTHS] = {9, 5, 3, 2};

    if (length < ROOT_AT) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(tree->key, key, ROOT_AT);
    const uint32_t type = read_number(tree->key) - FIRST_TREE_TYPE;
    const uint32_t leaf_type = read_number(tree->key + LEAF_TYPE_AT) - FIRST_LEAF_TYPE;
    const uint32_t family = type / HEIGHTS;
    if (family >= sizeof hashes / sizeof *hashes || leaf_type / WIDTHS != family) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    tree->hash_alg = hashes[family];
    tree->hash_size = family % 2 == 0 ? 32 : 24;
    tree->height = (uint8_t)(5 * (type % HEIGHTS + 1));
    tree->width = (uint8_t)(1u << leaf_type % WIDTHS);
    tree->chains = (uint16_t)(digits_of(tree) + checksum_digits[leaf_type % WIDTHS]);
    if (tree->width == 1 && tree->hash_size == 24) {
        tree->chains--; /* a sum of at most 192 */
    }
    if (length < key_size(tree)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memcpy(tree->key + ROOT_AT, key + ROOT_AT, tree->hash_size);
    return corral_hash_block_length(tree->hash_alg) != 0 ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED;
}

/* Digit i of a hash with its checksum. */
static unsigned digit(const struct tree *tree, const uint8_t *digest, unsigned i)
{
    const unsigned at = i * tree->width;

    return (unsigned)digest[at / 8] >> (8u - tree->width - at % 8) & ((1u << tree->width) - 1);
}

/* Put the checksum behind a digest (RFC 8554, 4.4). */
static void add_checksum(const struct tree *tree, uint8_t *digest)
{
    const unsigned digits = digits_of(tree);
    unsigned sum = digits * ((1u << tree->width) - 1);

    for (unsigned i = 0; i < digits; i++) {
        sum -= digit(tree, digest, i);
    }
    sum <<= CHECKSUM_BITS - (tree->chains - digits) * tree->width;
    digest[tree->hash_size] = (uint8_t)(sum >> 8);
    digest[tree->hash_size + 1] = (uint8_t)sum;
}

static void set_mark(uint8_t *block, uint8_t mark)
{
    block[MARK_AT] = mark;
    block[MARK_AT + 1] = mark;
}

/* Begin a hash of a marked head. Nothing is left open after a failure. */
static psa_status_t begin(corral_hash_context_t *context, psa_algorithm_t hash_alg, uint8_t *block,
                          uint8_t mark)
{
    set_mark(block, mark);
    memset(context, 0, sizeof *context);
    psa_status_t status = corral_dispatch_hash_setup(context, hash_alg);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_hash_update(context, block, HEAD_SIZE);
        if (status != PSA_SUCCESS) {
            corral_dispatch_hash_abort(context);
        }
    }
    return status;
}

static psa_status_t end(corral_hash_context_t *context, psa_status_t status, uint8_t *hash)
{
    size_t length;

    if (status == PSA_SUCCESS) {
        status = corral_dispatch_hash_finish(context, hash, HASH_MAX_SIZE, &length);
    }
    corral_dispatch_hash_abort(context);
    return status;
}

/* Replace what stands at `at`, of the block's end, by the hash of the block. */
static psa_status_t hash_block(const struct tree *tree, uint8_t *block, size_t size, size_t at)
{
    size_t length;

    return corral_dispatch_hash_compute(tree->hash_alg, block, size, block + at, HASH_MAX_SIZE,
                                        &length);
}

/* The digest of a salted message, with its checksum. */
static psa_status_t hash_salted(const struct tree *tree, uint8_t *block, const uint8_t *salt,
                                const uint8_t *input, size_t input_length, uint8_t *digest)
{
    corral_hash_context_t context;

    psa_status_t status = begin(&context, tree->hash_alg, block, MARK_OF_MESSAGE);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_dispatch_hash_update(&context, salt, tree->hash_size);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_hash_update(&context, input, input_length);
    }
    status = end(&context, status, digest);
    if (status == PSA_SUCCESS) {
        add_checksum(tree, digest);
    }
    return status;
}

/* Compute the one-time key from the ends of its chains, into the block behind its head. */
static psa_status_t hash_chains(const struct tree *tree, uint8_t *block, const uint8_t *values,
                                const uint8_t *digest)
{
    const unsigned last = (1u << tree->width) - 1;
    corral_hash_context_t ends;

    psa_status_t status = begin(&ends, tree->hash_alg, block, MARK_OF_ENDS);
    if (status != PSA_SUCCESS) {
        return status;
    }
    for (unsigned i = 0; i < tree->chains && status == PSA_SUCCESS; i++) {
        block[MARK_AT] = (uint8_t)(i >> 8);
        block[MARK_AT + 1] = (uint8_t)i;
        memcpy(block + VALUE_AT, values + (size_t)i * tree->hash_size, tree->hash_size);
        for (unsigned j = digit(tree, digest, i); j < last && status == PSA_SUCCESS; j++) {
            block[STEP_AT] = (uint8_t)j;
            status = hash_block(tree, block, VALUE_AT + (size_t)tree->hash_size, VALUE_AT);
        }
        if (status == PSA_SUCCESS) {
            status = corral_dispatch_hash_update(&ends, block + VALUE_AT, tree->hash_size);
        }
    }
    return end(&ends, status, block + HEAD_SIZE);
}

/* From a leaf to the root. The input stands in the block behind its head, and the root does. */
static psa_status_t climb(const struct tree *tree, uint8_t *block, uint32_t leaf,
                          const uint8_t *path)
{
    const size_t size = tree->hash_size;
    uint8_t *const left = block + HEAD_SIZE;
    uint32_t node = ((uint32_t)1 << tree->height) + leaf;

    size_t below = size; /* of the leaf; then of two nodes */

    for (set_mark(block, MARK_OF_LEAF);; set_mark(block, MARK_OF_NODE)) {
        write_number(block + NUMBER_AT, node);
        const psa_status_t status = hash_block(tree, block, HEAD_SIZE + below, HEAD_SIZE);
        if (status != PSA_SUCCESS || node == 1) {
            return status;
        }
        const bool is_right = node % 2 == 1;
        memcpy(left + size, is_right ? left : path, size);
        if (is_right) {
            memcpy(left, path, size);
        }
        path += size;
        node /= 2;
        below = 2 * size;
    }
}

/* Verify by one tree. `signature` is as long as signature_size() says. */
static psa_status_t verify_tree(const struct tree *tree, const uint8_t *input, size_t input_length,
                                const uint8_t *signature)
{
    const size_t size = tree->hash_size;
    const uint8_t *const salt = signature + 8;
    const uint8_t *const values = salt + size;
    const uint8_t *const type = values + size * tree->chains;
    const uint32_t leaf = read_number(signature);
    uint8_t block[HEAD_SIZE + 2 * HASH_MAX_SIZE];
    uint8_t digest[HASH_MAX_SIZE + 2];

    if (leaf >> tree->height != 0 || memcmp(signature + 4, tree->key + LEAF_TYPE_AT, 4) != 0 ||
        memcmp(type, tree->key, 4) != 0) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    memcpy(block, tree->key + IDENTIFIER_AT, NUMBER_AT);
    write_number(block + NUMBER_AT, leaf);
    psa_status_t status = hash_salted(tree, block, salt, input, input_length, digest);
    if (status == PSA_SUCCESS) {
        status = hash_chains(tree, block, values, digest);
    }
    if (status == PSA_SUCCESS) {
        status = climb(tree, block, leaf, type + 4);
    }
    if (status == PSA_SUCCESS && memcmp(block + HEAD_SIZE, tree->key + ROOT_AT, size) != 0) {
        status = PSA_ERROR_INVALID_SIGNATURE;
    }
    return status;
}

/* Verify by the last tree of a signature, of which it takes all that is left. */
static psa_status_t verify_last(const struct tree *tree, const uint8_t *input, size_t input_length,
                                const uint8_t *signature, size_t signature_length)
{
    return signature_length == signature_size(tree)
               ? verify_tree(tree, input, input_length, signature)
               : PSA_ERROR_INVALID_SIGNATURE;
}

/*
 * Verify by a chain of trees, of which each signs the key of the next, and the last one the
 * message. All are over the hash of the first (SP 800-208, 4). An application may change its
 * signature meanwhile, so a signed key is copied: the copy is verified, and verifies.
 */
static psa_status_t verify_chain(const uint8_t *key, size_t length, uint32_t links,
                                 const uint8_t *input, size_t input_length,
                                 const uint8_t *signature, size_t signature_length)
{
    struct tree tree;
    struct tree next;

    psa_status_t status = take_tree(&tree, key, length);
    for (; links > 0 && status == PSA_SUCCESS; links--) {
        const size_t size = signature_size(&tree);
        if (signature_length < size) {
            return PSA_ERROR_INVALID_SIGNATURE;
        }
        if (take_tree(&next, signature + size, signature_length - size) != PSA_SUCCESS ||
            next.hash_alg != tree.hash_alg || next.hash_size != tree.hash_size) {
            return PSA_ERROR_INVALID_SIGNATURE;
        }
        status = verify_tree(&tree, next.key, key_size(&next), signature);
        signature += size + key_size(&next);
        signature_length -= size + key_size(&next);
        tree = next;
    }
    return status == PSA_SUCCESS
               ? verify_last(&tree, input, input_length, signature, signature_length)
               : status;
}

/*
 * Public keys of LMS and HSS, and signatures by them. *bits is 192 or 256.
 *   PSA_ERROR_INVALID_ARGUMENT   import: no such key
 *   PSA_ERROR_INVALID_SIGNATURE  it is not that key's signature of this message
 *   PSA_ERROR_NOT_SUPPORTED      import: the build lacks the hash of the key, SHAKE256 of its size
 */
psa_status_t compose_lms_verify_message(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *input,
                                        size_t input_length, const uint8_t *signature,
                                        size_t signature_length)
{
    struct tree tree;

    (void)attributes;
    (void)alg;
    const psa_status_t status = take_tree(&tree, key_buffer, key_buffer_size);
    return status == PSA_SUCCESS
               ? verify_last(&tree, input, input_length, signature, signature_length)
               : status;
}

psa_status_t compose_hss_verify_message(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        psa_algorithm_t alg, const uint8_t *input,
                                        size_t input_length, const uint8_t *signature,
                                        size_t signature_length)
{
    const uint32_t links = read_number(key_buffer) - 1;

    (void)attributes;
    (void)alg;
    if (signature_length < LEVELS_SIZE || read_number(signature) != links) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    return verify_chain(key_buffer + LEVELS_SIZE, key_buffer_size - LEVELS_SIZE, links, input,
                        input_length, signature + LEVELS_SIZE, signature_length - LEVELS_SIZE);
}

/* Import a key with `before` bytes before that of the tree. */
static psa_status_t import_key(const uint8_t *data, size_t data_length, size_t before,
                               uint8_t *key_buffer, size_t key_buffer_size,
                               size_t *key_buffer_length, size_t *bits)
{
    struct tree tree;

    if (data_length != before + ROOT_AT + 24 && data_length != before + ROOT_AT + 32) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (before > 0 && read_number(key_buffer) - 1 >= LEVELS_MAX) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const psa_status_t status = take_tree(&tree, key_buffer + before, data_length - before);
    if (status != PSA_SUCCESS) {
        return status;
    }
    *key_buffer_length = data_length;
    *bits = (size_t)8 * tree.hash_size;
    return data_length == before + key_size(&tree) ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
}

psa_status_t compose_lms_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                    size_t data_length, uint8_t *key_buffer, size_t key_buffer_size,
                                    size_t *key_buffer_length, size_t *bits)
{
    (void)attributes;
    return import_key(data, data_length, 0, key_buffer, key_buffer_size, key_buffer_length, bits);
}

psa_status_t compose_hss_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                    size_t data_length, uint8_t *key_buffer, size_t key_buffer_size,
                                    size_t *key_buffer_length, size_t *bits)
{
    (void)attributes;
    return import_key(data, data_length, LEVELS_SIZE, key_buffer, key_buffer_size,
                      key_buffer_length, bits);
}
