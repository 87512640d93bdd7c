/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/bearssl/entry_points.h>

#include "sae.h"
#include "stack.h"

#include <string.h>

#include <corral/dispatch/hash.h>
#include <corral/driver.h>

/* Bytes of a value that a number below the prime comes from: half as many again. */
#define VALUE_SIZE (BEARSSL_SAE_SCALAR_SIZE + BEARSSL_SAE_SCALAR_SIZE / 2)

static const struct bearssl_driver_sae_group *group_of(const psa_key_attributes_t *attributes,
                                                       size_t data_length)
{
    const psa_key_type_t type = psa_get_key_type(attributes);
    size_t bits = psa_get_key_bits(attributes);

    if (bits == 0) {
        bits = corral_sae_is_field(type) ? 8 * data_length : 4 * data_length;
        bits = bits == 528 ? 521 : bits;
    }
    return bearssl_driver_sae_group(type, bits);
}

/*
 * WPA3-SAE (IEEE 802.11-2024, 12.4) on P-256, P-384 and P-521, and in groups 15 and 16 of RFC 3526.
 * *_import_key: a password token. *_derive_key: the token that a seed gives, which HKDF-Extract has
 *   made of the SSID and the password (12.4.4.2.3, 12.4.4.3.3).
 * The others are steps, whose order the core keeps. A password is looped over at the first
 *   commitment, with as many candidates whatever it is.
 *   PSA_ERROR_INVALID_ARGUMENT      *_import_key: no element of the group, or the neutral one;
 *                                   *_derive_key: the seed is not as long as the group's hash;
 *                                   *_input: a scalar out of range, no element, a commitment of
 *                                   another length, or our own, sent back; a salt longer than
 *                                   PSA_PAKE_INPUT_SIZE(); a counter that has not two bytes
 *   PSA_ERROR_INVALID_SIGNATURE     *_input: the other side does not have the key
 *   PSA_ERROR_GENERIC_ERROR         no element was found for the password: one of 2^40
 * *_input, *_output: also as the build's HMAC fails.
 */
psa_status_t bearssl_driver_sae_import_key(const psa_key_attributes_t *attributes,
                                           const uint8_t *data, size_t data_length,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length, size_t *bits)
{
    const struct bearssl_driver_sae_group *const group = group_of(attributes, data_length);

    if (group == NULL || data_length != group->element_size) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const bool is_good = bearssl_driver_sae_is_element(group, key_buffer);
    bearssl_driver_wipe_stack_sae();
    if (!is_good) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *key_buffer_length = data_length;
    *bits = group->bits;
    return PSA_SUCCESS;
}

/* HKDF-Expand (RFC 5869, 2.3). */
static psa_status_t expand(psa_algorithm_t hash, const uint8_t *seed, const char *label,
                           uint8_t *value, size_t length)
{
    uint8_t message[CORRAL_HASH_MAX_LENGTH + sizeof "SAE Hash to Element u1 P1"];
    const size_t hash_length = corral_hash_length(hash);
    const size_t end = hash_length + strlen(label);
    size_t skipped = hash_length;
    psa_status_t status = PSA_SUCCESS;

    memcpy(message + hash_length, label, strlen(label));
    message[end] = 0;
    while (status == PSA_SUCCESS && length > 0) {
        uint8_t block[CORRAL_HASH_MAX_LENGTH];
        const size_t part = length < hash_length ? length : hash_length;

        message[end]++;
        status = bearssl_driver_sae_hmac(hash, seed, hash_length, message + skipped,
                                         end + 1 - skipped, block);
        if (status == PSA_SUCCESS) {
            memcpy(message, block, hash_length);
            memcpy(value, block, part);
        }
        corral_wipe(block, sizeof block);
        value += part;
        length -= part;
        skipped = 0;
    }
    corral_wipe(message, sizeof message);
    return status;
}

