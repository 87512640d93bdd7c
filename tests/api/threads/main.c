/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* barriers */
/* Several threads at once (PSA Crypto 1.5, 5.6): each call as if it were the only one. */
#include <pthread.h>
#include <string.h>

#include "../../../core/keys/hold.h"
#include "../../harness/harness.h"
#include "../../harness/material.h"

#define ECC_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ECDSA_256 PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define HMAC_256 PSA_ALG_HMAC(PSA_ALG_SHA_256)
#define THREADS 8
#define ROUNDS 300

/* One per thread, so that no two write the same memory. */
struct worker {
    pthread_t thread;
    unsigned number;
    psa_key_id_t shared;
    pthread_barrier_t *barrier; /* of the test of psa_crypto_init() */
    unsigned failures;
    unsigned full; /* times all slots were taken: that may happen, and is no failure */
};

static void note(struct worker *worker, bool ok)
{
    worker->failures += ok ? 0 : 1;
}

/* Create, use and destroy keys of one's own, with content that shows whose they are. */
static void *own_keys(void *argument)
{
    struct worker *worker = argument;
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);

    for (unsigned i = 0; i < ROUNDS; i++) {
        uint8_t data[16];
        uint8_t output[16];
        psa_key_id_t key;
        size_t n = 0;
        memset(data, (int)(16 * worker->number + i % 16), sizeof data);
        const psa_status_t status = psa_import_key(&attributes, data, sizeof data, &key);
        if (status == PSA_ERROR_INSUFFICIENT_MEMORY) {
            worker->full++;
            continue;
        }
        note(worker, status == PSA_SUCCESS);
        note(worker, psa_export_key(key, output, sizeof output, &n) == PSA_SUCCESS);
        note(worker, n == sizeof data && memcmp(data, output, sizeof data) == 0);
        note(worker, psa_destroy_key(key) == PSA_SUCCESS);
        note(worker, psa_export_key(key, output, sizeof output, &n) == PSA_ERROR_INVALID_HANDLE);
    }
    return NULL;
}

/* All use one key, which is never destroyed, beside random bytes and hashes. */
static void *shared_key(void *argument)
{
    struct worker *worker = argument;

    for (unsigned i = 0; i < ROUNDS; i++) {
        psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
        psa_key_attributes_t attributes;
        uint8_t output[32];
        size_t n = 0;
        note(worker, psa_mac_compute(worker->shared, HMAC_256, hmac_message, 28, output, 32, &n) ==
                         PSA_SUCCESS);
        note(worker, n == 32 && memcmp(output, hmac_tag, 32) == 0);
        note(worker, psa_mac_verify_setup(&operation, worker->shared, HMAC_256) == PSA_SUCCESS);
        note(worker, psa_mac_update(&operation, hmac_message, 28) == PSA_SUCCESS);
        note(worker, psa_mac_verify_finish(&operation, hmac_tag, 32) == PSA_SUCCESS);
        note(worker, psa_generate_random(output, sizeof output) == PSA_SUCCESS);
        note(worker, psa_get_key_attributes(worker->shared, &attributes) == PSA_SUCCESS);
        note(worker, psa_hash_compute(PSA_ALG_SHA_256, abc, 3, output, 32, &n) == PSA_SUCCESS);
        note(worker, memcmp(output, sha256_abc, 32) == 0);
    }
    return NULL;
}

/* True if there was a slot for a key. */
static bool generates(struct worker *worker, const psa_key_attributes_t *attributes,
                      psa_key_id_t *key)
{
    const psa_status_t status = psa_generate_key(attributes, key);

    if (status == PSA_ERROR_INSUFFICIENT_MEMORY) {
        worker->full++;
        return false;
    }
    note(worker, status == PSA_SUCCESS);
    return true;
}

/* Generate pairs and sign with them. */
static void *own_pairs(void *argument)
{
    struct worker *worker = argument;
    const psa_key_attributes_t attributes = test_attributes(
        ECC_PAIR, 256, ECDSA_256, PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH);

    for (unsigned i = 0; i < 5; i++) {
        uint8_t signature[64];
        psa_key_id_t key;
        size_t n;
        if (!generates(worker, &attributes, &key)) {
            continue;
        }
        note(worker,
             psa_sign_hash(key, ECDSA_256, p256_hash, 32, signature, 64, &n) == PSA_SUCCESS);
        note(worker, psa_verify_hash(key, ECDSA_256, p256_hash, 32, signature, 64) == PSA_SUCCESS);
        note(worker, psa_destroy_key(key) == PSA_SUCCESS);
    }
    return NULL;
}

