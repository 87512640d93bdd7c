/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hashes of FIPS 202 as mldsa-native calls them inside ML-DSA: those of its own fips202.c,
 * compiled once for all parameter sets and for SHAKE. The names are the library's.
 */
#ifndef MLDSA_FIPS202_H
#define MLDSA_FIPS202_H

#include <stddef.h>
#include <stdint.h>

#define SHAKE128_RATE 168
#define SHAKE256_RATE 136
#define SHA3_256_RATE 136
#define SHA3_512_RATE 72

typedef struct {
    uint64_t s[25];
    unsigned pos;
} mld_shake128ctx;
typedef mld_shake128ctx mld_shake256ctx;

#define mld_shake128_init mldsa_native_shake128_init
#define mld_shake128_absorb mldsa_native_shake128_absorb
#define mld_shake128_finalize mldsa_native_shake128_finalize
#define mld_shake128_squeeze mldsa_native_shake128_squeeze
#define mld_shake128_release mldsa_native_shake128_release
#define mld_shake256_init mldsa_native_shake256_init
#define mld_shake256_absorb mldsa_native_shake256_absorb
#define mld_shake256_finalize mldsa_native_shake256_finalize
#define mld_shake256_squeeze mldsa_native_shake256_squeeze
#define mld_shake256_release mldsa_native_shake256_release
#define mld_shake256 mldsa_native_shake256

void mldsa_native_shake128_init(mld_shake128ctx *state);
void mldsa_native_shake128_absorb(mld_shake128ctx *state, const uint8_t *in, size_t inlen);
void mldsa_native_shake128_finalize(mld_shake128ctx *state);
void mldsa_native_shake128_squeeze(uint8_t *out, size_t outlen, mld_shake128ctx *state);
void mldsa_native_shake128_release(mld_shake128ctx *state);
void mldsa_native_shake256_init(mld_shake256ctx *state);
void mldsa_native_shake256_absorb(mld_shake256ctx *state, const uint8_t *in, size_t inlen);
void mldsa_native_shake256_finalize(mld_shake256ctx *state);
void mldsa_native_shake256_squeeze(uint8_t *out, size_t outlen, mld_shake256ctx *state);
void mldsa_native_shake256_release(mld_shake256ctx *state);
void mldsa_native_shake256(uint8_t *out, size_t outlen, const uint8_t *in, size_t inlen);

#endif
