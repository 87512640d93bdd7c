/* SPDX-License-Identifier: Apache-2.0 */
/* Signed objects with micro-ecc, and SHA-256 of Mbed TLS. */
#include <corral/port.h>
#include <mbedtls/sha256.h>
#include <uECC.h>

#include "../apps/shared/consumers.h"

static int draw(uint8_t *output, unsigned size)
{
    size_t bits;

    return corral_port_entropy(output, size, &bits) == PSA_SUCCESS;
}

bool cose_sign(const uint8_t *payload, size_t size, uint8_t signature[SIGNATURE_SIZE])
{
    uint8_t digest[HASH_SIZE];

    uECC_set_rng(draw);
    return mbedtls_sha256(payload, size, digest, 0) == 0 &&
           uECC_sign(test_private, digest, HASH_SIZE, signature, uECC_secp256r1()) == 1;
}

bool cose_verify(const uint8_t *payload, size_t size, const uint8_t signature[SIGNATURE_SIZE])
{
    uint8_t digest[HASH_SIZE];

    return mbedtls_sha256(payload, size, digest, 0) == 0 &&
           uECC_valid_public_key(test_public + 1, uECC_secp256r1()) == 1 &&
           uECC_verify(test_public + 1, digest, HASH_SIZE, signature, uECC_secp256r1()) == 1;
}
