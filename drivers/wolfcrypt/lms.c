/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LMS and HSS verification (RFC 8554, SP 800-208). The library verifies only HSS signatures, whose
 * trees all have the same parameters. Its verification of one tree is not exported; it is compiled
 * here, so that an LMS key is served, and chains of trees that differ, as those of RFC 8554.
 */
#define wc_hss_verify wolfcrypt_driver_lms_chain /* unused, and with a name of ours */
#include "wolfcrypt_lms.h"

#include <corral/drivers/wolfcrypt/entry_points.h>

#include "part.h"

#include <string.h>

#include <corral/bindings.h>
#include <corral/driver.h>

#define LEVEL_SIZE 4u  /* of the number of levels in an HSS key, and of trees in a signature */
#define LEVELS_MAX 8u  /* RFC 8554, 6 */
#define NUMBER_SIZE 4u /* of a leaf, at the beginning of an LMS signature */
#define TYPE_SIZE 4u
#define HEADER_SIZE 24u /* of an LMS key: two types and an identifier; the root follows */
#define KEY_MAX_SIZE (HEADER_SIZE + 32u)
#define FAMILIES 4u /* SHA-256, SHA-256/192, SHAKE256, SHAKE256/192 */
#define HEIGHTS 5u
#define WIDTHS 4u
#define FIRST_TREE_TYPE 5u
#define FIRST_LEAF_TYPE 1u

static uint32_t read_number(const uint8_t bytes[4])
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/*
 * The parameters that the two types at the beginning of an LMS key stand for (RFC 8554, 4.1 and
 * 5.1; SP 800-208, 4): in steps of height or width, family after family.
 */
static psa_status_t read_types(const uint8_t *key, LmsParams *params)
{
    static const uint16_t flags[FAMILIES] = {LMS_SHA256, LMS_SHA256_192, LMS_SHAKE256,
                                             LMS_SHAKE256_192};
    static const uint16_t chains[2][WIDTHS] = {{265, 133, 67, 34}, {200, 101, 51, 26}};
    static const uint8_t shifts[2][WIDTHS] = {{7, 6, 4, 0}, {8, 6, 4, 0}};
    const uint32_t tree = read_number(key) - FIRST_TREE_TYPE;
    const uint32_t leaf = read_number(key + TYPE_SIZE) - FIRST_LEAF_TYPE;
    const uint32_t family = tree / HEIGHTS;

    if (family >= FAMILIES || leaf / WIDTHS != family) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (family >= 2 && !CORRAL_WOLFCRYPT_SHAKE_TREES) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    memset(params, 0, sizeof *params);
    params->levels = 1;
    params->height = (word8)(5 * (tree % HEIGHTS + 1));
    params->width = (word8)(1u << leaf % WIDTHS);
    params->ls = shifts[family % 2][leaf % WIDTHS];
    params->p = chains[family % 2][leaf % WIDTHS];
    params->lmsType = (word16)((tree + FIRST_TREE_TYPE) | flags[family]);
    params->lmOtsType = (word16)((leaf + FIRST_LEAF_TYPE) | flags[family]);
    params->hash_len = family % 2 == 0 ? 32 : 24;
    params->sig_len = LMS_SIG_LEN(params->height, params->p, params->hash_len);
    return PSA_SUCCESS;
}

