/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that use the whole library at once, on keys of their own and on keys that others destroy,
 * create and purge meanwhile (PSA Crypto 1.5, 5.6). Each call must end as it could have ended if
 * the calls of all threads had come one after the other.
 *
 * Nothing here orders the threads: what they share beside the library are relaxed atomics, so that
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
 *   make   a call that creates a key: there may be no slot, and what it starts from may be gone
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

/* Keys that several threads use: what they are, and how they live. */
enum race_key {
    RACE_HMAC,
    RACE_CMAC,
    RACE_CTR,
    RACE_CBC,
    RACE_CCM,
    RACE_GCM,
    RACE_CHACHA,
    RACE_ECDSA,
    RACE_ED25519,
    RACE_ED25519CTX,
    RACE_RSA_SIGN,
    RACE_RSA_CRYPT,
    RACE_X25519,
    RACE_HKDF,
    RACE_ML_KEM,
    RACE_ECIES,
    RACE_KW,
    RACE_JPAKE,
    RACE_RAW,
    RACE_KEYS,
};
enum race_life { RACE_VOLATILE, RACE_PERSISTENT, RACE_CACHED, RACE_LIVES };

/* A key of one's own, or PSA_KEY_ID_NULL where there was no slot. */
psa_key_id_t race_own(struct worker *worker, enum race_key key);
void race_destroy(struct worker *worker, psa_key_id_t key);
/* A derived or otherwise made key: its bytes, which must be those expected, and its end. */
void race_take(struct worker *worker, psa_key_id_t key, const uint8_t *expected, size_t length);
/* The identifier of a shared key, which may be gone already. */
psa_key_id_t race_shared(enum race_key key, enum race_life life);
/* Attributes for such a key; the caller adds life and identifier. */
psa_key_attributes_t race_attributes(enum race_key key);
psa_status_t race_import(struct worker *worker, const psa_key_attributes_t *attributes,
                         enum race_key key, psa_key_id_t *id);

/* One piece of work with a key. */
typedef void race_work(struct worker *worker, psa_key_id_t key);
race_work race_hmac, race_cmac, race_ctr, race_cbc, race_ccm, race_gcm, race_chacha;
race_work race_ecdsa, race_ed25519, race_ed25519ctx, race_rsa_sign, race_rsa_crypt, race_x25519;
race_work race_hkdf, race_ml_kem, race_ecies, race_kw, race_jpake, race_raw;

/* And without one. */
void race_hashes(struct worker *worker);
void race_xofs(struct worker *worker);
void race_random(struct worker *worker);
void race_unique(struct worker *worker);
void race_token(struct worker *worker);
/* Generate a pair, and sign with it. */
void race_generate(struct worker *worker);

/* Create, destroy or purge one of the shared keys. */
void race_stir(struct worker *worker);
/* Take all slots of a pool, and give them back. */
void race_hog(struct worker *worker);
/* Destroy what is left of the shared keys, and see that as many went as came. */
void race_settle(struct worker *worker);

#endif
