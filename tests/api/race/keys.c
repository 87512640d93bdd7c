/* SPDX-License-Identifier: Apache-2.0 */
/* The keys: what they are, and their coming and going. */
#define _POSIX_C_SOURCE 200809L /* nanosleep() */

#include <time.h>

#include "../../harness/rsa_keys.h"
#include "race.h"

#define SIGNS                                                                                      \
    (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE | PSA_KEY_USAGE_SIGN_HASH |         \
     PSA_KEY_USAGE_VERIFY_HASH)
#define CRYPTS (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define HOG_MAX 64u

static const uint8_t kek[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const uint8_t ikm[22] = {11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11,
                                11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11};
static const uint8_t seed[64] = {1, 2, 3, 4, 5, 6, 7, 8};
static const uint8_t password[8] = {'a', ' ', 's', 'e', 'c', 'r', 'e', 't'};
/* Raw keys have one of two contents. */
static const char raw[2][49] = {"AAAAAAAAAAAAAAAA",
                                "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"};

static const struct recipe {
    psa_key_type_t type;
    uint16_t bits; /* where the data do not tell */
    psa_algorithm_t alg;
    psa_key_usage_t usage;
    const uint8_t *data;
    size_t size;
} recipes[RACE_KEYS] = {
    [RACE_HMAC] = {PSA_KEY_TYPE_HMAC, 0, HMAC_256, SIGNS, hmac_key, sizeof hmac_key},
    [RACE_CMAC] = {PSA_KEY_TYPE_AES, 0, PSA_ALG_CMAC, SIGNS, aes_key, sizeof aes_key},
    [RACE_CTR] = {PSA_KEY_TYPE_AES, 0, PSA_ALG_CTR, CRYPTS, aes_key, sizeof aes_key},
    [RACE_CBC] = {PSA_KEY_TYPE_AES, 0, PSA_ALG_CBC_PKCS7, CRYPTS, aes_key, sizeof aes_key},
    [RACE_CCM] = {PSA_KEY_TYPE_AES, 0, PSA_ALG_CCM, CRYPTS, aes_key, sizeof aes_key},
    [RACE_GCM] = {PSA_KEY_TYPE_AES, 0, PSA_ALG_GCM, CRYPTS, aes256_key, sizeof aes256_key},
    [RACE_CHACHA] = {PSA_KEY_TYPE_CHACHA20, 0, PSA_ALG_CHACHA20_POLY1305, CRYPTS, aes256_key, 32},
    [RACE_ECDSA] = {P256_PAIR, 0, DETERMINISTIC, SIGNS, p256_private, sizeof p256_private},
    [RACE_ED25519] = {ED25519_PAIR, 0, PSA_ALG_PURE_EDDSA, SIGNS, ed25519_private, 32},
    [RACE_ED25519CTX] = {ED25519_PAIR, 0, PSA_ALG_EDDSA_CTX, SIGNS, ed25519_private, 32},
    [RACE_RSA_SIGN] = {PSA_KEY_TYPE_RSA_KEY_PAIR, 0, PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256),
                       SIGNS, rsa1024_pair, sizeof rsa1024_pair},
    [RACE_RSA_CRYPT] = {PSA_KEY_TYPE_RSA_KEY_PAIR, 0, PSA_ALG_RSA_OAEP(PSA_ALG_SHA_256), CRYPTS,
                        rsa1024_pair, sizeof rsa1024_pair},
    [RACE_X25519] = {X25519_PAIR, 0, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE, x25519_private, 32},
    [RACE_HKDF] = {PSA_KEY_TYPE_DERIVE, 0, HKDF_256, PSA_KEY_USAGE_DERIVE, ikm, sizeof ikm},
    [RACE_ML_KEM] = {PSA_KEY_TYPE_ML_KEM_KEY_PAIR, 768, PSA_ALG_ML_KEM, CRYPTS, seed, sizeof seed},
    [RACE_ECIES] = {P256_PAIR, 0, PSA_ALG_ECIES_SEC1, CRYPTS, p256_private, sizeof p256_private},
    [RACE_KW] = {PSA_KEY_TYPE_AES, 0, PSA_ALG_KW, PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP, kek,
                 sizeof kek},
    [RACE_JPAKE] = {PSA_KEY_TYPE_PASSWORD, 0, PSA_ALG_JPAKE(PSA_ALG_SHA_256), PSA_KEY_USAGE_DERIVE,
                    password, sizeof password},
    [RACE_RAW] = {PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_COPY,
                  NULL, 0},
};

/* Identifiers of the volatile ones, and how many have been created and destroyed. */
static _Atomic psa_key_id_t volatile_ids[RACE_KEYS];
static atomic_uint created[RACE_KEYS][RACE_LIVES];
static atomic_uint destroyed[RACE_KEYS][RACE_LIVES];