/* A key, or a key within a signature, of which `length` bytes are left. */
static psa_status_t read_key(const uint8_t *key, size_t length, LmsParams *params)
{
    if (length < HEADER_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const psa_status_t status = read_types(key, params);
    if (status == PSA_SUCCESS && length < HEADER_SIZE + (size_t)params->hash_len) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return status;
}

/* One tree: `signature` has the length of the parameters. */
static psa_status_t verify_tree(const LmsParams *params, const uint8_t *key, const uint8_t *input,
                                size_t input_length, const uint8_t *signature)
{
    static const uint8_t nothing = 0;
    LmsState state;

    if (read_number(signature) >> params->height != 0) {
        return PSA_ERROR_INVALID_SIGNATURE; /* no such leaf */
    }
    memset(&state, 0, sizeof state);
    state.params = params;
    if (!wolfcrypt_driver_lms_state_start(&state)) {
        return PSA_ERROR_GENERIC_ERROR;
    }
    const int result = wc_lms_verify(&state, key, input_length == 0 ? &nothing : input,
                                     (word32)input_length, signature, params->sig_len);
    return result == 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE;
}

psa_status_t wolfcrypt_driver_lms_verify_message(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg, const uint8_t *input,
                                                 size_t input_length, const uint8_t *signature,
                                                 size_t signature_length)
{
    LmsParams params;

    (void)attributes;
    (void)alg;
    if (!wolfcrypt_driver_is_whole(input_length)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    const psa_status_t status = read_key(key_buffer, key_buffer_size, &params);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (signature_length != params.sig_len) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    return verify_tree(&params, key_buffer, input, input_length, signature);
}

/*
 * From tree to tree, each of which signs the key of the next, and the last one the message. All are
 * over the hash of the first (SP 800-208, 4). That key is copied: the one that was signed is the
 * one that verifies, whatever the caller's memory holds by then.
 */
static psa_status_t verify_chain(const uint8_t *key, uint32_t links, const uint8_t *input,
                                 size_t input_length, const uint8_t *signature, size_t length)
{
    uint8_t keys[2][KEY_MAX_SIZE]; /* of this tree and of the next one, in turn */
    LmsParams params;
    LmsParams next;

    psa_status_t status = read_types(key, &params);
    while (status == PSA_SUCCESS && links > 0) {
        uint8_t *const signed_key = keys[links % 2];
        if (length < params.sig_len) {
            return PSA_ERROR_INVALID_SIGNATURE;
        }
        length -= params.sig_len;
        memcpy(signed_key, signature + params.sig_len,
               length < KEY_MAX_SIZE ? length : KEY_MAX_SIZE);
        if (read_key(signed_key, length, &next) != PSA_SUCCESS ||
            ((next.lmsType ^ params.lmsType) & LMS_HASH_MASK) != 0) {
            return PSA_ERROR_INVALID_SIGNATURE;
        }
        const size_t key_size = HEADER_SIZE + (size_t)next.hash_len;
        status = verify_tree(&params, key, signed_key, key_size, signature);
        key = signed_key;
        signature += params.sig_len + key_size;
        length -= key_size;
        params = next;
        links--;
    }
    if (status == PSA_SUCCESS && length != params.sig_len) {
        status = PSA_ERROR_INVALID_SIGNATURE;
    }
    return status == PSA_SUCCESS ? verify_tree(&params, key, input, input_length, signature)
                                 : status;
}

psa_status_t wolfcrypt_driver_hss_verify_message(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 psa_algorithm_t alg, const uint8_t *input,
                                                 size_t input_length, const uint8_t *signature,
                                                 size_t signature_length)
{
    (void)attributes;
    (void)key_buffer_size;
    (void)alg;
    if (!wolfcrypt_driver_is_whole(input_length)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    const uint32_t links = read_number(key_buffer) - 1;
    if (signature_length < LEVEL_SIZE || read_number(signature) != links) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    return verify_chain(key_buffer + LEVEL_SIZE, links, input, input_length, signature + LEVEL_SIZE,
                        signature_length - LEVEL_SIZE);
}

/* Check a key, with its number of levels before it if there is a prefix. */
static psa_status_t check(const uint8_t *key, size_t length, size_t prefix, LmsParams *params)
{
    if (prefix != 0 && read_number(key) - 1 >= LEVELS_MAX) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const psa_status_t status = read_key(key + prefix, length - prefix, params);
    return status == PSA_SUCCESS && length != prefix + HEADER_SIZE + params->hash_len
               ? PSA_ERROR_INVALID_ARGUMENT
               : status;
}

static psa_status_t import(const uint8_t *data, size_t data_length, size_t prefix,
                           uint8_t *key_buffer, size_t key_buffer_size, size_t *key_buffer_length,
                           size_t *bits)
{
    LmsParams params;

    if (data_length != prefix + HEADER_SIZE + 24 && data_length != prefix + HEADER_SIZE + 32) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const psa_status_t status = check(key_buffer, data_length, prefix, &params);
    if (status != PSA_SUCCESS) {
        return status;
    }
    *key_buffer_length = data_length;
    *bits = (size_t)8 * params.hash_len;
    return PSA_SUCCESS;
}

/*
 * Public keys and signatures of LMS, HSS (RFC 8554), XMSS and XMSS^MT (RFC 8391), with the
 * parameter sets of these and of SP 800-208. *bits is 192 or 256.
 *   PSA_ERROR_INVALID_ARGUMENT   import: no such key
 *   PSA_ERROR_NOT_SUPPORTED      LMS, HSS: a key over SHAKE256 without
 *                                CORRAL_WOLFCRYPT_SHAKE_TREES; a message of 4 GB or more, with
 *                                XMSS of 2 GB
 */
psa_status_t wolfcrypt_driver_lms_import_key(const psa_key_attributes_t *attributes,
                                             const uint8_t *data, size_t data_length,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length, size_t *bits)
{
    (void)attributes;
    return import(data, data_length, 0, key_buffer, key_buffer_size, key_buffer_length, bits);
}

psa_status_t wolfcrypt_driver_hss_import_key(const psa_key_attributes_t *attributes,
                                             const uint8_t *data, size_t data_length,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length, size_t *bits)
{
    (void)attributes;
    return import(data, data_length, LEVEL_SIZE, key_buffer, key_buffer_size, key_buffer_length,
                  bits);
}
