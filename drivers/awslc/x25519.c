/* SPDX-License-Identifier: Apache-2.0 */
/* X25519 (RFC 7748). Keys and secrets are little-endian. */
#include <corral/drivers/awslc/entry_points.h>

#include "curve25519.h"
#include "stack.h"

#include <openssl/curve25519.h>

/* As decodeScalar25519 of RFC 7748 does. */
static void set_bits(uint8_t *private_key)
{
    private_key[0] &= 0xf8;
    private_key[X25519_PRIVATE_KEY_LEN - 1] &= 0x7f;
    private_key[X25519_PRIVATE_KEY_LEN - 1] |= 0x40;
}

static bool accept_any(const uint8_t *key)
{
    (void)key;
    return true;
}

const struct awslc_use25519 awslc_x25519 = {set_bits, X25519_public_from_private, accept_any};

/*
 * Compute the shared secret (RFC 7748, 6.1).
 *   PSA_ERROR_INVALID_ARGUMENT  the peer's key has not 32 bytes, or is a point of small order, with
 *                               which the secret would be zero
 */
psa_status_t awslc_x25519_key_agreement(psa_algorithm_t alg, const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        const uint8_t *peer_key, size_t peer_key_length,
                                        uint8_t *output, size_t output_size, size_t *output_length)
{
    (void)alg;
    (void)attributes;
    (void)key_buffer_size;
    if (output_size < X25519_SHARED_KEY_LEN) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const bool is_made =
        peer_key_length == X25519_PUBLIC_VALUE_LEN && X25519(output, key_buffer, peer_key) == 1;
    awslc_wipe_stack_curve25519();
    *output_length = X25519_SHARED_KEY_LEN;
    return is_made ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
}
