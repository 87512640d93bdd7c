/* SPDX-License-Identifier: Apache-2.0 */
/* Its source of random numbers is the generator of the core, as in the driver. */
#include "direct.h"

#include <p256-m.h>
#include <p256m_glue.h>

static bool sign(const uint8_t private_key[DIRECT_SCALAR_SIZE],
                 const uint8_t digest[DIRECT_HASH_SIZE], uint8_t signature[DIRECT_SIGNATURE_SIZE])
{
    const int result = p256_ecdsa_sign(signature, private_key, digest, DIRECT_HASH_SIZE);

    p256m_driver_wipe_stack();
    return result == P256_SUCCESS;
}

static bool verify(const uint8_t public_key[DIRECT_POINT_SIZE],
                   const uint8_t digest[DIRECT_HASH_SIZE],
                   const uint8_t signature[DIRECT_SIGNATURE_SIZE])
{
    return p256_ecdsa_verify(signature, public_key + 1, digest, DIRECT_HASH_SIZE) == P256_SUCCESS;
}

const struct direct direct_library = {.sign = sign, .verify = verify};
