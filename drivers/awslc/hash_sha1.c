/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-1 of the library (FIPS 180-4). */
#include "hash.h"

#include <corral/driver.h>

/* The library compiles its sources as one, in which this header comes first. */
#include <crypto/fipsmodule/service_indicator/internal.h>

#include <crypto/fipsmodule/sha/sha1.c> /* NOLINT(bugprone-suspicious-include) */

_Static_assert(sizeof(((awslc_hash_operation_t *)0)->state) >= sizeof(SHA_CTX) &&
                   _Alignof(uint64_t) >= _Alignof(SHA_CTX),
               "an operation holds a SHA_CTX");

static void add(void *state, const uint8_t *input, size_t length)
{
    (void)SHA1_Update(state, input, length);
}

static void begin_sha1(void *state)
{
    (void)SHA1_Init(state);
}

static void end_sha1(void *state, uint8_t *hash)
{
    (void)SHA1_Final(hash, state);
}

const struct awslc_hash awslc_sha1 = {begin_sha1, add, end_sha1, 20, 64};
