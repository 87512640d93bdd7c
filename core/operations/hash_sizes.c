/* SPDX-License-Identifier: Apache-2.0 */
#include "hash_sizes.h"

/* By the hash field of an algorithm identifier (PSA Crypto 1.5, B.1.2, table 22). */
static const uint8_t lengths[] = {
    0,  16, 16, 16, 20, 20, 0,  16, /* -, MD2, MD4, MD5, RIPEMD-160, SHA-1, -, AES-MMO */
    28, 32, 48, 64, 28, 32, 24, 0,  /* SHA-224 .. SHA-512, SHA-512/224, /256, SHA-256/192, - */
    28, 32, 48, 64, 32, 64, 32, 24, /* SHA3-224 .. 512, SM3, SHAKE256/512, 128/256, 256/192 */
    32, 32, 0,  0,  32, 32, 64, 64, /* SHAKE256/256, Ascon, -, -, BLAKE2s, sp, BLAKE2b, bp */
};

bool corral_hash_length_fits(psa_algorithm_t alg, size_t length)
{
    const size_t field = (size_t)(alg & 0xff);

    return length != 0 && (field == 0 || (field < sizeof lengths && lengths[field] == length));
}