/* Symmetric keys of one's own: cipher in one call and in parts, MAC in parts, hash in parts. */
static void *own_ciphers(void *argument)
{
    struct worker *worker = argument;
    const psa_key_attributes_t attributes = test_attributes(
        PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);

    for (unsigned i = 0; i < ROUNDS / 10; i++) {
        psa_cipher_operation_t cipher = PSA_CIPHER_OPERATION_INIT;
        psa_hash_operation_t hash = PSA_HASH_OPERATION_INIT;
        uint8_t text[16 + 40];
        uint8_t back[40];
        uint8_t digest[32];
        psa_key_id_t key;
        size_t n = 0;
        if (!generates(worker, &attributes, &key)) {
            continue;
        }
        memset(back, (int)worker->number, sizeof back);
        note(worker,
             psa_cipher_encrypt(key, PSA_ALG_CTR, back, 40, text, sizeof text, &n) == PSA_SUCCESS);
        note(worker, psa_cipher_decrypt_setup(&cipher, key, PSA_ALG_CTR) == PSA_SUCCESS);
        note(worker, psa_cipher_set_iv(&cipher, text, 16) == PSA_SUCCESS);
        note(worker, psa_cipher_update(&cipher, text + 16, 40, back, 40, &n) == PSA_SUCCESS);
        note(worker, psa_cipher_finish(&cipher, NULL, 0, &n) == PSA_SUCCESS);
        note(worker, test_all(back, 40, (uint8_t)worker->number));
        note(worker, psa_hash_setup(&hash, PSA_ALG_SHA_256) == PSA_SUCCESS);
        note(worker, psa_hash_update(&hash, abc, 3) == PSA_SUCCESS);
        note(worker, psa_hash_finish(&hash, digest, 32, &n) == PSA_SUCCESS);
        note(worker, memcmp(digest, sha256_abc, 32) == 0);
        note(worker, psa_destroy_key(key) == PSA_SUCCESS);
    }
    return NULL;
}

/* Pairs that agree with each other: each side computes the same secret. */
static void *own_agreements(void *argument)
{
    struct worker *worker = argument;
    const psa_key_attributes_t attributes =
        test_attributes(ECC_PAIR, 256, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE);

    for (unsigned i = 0; i < 3; i++) {
        uint8_t point[65];
        uint8_t secret[32];
        psa_key_id_t key;
        size_t n;
        if (!generates(worker, &attributes, &key)) {
            continue;
        }
        note(worker, psa_export_public_key(key, point, sizeof point, &n) == PSA_SUCCESS);
        note(worker,
             psa_raw_key_agreement(PSA_ALG_ECDH, key, point, 65, secret, 32, &n) == PSA_SUCCESS);
        note(worker, psa_destroy_key(key) == PSA_SUCCESS);
    }
    return NULL;
}

