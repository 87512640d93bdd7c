/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-384 and SHA-512, with the truncated ones, of the library (FIPS 180-4). */
#include "hash.h"

#include <corral/driver.h>

/* The library compiles its sources as one, in which this header comes first. */
#include <crypto/fipsmodule/service_indicator/internal.h>

#include <crypto/fipsmodule/sha/sha512.c> /* NOLINT(bugprone-suspicious-include) */

_Static_assert(sizeof(((awslc_hash_operation_t *)0)->state) >= sizeof(SHA512_CTX) &&
                   _Alignof(uint64_t) >= _Alignof(SHA512_CTX),
               "an operation holds a SHA512_CTX");

static void add(void *state, const uint8_t *input, size_t length)
{
    (void)SHA512_Update(state, input, length);
}

static void begin_sha384(void *state)
{
    (void)SHA384_Init(state);
}

static void end_sha384(void *state, uint8_t *hash)
{
    (void)SHA384_Final(hash, state);
}

static void begin_sha512(void *state)
{
    (void)SHA512_Init(state);
}

static void end_sha512(void *state, uint8_t *hash)
{
    (void)SHA512_Final(hash, state);
}

static void begin_sha512_224(void *state)
{
    (void)SHA512_224_Init(state);
}

static void end_sha512_224(void *state, uint8_t *hash)
{
    (void)SHA512_224_Final(hash, state);
}

static void begin_sha512_256(void *state)
{
    (void)SHA512_256_Init(state);
}

static void end_sha512_256(void *state, uint8_t *hash)
{
    (void)SHA512_256_Final(hash, state);
}

const struct awslc_hash awslc_sha384 = {begin_sha384, add, end_sha384, 48, 128};
const struct awslc_hash awslc_sha512 = {begin_sha512, add, end_sha512, 64, 128};
const struct awslc_hash awslc_sha512_224 = {begin_sha512_224, add, end_sha512_224, 28, 128};
const struct awslc_hash awslc_sha512_256 = {begin_sha512_256, add, end_sha512_256, 32, 128};