static void count(atomic_uint *counter)
{
    (void)atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

static unsigned total(atomic_uint *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

psa_key_attributes_t race_attributes(enum race_key key)
{
    const struct recipe *recipe = &recipes[key];

    return test_attributes(recipe->type, recipe->bits, recipe->alg, recipe->usage);
}

psa_status_t race_import(struct worker *worker, const psa_key_attributes_t *attributes,
                         enum race_key key, psa_key_id_t *id)
{
    if (key == RACE_RAW) {
        const char *content = raw[race_below(worker, 2)];
        return psa_import_key(attributes, (const uint8_t *)content, strlen(content), id);
    }
    return psa_import_key(attributes, recipes[key].data, recipes[key].size, id);
}

psa_key_id_t race_own(struct worker *worker, enum race_key key)
{
    const psa_key_attributes_t attributes = race_attributes(key);
    psa_key_id_t id;

    MAKE(worker, race_import(worker, &attributes, key, &id));
    return id;
}

void race_destroy(struct worker *worker, psa_key_id_t key)
{
    psa_key_attributes_t attributes;

    SUCCEEDS(worker, psa_destroy_key(key));
    HOLDS(worker, psa_get_key_attributes(key, &attributes) == PSA_ERROR_INVALID_HANDLE);
}

void race_take(struct worker *worker, psa_key_id_t key, const uint8_t *expected, size_t length)
{
    uint8_t data[65];
    size_t n;

    SUCCEEDS(worker, psa_export_key(key, data, sizeof data, &n));
    HOLDS(worker, n == length && memcmp(data, expected, length) == 0);
    race_destroy(worker, key);
}

psa_key_id_t race_shared(enum race_key key, enum race_life life)
{
    if (life == RACE_VOLATILE) {
        return atomic_load_explicit(&volatile_ids[key], memory_order_relaxed);
    }
    return PSA_KEY_ID_USER_MIN + (psa_key_id_t)(RACE_KEYS * (unsigned)life + (unsigned)key);
}

/* Whoever destroys it is the only one: each success is one key less. */
static void destroy_shared(struct worker *worker, enum race_key key, enum race_life life,
                           psa_key_id_t id)
{
    const psa_status_t status = psa_destroy_key(id);

    if (id != PSA_KEY_ID_NULL && status == PSA_SUCCESS) {
        count(&destroyed[key][life]);
    }
    HOLDS(worker, status == PSA_SUCCESS || status == PSA_ERROR_INVALID_HANDLE);
}

static void create_shared(struct worker *worker, enum race_key key, enum race_life life)
{
    psa_key_attributes_t attributes = race_attributes(key);
    psa_key_id_t id;

    if (life != RACE_VOLATILE) {
        psa_set_key_id(&attributes, race_shared(key, life));
    }
    if (life == RACE_CACHED) {
        psa_set_key_usage_flags(&attributes,
                                psa_get_key_usage_flags(&attributes) | PSA_KEY_USAGE_CACHE);
    }
    const psa_status_t status = race_import(worker, &attributes, key, &id);
    if (life != RACE_VOLATILE && status == PSA_ERROR_ALREADY_EXISTS) {
        return;
    }
    if (MAKE(worker, status)) {
        count(&created[key][life]);
        if (life == RACE_VOLATILE) {
            id = atomic_exchange_explicit(&volatile_ids[key], id, memory_order_relaxed);
            destroy_shared(worker, key, life, id);
        }
    }
}

void race_stir(struct worker *worker)
{
    const enum race_key key = (enum race_key)race_below(worker, RACE_KEYS);
    const enum race_life life = (enum race_life)race_below(worker, RACE_LIVES);
    const psa_key_id_t id = race_shared(key, life);

    worker->may_be_gone = true;
    switch (race_below(worker, 8)) {
    case 0:
        destroy_shared(worker, key, life, id);
        break;
    case 1:
    case 2:
        USE(worker, psa_purge_key(id));
        break;
    default:
        create_shared(worker, key, life);
        break;
    }
    worker->may_be_gone = false;
}

void race_settle(struct worker *worker)
{
    for (unsigned key = 0; key < RACE_KEYS; key++) {
        for (unsigned life = 0; life < RACE_LIVES; life++) {
            const psa_key_id_t id = race_shared((enum race_key)key, (enum race_life)life);
            psa_key_attributes_t attributes;

            destroy_shared(worker, (enum race_key)key, (enum race_life)life, id);
            test_context("key and life", RACE_LIVES * key + life);
            CHECK(psa_get_key_attributes(id, &attributes) == PSA_ERROR_INVALID_HANDLE);
            CHECK(psa_destroy_key(id) ==
                  (id == PSA_KEY_ID_NULL ? PSA_SUCCESS : PSA_ERROR_INVALID_HANDLE));
            CHECK(total(&created[key][life]) == total(&destroyed[key][life]));
        }
    }
}

void race_hog(struct worker *worker)
{
    const psa_key_attributes_t attributes = race_attributes(RACE_RAW);
    const struct timespec a_while = {0, 3000000};
    psa_key_id_t keys[HOG_MAX];
    unsigned n = 0;

    while (n < HOG_MAX && MAKE(worker, race_import(worker, &attributes, RACE_RAW, &keys[n]))) {
        n++;
    }
    HOLDS(worker, n < HOG_MAX);
    (void)nanosleep(&a_while, NULL); /* the others are to find no slot */
    while (n > 0) {
        race_destroy(worker, keys[--n]);
    }
}

void race_generate(struct worker *worker)
{
    const psa_algorithm_t alg = PSA_ALG_ECDSA(PSA_ALG_SHA_256);
    const psa_key_attributes_t attributes = test_attributes(P256_PAIR, 256, alg, SIGNS);
    uint8_t signature[64];
    psa_key_id_t key;
    size_t n;

    if (MAKE(worker, psa_generate_key(&attributes, &key))) {
        SUCCEEDS(worker, psa_sign_hash(key, alg, p256_hash, 32, signature, 64, &n));
        SUCCEEDS(worker, psa_verify_hash(key, alg, p256_hash, 32, signature, n));
        race_destroy(worker, key);
    }
}
