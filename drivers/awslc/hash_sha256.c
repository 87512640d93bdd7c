/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-224 and SHA-256 of the library (FIPS 180-4). */
#include "hash.h"

#include <corral/driver.h>

/* The library compiles its sources as one, in which this header comes first. */
#include <crypto/fipsmodule/service_indicator/internal.h>

#include <crypto/fipsmodule/sha/sha256.c> /* NOLINT(bugprone-suspicious-include) */

_Static_assert(sizeof(((awslc_hash_operation_t *)0)->state) >= sizeof(SHA256_CTX) &&
                   _Alignof(uint64_t) >= _Alignof(SHA256_CTX),
               "an operation holds a SHA256_CTX");

static void add(void *state, const uint8_t *input, size_t length)
{
    (void)SHA256_Update(state, input, length);
}

static void begin_sha224(void *state)
{
    (void)SHA224_Init(state);
}

static void end_sha224(void *state, uint8_t *hash)
{
    (void)SHA224_Final(hash, state);
}

static void begin_sha256(void *state)
{
    (void)SHA256_Init(state);
}

static void end_sha256(void *state, uint8_t *hash)
{
    (void)SHA256_Final(hash, state);
}

const struct awslc_hash awslc_sha224 = {begin_sha224, add, end_sha224, 28, 64};
const struct awslc_hash awslc_sha256 = {begin_sha256, add, end_sha256, 32, 64};