/* The sum of the points that two values stand for. */
static psa_status_t map_to_curve(const struct bearssl_driver_sae_group *group, psa_algorithm_t hash,
                                 const uint8_t *seed, uint8_t *element)
{
    static const char *const labels[2] = {"SAE Hash to Element u1 P1", "SAE Hash to Element u2 P2"};
    const size_t length = group->size + group->size / 2u;
    uint8_t value[VALUE_SIZE];
    uint8_t other[BEARSSL_SAE_ELEMENT_SIZE];
    static const uint8_t one = 1;
    psa_status_t status = PSA_SUCCESS;

    for (unsigned i = 0; i < 2 && status == PSA_SUCCESS; i++) {
        status = expand(hash, seed, labels[i], value, length);
        if (status == PSA_SUCCESS) {
            bearssl_driver_sae_map(group, value, length, i == 0 ? element : other);
        }
    }
    /* The sum is the neutral element for no password that can be found. */
    if (status == PSA_SUCCESS &&
        !bearssl_driver_sae_multiply_add(group, element, &one, sizeof one, other)) {
        status = PSA_ERROR_GENERIC_ERROR;
    }
    corral_wipe(value, sizeof value);
    corral_wipe(other, sizeof other);
    return status;
}

/* The square of a number from 2 to the prime less one. */
static psa_status_t map_to_field(const struct bearssl_driver_sae_group *group, psa_algorithm_t hash,
                                 const uint8_t *seed, uint8_t *element)
{
    const size_t length = group->size + group->size / 2u;
    struct bearssl_driver_modulus modulus;
    bearssl_driver_number x;
    bearssl_driver_number two;
    uint8_t value[VALUE_SIZE];
    uint8_t bytes[BEARSSL_SAE_SCALAR_SIZE];

    psa_status_t status = expand(hash, seed, "SAE Hash to Element", value, length);
    if (status == PSA_SUCCESS) {
        memcpy(bytes, group->prime, group->size);
        bytes[group->size - 1] = (uint8_t)(bytes[group->size - 1] - 2);
        bearssl_driver_modulus_open(&modulus, bytes, group->size);
        bearssl_driver_modulus_reduce(&modulus, x, value, length);
        bearssl_driver_modulus_write(x, bytes, group->size);
        bearssl_driver_modulus_open(&modulus, group->prime, group->size);
        (void)bearssl_driver_modulus_read(&modulus, x, bytes, group->size);
        bearssl_driver_modulus_set(&modulus, two, 2);
        bearssl_driver_modulus_add(&modulus, x, two);
        bearssl_driver_modulus_multiply(&modulus, x, x);
        bearssl_driver_modulus_write(x, element, group->size);
        corral_wipe(bytes, sizeof bytes);
        corral_wipe(x, sizeof x);
    }
    corral_wipe(value, sizeof value);
    return status;
}

psa_status_t bearssl_driver_sae_derive_key(const psa_key_attributes_t *attributes,
                                           const uint8_t *input, size_t input_length,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length)
{
    const bool is_field = corral_sae_is_field(psa_get_key_type(attributes));
    const psa_algorithm_t hash = corral_sae_hash(is_field, psa_get_key_bits(attributes));
    const struct bearssl_driver_sae_group *const group =
        bearssl_driver_sae_group(psa_get_key_type(attributes), psa_get_key_bits(attributes));

    if (group == NULL || input_length != corral_hash_length(hash)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (key_buffer_size < group->element_size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = CORRAL_WANT_KEY_TYPE_WPA3_SAE_DH && is_field
                              ? map_to_field(group, hash, input, key_buffer)
                              : map_to_curve(group, hash, input, key_buffer);
    bearssl_driver_wipe_stack_sae();
    if (status != PSA_SUCCESS) {
        corral_wipe(key_buffer, group->element_size);
        return status;
    }
    *key_buffer_length = group->element_size;
    return PSA_SUCCESS;
}