static void run(void *(*first)(void *), void *(*second)(void *))
{
    static struct worker workers[THREADS];
    const psa_key_id_t shared =
        test_import(PSA_KEY_TYPE_HMAC, HMAC_256,
                    PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE, hmac_key, 4);

    memset(workers, 0, sizeof workers);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].number = i;
        workers[i].shared = shared;
        REQUIRE(pthread_create(&workers[i].thread, NULL, i % 2 == 0 ? first : second,
                               &workers[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        REQUIRE(pthread_join(workers[i].thread, NULL) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        test_context("thread", i);
        CHECK(workers[i].failures == 0);
        CHECK(workers[i].full < ROUNDS);
    }
}

static void threads__own_keys__never_see_each_others(void)
{
    run(own_keys, own_keys);
}

static void threads__one_key__serves_all(void)
{
    run(shared_key, shared_key);
}

static void threads__keys_come_and_go__beside_one_that_stays(void)
{
    run(own_keys, shared_key);
}

static void threads__pairs__are_generated_and_sign_side_by_side(void)
{
    run(own_pairs, own_pairs);
}

static void threads__ciphers_and_hashes__beside_signatures(void)
{
    run(own_ciphers, own_pairs);
}

static void threads__agreements__beside_one_key_that_serves_all(void)
{
    run(own_agreements, shared_key);
}

/* Both destroy the same key: one succeeds, the other finds nothing. */
struct destroyer {
    pthread_t thread;
    pthread_barrier_t *barrier;
    psa_key_id_t key;
    psa_status_t status;
};

static void *destroy(void *argument)
{
    struct destroyer *destroyer = argument;

    (void)pthread_barrier_wait(destroyer->barrier);
    destroyer->status = psa_destroy_key(destroyer->key);
    return NULL;
}

static void threads__same_key_destroyed_twice__happens_once(void)
{
    for (unsigned i = 0; i < 200; i++) {
        pthread_barrier_t barrier;
        struct destroyer both[2];
        const psa_key_id_t key = test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_NONE,
                                             PSA_KEY_USAGE_EXPORT, aes_key, sizeof aes_key);
        REQUIRE(pthread_barrier_init(&barrier, NULL, 2) == 0);
        for (unsigned j = 0; j < 2; j++) {
            both[j].barrier = &barrier;
            both[j].key = key;
            REQUIRE(pthread_create(&both[j].thread, NULL, destroy, &both[j]) == 0);
        }
        REQUIRE(pthread_join(both[0].thread, NULL) == 0);
        REQUIRE(pthread_join(both[1].thread, NULL) == 0);
        pthread_barrier_destroy(&barrier);
        const unsigned succeeded =
            (both[0].status == PSA_SUCCESS ? 1u : 0u) + (both[1].status == PSA_SUCCESS ? 1u : 0u);
        REQUIRE(succeeded == 1);
        CHECK(both[0].status == PSA_ERROR_INVALID_HANDLE ||
              both[1].status == PSA_ERROR_INVALID_HANDLE);
        test_destroy_keys();
    }
}

/* As two threads hold it while a third destroys it. EXPECT() would not let a key be held. */
static void destroyed_key__that_two_hold__stays_until_both_release_it(void)
{
    struct corral_key *first;
    struct corral_key *second;
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_RAW_DATA, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT,
                                         aes_key, sizeof aes_key);

    REQUIRE(corral_key_hold(key, &first) == PSA_SUCCESS);
    REQUIRE(corral_key_hold(key, &second) == PSA_SUCCESS && first == second);
    CHECK(psa_destroy_key(key) == PSA_SUCCESS);
    CHECK(corral_key_hold(key, &second) == PSA_ERROR_INVALID_HANDLE);
    corral_key_release(first);
    CHECK(first->state == CORRAL_KEY_DYING && first->length == sizeof aes_key);
    CHECK(memcmp(corral_key_data(first), aes_key, sizeof aes_key) == 0);
    corral_key_release(first);
    CHECK(first->state == CORRAL_KEY_FREE && test_all(corral_key_data(first), sizeof aes_key, 0));
}

/* All begin at once, and each works at once: one of them has initialised the library for all. */
static void *begin(void *argument)
{
    struct worker *worker = argument;
    uint8_t output[16] = {0};

    (void)pthread_barrier_wait(worker->barrier);
    note(worker, psa_crypto_init() == PSA_SUCCESS);
    note(worker, psa_generate_random(output, sizeof output) == PSA_SUCCESS);
    note(worker, !test_all(output, sizeof output, 0));
    return NULL;
}

static void init__from_all_threads_at_once__serves_all(void)
{
    static struct worker workers[THREADS];
    pthread_barrier_t barrier;

    REQUIRE(pthread_barrier_init(&barrier, NULL, THREADS) == 0);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].number = i;
        workers[i].barrier = &barrier;
        REQUIRE(pthread_create(&workers[i].thread, NULL, begin, &workers[i]) == 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        REQUIRE(pthread_join(workers[i].thread, NULL) == 0);
        CHECK(workers[i].failures == 0);
    }
    pthread_barrier_destroy(&barrier);
}

static const struct test_case tests[] = {
    TEST(init__from_all_threads_at_once__serves_all), /* first, before any initialisation */
    TEST(threads__own_keys__never_see_each_others),
    TEST(threads__one_key__serves_all),
    TEST(threads__keys_come_and_go__beside_one_that_stays),
    TEST(threads__pairs__are_generated_and_sign_side_by_side),
    TEST(threads__ciphers_and_hashes__beside_signatures),
    TEST(threads__agreements__beside_one_key_that_serves_all),
    TEST(threads__same_key_destroyed_twice__happens_once),
    TEST(destroyed_key__that_two_hold__stays_until_both_release_it),
};

static TEST_SUITE(threads, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_threads};

    return test_run(suites, 1);
}
