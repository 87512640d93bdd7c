/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hashes of FIPS 202 as mlkem-native calls them, over the Keccak permutation of mldsa-native:
 * AWS-LC replaces mlkem-native's own by that of its library, so the package has none. The names
 * are the library's.
 */
#ifndef MLKEM_FIPS202_H
#define MLKEM_FIPS202_H

#include <stddef.h>
#include <stdint.h>

#define SHAKE128_RATE 168
#define SHAKE256_RATE 136
#define SHA3_256_RATE 136
#define SHA3_512_RATE 72

#define mlk_shake128ctx mlkem_native_sponge
#define mlk_shake128_init mlkem_native_shake128_init
#define mlk_shake128_absorb_once mlkem_native_shake128_absorb_once
#define mlk_shake128_squeezeblocks mlkem_native_shake128_squeezeblocks
#define mlk_shake128_release mlkem_native_shake128_release
#define mlk_shake256 mlkem_native_shake256
#define mlk_sha3_256 mlkem_native_sha3_256
#define mlk_sha3_512 mlkem_native_sha3_512

typedef struct {
    uint64_t lanes[25];
} mlkem_native_sponge;

/* SHAKE128 in steps: all of the input at once, then whole blocks of the output. */
void mlkem_native_shake128_init(mlkem_native_sponge *sponge);
void mlkem_native_shake128_absorb_once(mlkem_native_sponge *sponge, const uint8_t *input,
                                       size_t input_length);
void mlkem_native_shake128_squeezeblocks(uint8_t *output, size_t blocks,
                                         mlkem_native_sponge *sponge);
void mlkem_native_shake128_release(mlkem_native_sponge *sponge);

/* SHAKE256 and SHA-3 at once. The output may lie over the input. */
void mlkem_native_shake256(uint8_t *output, size_t output_length, const uint8_t *input,
                           size_t input_length);
void mlkem_native_sha3_256(uint8_t *output, const uint8_t *input, size_t input_length);
void mlkem_native_sha3_512(uint8_t *output, const uint8_t *input, size_t input_length);

#endif
