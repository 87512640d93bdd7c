/* SPDX-License-Identifier: Apache-2.0 */
/* The coming and going of keys. */
#include "../../harness/threads.h"
#include "race.h"

#define HOG_MAX 64u

/* Raw keys have one of two contents: this, or their kind's. */
static const uint8_t other_raw[] = {'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A',
                                    'A', 'A', 'A', 'A', 'A', 'A', 'A', 'A'};

static void count(atomic_uint *counter)
{
    (void)atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

static unsigned total(atomic_uint *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

psa_key_attributes_t race_attributes(const struct race_kind *kind)
{
    return test_attributes(kind->type, kind->bits, kind->alg, kind->usage);
}

psa_key_attributes_t race_secret(void)
{
    return test_attributes(PSA_KEY_TYPE_DERIVE, 0, PSA_ALG_NONE,
                           PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_EXPORT);
}

psa_status_t race_import(struct worker *worker, const psa_key_attributes_t *attributes,
                         const struct race_kind *kind, psa_key_id_t *id)
{
    if (kind == &race_raw && race_below(worker, 2) == 0) {
        return psa_import_key(attributes, other_raw, sizeof other_raw, id);
    }
    return psa_import_key(attributes, kind->data, kind->size, id);
}

psa_key_id_t race_own(struct worker *worker, const struct race_kind *kind)
{
    const psa_key_attributes_t attributes = race_attributes(kind);
    psa_key_id_t id;

    MAKE(worker, race_import(worker, &attributes, kind, &id));
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

psa_key_id_t race_shared(const struct race_kind *kind, enum race_life life)
{
    if (life == RACE_VOLATILE) {
        return atomic_load_explicit(&kind->volatile_id, memory_order_relaxed);
    }
    return PSA_KEY_ID_USER_MIN + (psa_key_id_t)(RACE_LIVES * kind->number + (unsigned)life);
}

/* Only one thread destroys it: each success is one key less. */
static void destroy_shared(struct worker *worker, struct race_kind *kind, enum race_life life,
                           psa_key_id_t id)
{
    const psa_status_t status = psa_destroy_key(id);

    if (id != PSA_KEY_ID_NULL && status == PSA_SUCCESS) {
        count(&kind->destroyed[life]);
    }
    HOLDS(worker, status == PSA_SUCCESS || status == PSA_ERROR_INVALID_HANDLE);
}

static void create_shared(struct worker *worker, struct race_kind *kind, enum race_life life)
{
    psa_key_attributes_t attributes = race_attributes(kind);
    psa_key_id_t id;

    if (life != RACE_VOLATILE) {
        psa_set_key_id(&attributes, race_shared(kind, life));
    }
    if (life == RACE_CACHED) {
        psa_set_key_usage_flags(&attributes,
                                psa_get_key_usage_flags(&attributes) | PSA_KEY_USAGE_CACHE);
    }
    const psa_status_t status = race_import(worker, &attributes, kind, &id);
    if (life != RACE_VOLATILE && status == PSA_ERROR_ALREADY_EXISTS) {
        return;
    }
    if (MAKE(worker, status)) {
        count(&kind->created[life]);
        if (life == RACE_VOLATILE) {
            id = atomic_exchange_explicit(&kind->volatile_id, id, memory_order_relaxed);
            destroy_shared(worker, kind, life, id);
        }
    }
}

static struct race_kind *any_with_key(struct worker *worker)
{
    struct race_kind *kind;

    do {
        kind = race_kinds[race_below(worker, (unsigned)race_kind_count)];
    } while (kind->with_key == NULL);
    return kind;
}

static void do_stir(struct worker *worker)
{
    struct race_kind *const kind = any_with_key(worker);
    const enum race_life life = (enum race_life)race_below(worker, RACE_LIVES);
    const psa_key_id_t id = race_shared(kind, life);

    worker->may_be_gone = true;
    switch (race_below(worker, 8)) {
    case 0:
        destroy_shared(worker, kind, life, id);
        break;
    case 1:
    case 2:
        USE(worker, psa_purge_key(id));
        break;
    default:
        create_shared(worker, kind, life);
        break;
    }
    worker->may_be_gone = false;
}

RACE_UNKEYED(stir, 240);

void race_settle(struct worker *worker)
{
    for (size_t i = 0; i < race_kind_count; i++) {
        struct race_kind *const kind = race_kinds[i];

        for (unsigned life = 0; kind->with_key != NULL && life < RACE_LIVES; life++) {
            const psa_key_id_t id = race_shared(kind, (enum race_life)life);
            psa_key_attributes_t attributes;

            destroy_shared(worker, kind, (enum race_life)life, id);
            test_context(kind->name, life);
            CHECK(psa_get_key_attributes(id, &attributes) == PSA_ERROR_INVALID_HANDLE);
            CHECK(psa_destroy_key(id) ==
                  (id == PSA_KEY_ID_NULL ? PSA_SUCCESS : PSA_ERROR_INVALID_HANDLE));
            CHECK(total(&kind->created[life]) == total(&kind->destroyed[life]));
        }
    }
}

static void do_hog(struct worker *worker)
{
    const psa_key_attributes_t attributes = race_attributes(&race_raw);
    psa_key_id_t keys[HOG_MAX];
    unsigned n = 0;

    while (n < HOG_MAX && MAKE(worker, race_import(worker, &attributes, &race_raw, &keys[n]))) {
        n++;
    }
    HOLDS(worker, n < HOG_MAX);
    test_thread_pause(); /* the others are to find no slot */
    while (n > 0) {
        race_destroy(worker, keys[--n]);
    }
}

RACE_UNKEYED(hog, 2);

static void do_generate(struct worker *worker)
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

RACE_UNKEYED(generate, 2);
