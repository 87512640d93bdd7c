/* SPDX-License-Identifier: Apache-2.0 */
/* Calls without a key: hashes, random bytes. */
#include "race.h"

static void do_hashes(struct worker *worker)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    psa_hash_operation_t other = PSA_HASH_OPERATION_INIT;
    uint8_t digest[64];
    size_t n;

    SUCCEEDS(worker, psa_hash_compute(PSA_ALG_SHA_256, abc, 3, digest, sizeof digest, &n));
    HOLDS(worker, n == 32 && memcmp(digest, sha256_abc, 32) == 0);
    SUCCEEDS(worker, psa_hash_setup(&operation, PSA_ALG_SHA_256));
    SUCCEEDS(worker, psa_hash_update(&operation, abc, 1));
    SUCCEEDS(worker, psa_hash_clone(&operation, &other));
    SUCCEEDS(worker, psa_hash_update(&operation, abc + 1, 2));
    SUCCEEDS(worker, psa_hash_update(&other, abc + 1, 2));
    SUCCEEDS(worker, psa_hash_verify(&operation, sha256_abc, 32));
    SUCCEEDS(worker, psa_hash_finish(&other, digest, sizeof digest, &n));
    HOLDS(worker, n == 32 && memcmp(digest, sha256_abc, 32) == 0);
}

RACE_UNKEYED(hashes, 12);

static void do_random(struct worker *worker)
{
    uint8_t first[24];
    uint8_t second[24];

    SUCCEEDS(worker, psa_generate_random(first, sizeof first));
    SUCCEEDS(worker, psa_generate_random(second, sizeof second));
    HOLDS(worker, memcmp(first, second, sizeof first) != 0);
}

RACE_UNKEYED(random, 12);
