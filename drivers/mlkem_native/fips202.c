/* SPDX-License-Identifier: Apache-2.0 */
/* The sponge of FIPS 202 (section 4) over Keccak-f[1600]. */
#include "mlkem_fips202.h"

#include <string.h>

#include <corral/driver.h>
#include <src/fips202/keccakf1600.h>

/* Domain and first bit of the padding (FIPS 202, 6.1 and 6.2); the last bit of it. */
#define SHA3_SUFFIX 0x06u
#define SHAKE_SUFFIX 0x1fu
#define LAST_BIT 0x80u

/* Absorb all of the input; the first block of output is one permutation away. */
static void absorb(mlkem_native_sponge *sponge, unsigned rate, uint8_t suffix, const uint8_t *input,
                   size_t input_length)
{
    const uint8_t last = LAST_BIT;

    memset(sponge, 0, sizeof *sponge);
    for (; input_length >= rate; input += rate, input_length -= rate) {
        mld_keccakf1600_xor_bytes(sponge->lanes, input, 0, rate);
        mld_keccakf1600_permute(sponge->lanes);
    }
    mld_keccakf1600_xor_bytes(sponge->lanes, input, 0, (unsigned)input_length);
    mld_keccakf1600_xor_bytes(sponge->lanes, &suffix, (unsigned)input_length, 1);
    mld_keccakf1600_xor_bytes(sponge->lanes, &last, rate - 1, 1);
}

static void squeeze(mlkem_native_sponge *sponge, unsigned rate, uint8_t *output,
                    size_t output_length)
{
    while (output_length > 0) {
        const unsigned part = output_length < rate ? (unsigned)output_length : rate;
        mld_keccakf1600_permute(sponge->lanes);
        mld_keccakf1600_extract_bytes(sponge->lanes, output, 0, part);
        output += part;
        output_length -= part;
    }
}

void mlkem_native_shake128_init(mlkem_native_sponge *sponge)
{
    memset(sponge, 0, sizeof *sponge);
}

void mlkem_native_shake128_absorb_once(mlkem_native_sponge *sponge, const uint8_t *input,
                                       size_t input_length)
{
    absorb(sponge, SHAKE128_RATE, SHAKE_SUFFIX, input, input_length);
}

void mlkem_native_shake128_squeezeblocks(uint8_t *output, size_t blocks,
                                         mlkem_native_sponge *sponge)
{
    squeeze(sponge, SHAKE128_RATE, output, blocks * SHAKE128_RATE);
}

void mlkem_native_shake128_release(mlkem_native_sponge *sponge)
{
    corral_wipe(sponge, sizeof *sponge);
}

static void whole(unsigned rate, uint8_t suffix, uint8_t *output, size_t output_length,
                  const uint8_t *input, size_t input_length)
{
    mlkem_native_sponge sponge;

    absorb(&sponge, rate, suffix, input, input_length);
    squeeze(&sponge, rate, output, output_length);
    corral_wipe(&sponge, sizeof sponge);
}

void mlkem_native_shake256(uint8_t *output, size_t output_length, const uint8_t *input,
                           size_t input_length)
{
    whole(SHAKE256_RATE, SHAKE_SUFFIX, output, output_length, input, input_length);
}

void mlkem_native_sha3_256(uint8_t *output, const uint8_t *input, size_t input_length)
{
    whole(SHA3_256_RATE, SHA3_SUFFIX, output, 32, input, input_length);
}

void mlkem_native_sha3_512(uint8_t *output, const uint8_t *input, size_t input_length)
{
    whole(SHA3_512_RATE, SHA3_SUFFIX, output, 64, input, input_length);
}
