/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <corral/dispatch/wrap.h>
#include <corral/driver.h>

#include "../common/output.h"
#include "../keys/create.h"
#include "../keys/export.h"
#include "../keys/hold.h"

/* Bytes that wrapping adds to a key: a check value, and up to 7 bytes of padding (SP 800-38F). */
#define OVERHEAD 15u

#define LARGEST_KEY                                                                                \
    (CORRAL_SINGLE_KEY_MAX_SIZE > CORRAL_PAIR_PRIVATE_MAX_SIZE ? CORRAL_SINGLE_KEY_MAX_SIZE        \
                                                               : CORRAL_PAIR_PRIVATE_MAX_SIZE)

/* The key in plaintext: never in a buffer of the caller, who might read it there. */
struct work {
    uint8_t data[LARGEST_KEY + OVERHEAD];
    size_t length;
};

/* Hold the wrapping key, of a type that `alg` works with. */
static psa_status_t hold_wrapping_key(psa_key_id_t id, psa_key_usage_t usage, psa_algorithm_t alg,
                                      struct corral_key **key)
{
    if (!PSA_ALG_IS_KEY_WRAP(alg)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = corral_key_hold_for(id, usage, alg, key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    const psa_key_type_t type = (*key)->attributes.type;
    if (type == PSA_KEY_TYPE_AES || type == PSA_KEY_TYPE_ARIA || type == PSA_KEY_TYPE_CAMELLIA ||
        type == PSA_KEY_TYPE_SM4) {
        return PSA_SUCCESS;
    }
    corral_key_release(*key);
    return PSA_ERROR_INVALID_ARGUMENT;
}

/* Wrap a held key into `work`. */
static psa_status_t wrap(const struct corral_key *wrapping_key, const uint8_t *wrapping_data,
                         psa_algorithm_t alg, struct corral_key *key, struct work *work)
{
    psa_status_t status =
        corral_export_whole(key, work->data, sizeof work->data - OVERHEAD, &work->length);
    if (status == PSA_SUCCESS) {
        status = corral_dispatch_wrap_key(&wrapping_key->attributes, wrapping_data,
                                          wrapping_key->length, alg, work->data, work->length,
                                          work->data, sizeof work->data, &work->length);
    }
    return status;
}

static psa_status_t wrap_into(struct corral_key *wrapping_key, psa_algorithm_t alg,
                              struct corral_key *key, uint8_t *data, size_t data_size,
                              size_t *data_length)
{
    struct work work;

    work.length = 0;
    psa_status_t status = wrap(wrapping_key, corral_key_data(wrapping_key), alg, key, &work);
    if (status == PSA_SUCCESS && data_size < work.length) {
        status = PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (status == PSA_SUCCESS) {
        memcpy(data, work.data, work.length);
        *data_length = work.length;
    }
    corral_wipe(&work, sizeof work);
    return status;
}

psa_status_t psa_wrap_key(psa_key_id_t wrapping_key, psa_algorithm_t alg, psa_key_id_t key,
                          uint8_t *data, size_t data_size, size_t *data_length)
{
    struct corral_key *wrapping_slot;
    struct corral_key *slot;

    *data_length = 0;
    psa_status_t status = hold_wrapping_key(wrapping_key, PSA_KEY_USAGE_WRAP, alg, &wrapping_slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_key_hold_for(key, PSA_KEY_USAGE_EXPORT, PSA_ALG_NONE, &slot);
    if (status == PSA_SUCCESS) {
        status = wrap_into(wrapping_slot, alg, slot, data, data_size, data_length);
        corral_key_release(slot);
        status = corral_output_done(status, data, data_size, data_length);
    }
    corral_key_release(wrapping_slot);
    return status;
}

static psa_status_t unwrap_into(struct corral_key *wrapping_key, psa_algorithm_t alg,
                                const uint8_t *data, size_t data_length, struct corral_key *key)
{
    struct work work;

    if (data_length > sizeof work.data) {
        return PSA_ERROR_NOT_SUPPORTED; /* no slot is that large */
    }
    psa_status_t status = corral_dispatch_unwrap_key(
        &wrapping_key->attributes, corral_key_data(wrapping_key), wrapping_key->length, alg, data,
        data_length, work.data, sizeof work.data, &work.length);
    if (status == PSA_SUCCESS) {
        status = corral_create_import(key, work.data, work.length);
    }
    corral_wipe(&work, sizeof work);
    return status;
}

psa_status_t psa_unwrap_key(const psa_key_attributes_t *attributes, psa_key_id_t wrapping_key,
                            psa_algorithm_t alg, const uint8_t *data, size_t data_length,
                            psa_key_id_t *key)
{
    struct corral_key *wrapping_slot;
    struct corral_key *slot;

    corral_no_key_yet(key);
    psa_status_t status =
        hold_wrapping_key(wrapping_key, PSA_KEY_USAGE_UNWRAP, alg, &wrapping_slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_create_begin(attributes, &slot);
    if (status == PSA_SUCCESS) {
        status = unwrap_into(wrapping_slot, alg, data, data_length, slot);
        status = corral_create_end(slot, status, key);
    }
    corral_key_release(wrapping_slot);
    return status;
}
