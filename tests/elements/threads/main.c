/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads with several hashes in parts each, over one element that has one state: each update
 * of one comes between updates of all others. Says what each hash is, for the test to compare.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <psa/crypto.h>

#define THREADS 2u
#define OPERATIONS 3u
#define UPDATES 8u
#define STEP 41u /* of a block of 64: pieces that end inside of one, and pieces that complete one */

struct worker {
    pthread_t thread;
    psa_status_t status;
    uint8_t whole[32]; /* of a hash in one call, made beside those in parts */
    uint8_t hashes[OPERATIONS][32];
};

static struct worker workers[THREADS];

static void keep(struct worker *worker, psa_status_t status)
{
    worker->status = worker->status == PSA_SUCCESS ? status : worker->status;
}

static void *hash(void *argument)
{
    struct worker *const worker = argument;
    const unsigned number = (unsigned)(worker - workers);
    psa_hash_operation_t operations[OPERATIONS];
    uint8_t piece[STEP];
    size_t length;

    memset(operations, 0, sizeof operations);
    for (unsigned i = 0; i < OPERATIONS; i++) {
        keep(worker, psa_hash_setup(&operations[i], PSA_ALG_SHA_256));
    }
    for (unsigned update = 0; update < UPDATES; update++) {
        for (unsigned i = 0; i < OPERATIONS; i++) {
            memset(piece, (int)(100 * number + 10 * i + update), sizeof piece);
            keep(worker, psa_hash_update(&operations[i], piece, sizeof piece));
        }
        keep(worker, psa_hash_compute(PSA_ALG_SHA_256, (const uint8_t *)"abc", 3, worker->whole, 32,
                                      &length));
    }
    for (unsigned i = 0; i < OPERATIONS; i++) {
        keep(worker, psa_hash_finish(&operations[i], worker->hashes[i], 32, &length));
    }
    return NULL;
}

static void say(const uint8_t hash[32])
{
    for (size_t i = 0; i < 32; i++) {
        printf("%02x", hash[i]);
    }
    printf("\n");
}

int main(void)
{
    if (psa_crypto_init() != PSA_SUCCESS) {
        return 1;
    }
    for (unsigned i = 0; i < THREADS; i++) {
        if (pthread_create(&workers[i].thread, NULL, hash, &workers[i]) != 0) {
            return 1;
        }
    }
    for (unsigned i = 0; i < THREADS; i++) {
        if (pthread_join(workers[i].thread, NULL) != 0) {
            return 1;
        }
        printf("status %d\n", (int)workers[i].status);
        say(workers[i].whole);
        for (unsigned j = 0; j < OPERATIONS; j++) {
            say(workers[i].hashes[j]);
        }
    }
    return 0;
}
