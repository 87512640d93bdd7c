/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes a message, and compares the hash with the published one. */
#include <string.h>

#include <corral/board.h>
#include <psa/crypto.h>

/* FIPS 180-4, SHA-256 of "abc". */
static const uint8_t expected[PSA_HASH_LENGTH(PSA_ALG_SHA_256)] = {
    0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
    0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};

int main(void)
{
    uint8_t hash[sizeof expected];
    size_t length = 0;

    psa_status_t status = psa_crypto_init();
    if (status == PSA_SUCCESS) {
        status = psa_hash_compute(PSA_ALG_SHA_256, (const uint8_t *)"abc", 3, hash, sizeof hash,
                                  &length);
    }
    const bool is_well = status == PSA_SUCCESS && length == sizeof expected &&
                         memcmp(hash, expected, sizeof expected) == 0;

    corral_board_print(is_well ? "first: pass\n" : "first: FAIL\n");
    return is_well ? 0 : 1;
}
