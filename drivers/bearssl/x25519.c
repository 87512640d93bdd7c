/* SPDX-License-Identifier: Apache-2.0 */
/*
 * X25519 (RFC 7748). BearSSL has the wire format of PSA and sets the forced bits of the scalar by
 * itself; the check for a shared secret of zeros, which RFC 7748 section 6.1 asks for, is ours.
 */
#include <corral/drivers/bearssl/entry_points.h>

#include "ecc.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>

#define KEY_SIZE 32

/* RFC 7748 section 5, decodeScalar25519: PSA stores the private key with these bits forced. */
static void force_bits(uint8_t *scalar)
{
    scalar[0] &= 0xf8;
    scalar[31] &= 0x7f;
    scalar[31] |= 0x40;
}

/*
 * X25519. Keys have 32 bytes, little-endian; the public key may be any 32 bytes (RFC 7748).
 * *_import: stores a private key with its forced bits set. *bits is 255.
 * *_generate: the public key follows the private key if there is room for both.
 * *_agree: the shared secret of RFC 7748 section 6.1.
 *   PSA_ERROR_INVALID_ARGUMENT      a key has not 32 bytes, or the peer's key is a point of small
 *                                   order, so that the secret would be zero
 */
psa_status_t bearssl_driver_x25519_import_key(const psa_key_attributes_t *attributes,
                                              const uint8_t *data, size_t data_length,
                                              uint8_t *key_buffer, size_t key_buffer_size,
                                              size_t *key_buffer_length, size_t *bits)
{
    if (data_length != KEY_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (key_buffer_size < KEY_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    memcpy(key_buffer, data, KEY_SIZE);
    if (PSA_KEY_TYPE_IS_KEY_PAIR(psa_get_key_type(attributes))) {
        force_bits(key_buffer);
    }
    *key_buffer_length = KEY_SIZE;
    *bits = 255;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_x25519_generate_key(const psa_key_attributes_t *attributes,
                                                uint8_t *key_buffer, size_t key_buffer_size,
                                                size_t *key_buffer_length)
{
    (void)attributes;
    if (key_buffer_size < KEY_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (corral_random(key_buffer, KEY_SIZE) != PSA_SUCCESS) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    force_bits(key_buffer);
    *key_buffer_length = KEY_SIZE;
    if (key_buffer_size >= (size_t)2 * KEY_SIZE) {
        BEARSSL_C25519.mulgen(key_buffer + KEY_SIZE, key_buffer, KEY_SIZE, BR_EC_curve25519);
        bearssl_driver_wipe_stack_x25519();
        *key_buffer_length = (size_t)2 * KEY_SIZE;
    }
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_x25519_export_public_key(const psa_key_attributes_t *attributes,
                                                     const uint8_t *key_buffer,
                                                     size_t key_buffer_size, uint8_t *data,
                                                     size_t data_size, size_t *data_length)
{
    (void)attributes;
    if (data_size < KEY_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    *data_length = BEARSSL_C25519.mulgen(data, key_buffer, key_buffer_size, BR_EC_curve25519);
    bearssl_driver_wipe_stack_x25519();
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_x25519_key_agreement(psa_algorithm_t alg,
                                                 const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 const uint8_t *peer_key, size_t peer_key_length,
                                                 uint8_t *output, size_t output_size,
                                                 size_t *output_length)
{
    static const uint8_t zeros[KEY_SIZE];

    (void)alg;
    (void)attributes;
    if (output_size < KEY_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (peer_key_length != KEY_SIZE) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    memmove(output, peer_key, KEY_SIZE);
    BEARSSL_C25519.mul(output, KEY_SIZE, key_buffer, key_buffer_size, BR_EC_curve25519);
    bearssl_driver_wipe_stack_x25519();
    if (corral_equal(output, zeros, KEY_SIZE)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *output_length = KEY_SIZE;
    return PSA_SUCCESS;
}
