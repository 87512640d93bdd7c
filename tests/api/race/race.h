/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that use the whole library at once, on keys of their own and on keys that others destroy,
 * create and purge meanwhile (PSA Crypto 1.5, 5.6). Each call must end as it could have ended if
 * the calls of all threads had come one after the other.
 *
 * Nothing here orders the threads. Their common data beside the library are relaxed atomics, so
 * ThreadSanitizer sees each access of the library that its own locks do not order.
 */
#ifndef TESTS_RACE_H
#define TESTS_RACE_H

#include <stdatomic.h>
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/material.h"

#define P256_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ED25519_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS)
#define X25519_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY)
#define HMAC_256 PSA_ALG_HMAC(PSA_ALG_SHA_256)
#define HKDF_256 PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define SIGNS                                                                                      \
    (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE | PSA_KEY_USAGE_SIGN_HASH |         \
     PSA_KEY_USAGE_VERIFY_HASH)
#define CRYPTS (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define DETERMINISTIC PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)

/* One for each thread, so that no two write the same memory. */
struct worker {
    unsigned number;
    uint32_t state;   /* of its own generator: which calls come is the same in every run */
    bool may_be_gone; /* the key at work is shared: others may destroy it at any time */
    unsigned failures;
    unsigned full; /* keys that found no slot */
    unsigned gone; /* calls that found their key destroyed */
    unsigned done; /* rounds of work that came to their end */
    const char *first_file;
    int first_line;
    psa_status_t first_status;
};

/* The next choice of this thread, below `limit`. */
unsigned race_below(struct worker *worker, unsigned limit);

/* Record that something does not hold. Returns `ok`. */
bool race_note(struct worker *worker, bool ok, psa_status_t status, const char *file, int line);

/*
 * How a call may end beside success; each returns whether it has succeeded.
 *   use    a call that begins with a key: a shared one may be gone, or find no slot to be loaded to
 *   go_on  a further call of an operation with a key: a shared one may have been destroyed since
 *   make   a call that creates a key: there may be no slot, and its source may be gone
 *   end    a call that ends an operation by creating a key: as go_on, and there may be no slot
 */
bool race_use(struct worker *worker, psa_status_t status, const char *file, int line);
bool race_go_on(struct worker *worker, psa_status_t status, const char *file, int line);
bool race_make(struct worker *worker, psa_status_t status, const char *file, int line);
bool race_end(struct worker *worker, psa_status_t status, const char *file, int line);

#define HOLDS(worker, expression) race_note((worker), (expression), 0, __FILE__, __LINE__)
#define USE(worker, call) race_use((worker), (call), __FILE__, __LINE__)
#define GO_ON(worker, call) race_go_on((worker), (call), __FILE__, __LINE__)
#define MAKE(worker, call) race_make((worker), (call), __FILE__, __LINE__)
#define END(worker, call) race_end((worker), (call), __FILE__, __LINE__)
/* A call that can only succeed. */
#define SUCCEEDS(worker, call) race_succeeds((worker), (call), __FILE__, __LINE__)
bool race_succeeds(struct worker *worker, psa_status_t status, const char *file, int line);

/* How keys live that several threads use. */
enum race_life { RACE_VOLATILE, RACE_PERSISTENT, RACE_CACHED, RACE_LIVES };

/*
 * A kind of work: with a key, one's own or a shared one, or without. Each file beside
 * this one has its kinds, and race_kinds[] is made from them (harness/suites.py).
 */
struct race_kind {
    const char *name;
    unsigned times; /* how often each thread does it; long computations come less often */
    void (*with_key)(struct worker *worker, psa_key_id_t key);
    void (*without)(struct worker *worker);
    psa_key_type_t type;
    uint16_t bits; /* where the data do not tell */
    psa_algorithm_t alg;
    psa_key_usage_t usage;
    const uint8_t *data;
    size_t size;
    unsigned number; /* the place in race_kinds[] */
    /* Of the shared keys: the volatile one, and how many have been created and destroyed. */
    _Atomic psa_key_id_t volatile_id;
    atomic_uint created[RACE_LIVES];
    atomic_uint destroyed[RACE_LIVES];
};
extern struct race_kind *const race_kinds[];
extern const size_t race_kind_count;

/* Kinds by do_NAME(); key_data: an array. */
#define RACE_KEYED(kind, how_often, key_type, key_bits, key_alg, key_usage, key_data)              \
    struct race_kind race_##kind = {.name = #kind,                                                 \
                                    .times = (how_often),                                          \
                                    .with_key = do_##kind,                                         \
                                    .type = (key_type),                                            \
                                    .bits = (key_bits),                                            \
                                    .alg = (key_alg),                                              \
                                    .usage = (key_usage),                                          \
                                    .data = (key_data),                                            \
                                    .size = sizeof(key_data)}
#define RACE_UNKEYED(kind, how_often)                                                              \
    struct race_kind race_##kind = {.name = #kind, .times = (how_often), .without = do_##kind}

/* The kinds that fill the pools of slots, one of either kind of slot; and the call that fills
 * one. */
extern struct race_kind race_raw;
extern struct race_kind race_x25519;
extern struct race_kind race_hog;

/* A key of one's own, or PSA_KEY_ID_NULL where there was no slot. */
psa_key_id_t race_own(struct worker *worker, const struct race_kind *kind);
void race_destroy(struct worker *worker, psa_key_id_t key);
/* A derived or otherwise made key: its bytes, which must be those expected, and its end. */
void race_take(struct worker *worker, psa_key_id_t key, const uint8_t *expected, size_t length);
/* The identifier of a shared key, which may be gone already. */
psa_key_id_t race_shared(const struct race_kind *kind, enum race_life life);
/* Attributes for a secret that comes of other keys. */
psa_key_attributes_t race_secret(void);
/* Attributes for such a key; the caller adds life and identifier. */
psa_key_attributes_t race_attributes(const struct race_kind *kind);
psa_status_t race_import(struct worker *worker, const psa_key_attributes_t *attributes,
                         const struct race_kind *kind, psa_key_id_t *id);

/* Destroy what is left of the shared keys, and see that as many went as came. */
void race_settle(struct worker *worker);

#endif
