/* SPDX-License-Identifier: Apache-2.0 */
/* Its source of random numbers is the one that the driver set, the generator of the core. */
#include "direct.h"

#include <stack.h>
#include <uECC.h>

static bool sign(const uint8_t private_key[DIRECT_SCALAR_SIZE],
                 const uint8_t digest[DIRECT_HASH_SIZE], uint8_t signature[DIRECT_SIGNATURE_SIZE])
{
    const int result =
        uECC_sign(private_key, digest, DIRECT_HASH_SIZE, signature, uECC_secp256r1());

    micro_ecc_driver_wipe_stack_sign();
    return result == 1;
}

static bool verify(const uint8_t public_key[DIRECT_POINT_SIZE],
                   const uint8_t digest[DIRECT_HASH_SIZE],
                   const uint8_t signature[DIRECT_SIGNATURE_SIZE])
{
    return uECC_verify(public_key + 1, digest, DIRECT_HASH_SIZE, signature, uECC_secp256r1()) == 1;
}

const struct direct direct_library = {.sign = sign, .verify = verify};
