/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of Ed25519 (RFC 8032): private keys are seeds, any 32 bytes. */
#include "curve25519.h"

#include <corral/driver.h>
#include <openssl/curve25519.h>

static void keep_bits(uint8_t *seed)
{
    (void)seed;
}

/* The library's private key is the seed and the public key. */
static void derive_public(uint8_t *public_key, const uint8_t *seed)
{
    uint8_t pair[ED25519_PRIVATE_KEY_LEN];

    ED25519_keypair_from_seed(public_key, pair, seed);
    corral_wipe(pair, sizeof pair);
}

const struct awslc_use25519 awslc_ed25519 = {keep_bits, derive_public, awslc_ed25519_is_public};
