/* SPDX-License-Identifier: Apache-2.0 */
/* Ed25519 keys (RFC 8032): the private key is the 32-byte seed, any string. */
#include <corral/drivers/monocypher/entry_points.h>

#include "ed25519_point.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>
#include <monocypher-ed25519.h>

/* Are the bytes after the first and before the last all `value`? */
static bool is_filled(const uint8_t *point, uint8_t value)
{
    size_t i;

    for (i = 1; i < ED25519_KEY_SIZE - 1; i++) {
        if (point[i] != value) {
            return false;
        }
    }
    return true;
}

bool monocypher_driver_is_canonical(const uint8_t point[ED25519_KEY_SIZE])
{
    const bool is_negative = (point[31] & 0x80) != 0;
    /* p = 0x7fff...ffed; p - 1 is an y coordinate with x = 0, which has no sign. */
    const uint8_t limit = is_negative ? 0xec : 0xed;

    if ((point[31] & 0x7f) == 0x7f && is_filled(point, 0xff)) {
        return point[0] < limit;
    }
    /* y = 1 is the other one. */
    return !(point[31] == 0x80 && point[0] == 1 && is_filled(point, 0));
}

bool monocypher_driver_take_signature(uint8_t copy[ED25519_SIGNATURE_SIZE],
                                      const uint8_t *signature, size_t length)
{
    if (length != ED25519_SIGNATURE_SIZE) {
        return false;
    }
    memcpy(copy, signature, ED25519_SIGNATURE_SIZE);
    return monocypher_driver_is_canonical(copy);
}

/*
 * Is the string a point A of the curve whose order is not small? The library checks the first only
 * on the way to verify 8 S B = 8 R + 8 h A. With R = 0 and S = 0 that holds for each point if
 * h = 0. If h = 1 it holds for the eight points of small order, for which signatures of any message
 * can be made.
 */
static bool is_point_valid(const uint8_t *point)
{
    static const uint8_t neutral[ED25519_SIGNATURE_SIZE] = {1};
    static const uint8_t zero[32];
    static const uint8_t one[32] = {1};

    return monocypher_driver_is_canonical(point) &&
           crypto_eddsa_check_equation(neutral, point, zero) == 0 &&
           crypto_eddsa_check_equation(neutral, point, one) != 0;
}

/* The library wants a copy of the seed, which it wipes, and returns seed || public key. */
static void derive_public(const uint8_t *seed, uint8_t *public_key)
{
    uint8_t secret[2 * ED25519_KEY_SIZE];
    uint8_t copy[ED25519_KEY_SIZE];

    memcpy(copy, seed, sizeof(copy));
    crypto_ed25519_key_pair(secret, public_key, copy);
    corral_wipe(secret, sizeof(secret));
}

/*
 * Ed25519 keys of 32 bytes: the seed of RFC 8032, or a point of the curve, not of small order, in
 * canonical encoding.
 * *_generate: the public key follows the seed if there is room for both. *bits is 255.
 *   PSA_ERROR_INVALID_ARGUMENT  wrong length, or not such a point
 */
psa_status_t monocypher_driver_ed25519_import_key(const psa_key_attributes_t *attributes,
                                                  const uint8_t *data, size_t data_length,
                                                  uint8_t *key_buffer, size_t key_buffer_size,
                                                  size_t *key_buffer_length, size_t *bits)
{
    if (data_length != ED25519_KEY_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, ED25519_KEY_SIZE)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (PSA_KEY_TYPE_IS_PUBLIC_KEY(psa_get_key_type(attributes)) && !is_point_valid(key_buffer)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *key_buffer_length = ED25519_KEY_SIZE;
    *bits = 255;
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_ed25519_generate_key(const psa_key_attributes_t *attributes,
                                                    uint8_t *key_buffer, size_t key_buffer_size,
                                                    size_t *key_buffer_length)
{
    (void)attributes;
    if (key_buffer_size < ED25519_KEY_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (corral_random(key_buffer, ED25519_KEY_SIZE) != PSA_SUCCESS) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    *key_buffer_length = ED25519_KEY_SIZE;
    if (key_buffer_size >= (size_t)2 * ED25519_KEY_SIZE) {
        derive_public(key_buffer, key_buffer + ED25519_KEY_SIZE);
        monocypher_driver_wipe_stack_ed25519();
        *key_buffer_length = (size_t)2 * ED25519_KEY_SIZE;
    }
    return PSA_SUCCESS;
}

psa_status_t monocypher_driver_ed25519_export_public_key(const psa_key_attributes_t *attributes,
                                                         const uint8_t *key_buffer,
                                                         size_t key_buffer_size, uint8_t *data,
                                                         size_t data_size, size_t *data_length)
{
    (void)attributes;
    (void)key_buffer_size;
    if (data_size < ED25519_KEY_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    derive_public(key_buffer, data);
    monocypher_driver_wipe_stack_ed25519();
    *data_length = ED25519_KEY_SIZE;
    return PSA_SUCCESS;
}
