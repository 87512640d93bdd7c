/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the API that use a key or create one, each in a call that is right in all
 * else: for tests that let the same failure happen to all of them.
 */
#ifndef TEST_KEYED_H
#define TEST_KEYED_H

#include "harness.h"

/* A call that uses a key. */
struct keyed_call {
    const char *name;
    /* The key for which it works. */
    psa_key_type_t type;
    uint16_t bits;
    psa_algorithm_t alg;
    psa_key_usage_t usage;
    /* Brings an operation to where the function can be called; NULL: it can be called at once. */
    psa_status_t (*begin)(psa_key_id_t key);
    psa_status_t (*run)(psa_key_id_t key);
};

extern const struct keyed_call keyed_calls[];
extern const size_t keyed_call_count;

/* A function of one call, with a key or on an operation that has one. */
#define KEYED_CALL(name, call)                                                                     \
    static psa_status_t name(psa_key_id_t key)                                                     \
    {                                                                                              \
        (void)key;                                                                                 \
        return (call);                                                                             \
    }                                                                                              \
    struct keyed_call

/* The call of this name. */
const struct keyed_call *keyed_find(const char *name);

#define KEYED_ROOM 128u

/* The operations of the calls, and room for outputs, of which a test may offer them less. */
extern struct keyed {
    psa_mac_operation_t mac;
    psa_cipher_operation_t cipher;
    psa_aead_operation_t aead;
    psa_sign_operation_t sign;
    psa_verify_operation_t verify;
    psa_key_derivation_operation_t derivation;
    size_t room;
    size_t length;
    uint8_t out[KEYED_ROOM];
} keyed;

/* Whether a call brings a stored key into a slot. */
bool keyed_loads(const struct keyed_call *call);

/* Whether a call goes on with the key that its operation was set up with. */
bool keyed_goes_on(const struct keyed_call *call);

/* The attributes for which a call works: its own, in local memory, volatile. */
psa_key_attributes_t keyed_attributes(const struct keyed_call *call);

/*
 * Create a key with these attributes that are some call's own, but for lifetime and identifier:
 * pairs are generated, other keys imported.
 */
psa_status_t keyed_create(const psa_key_attributes_t *attributes, psa_key_id_t *key);

/* A call that creates a key, of the type HMAC with 256 bits. */
struct creating_call {
    const char *name;
    void (*begin)(void); /* makes what the key comes from; for the harness to destroy, or NULL */
    psa_status_t (*run)(const psa_key_attributes_t *attributes, psa_key_id_t *key);
};

extern const struct creating_call creating_calls[];
extern const size_t creating_call_count;

/* The attributes for which these work, in local memory, volatile. */
psa_key_attributes_t creating_attributes(void);

/* Abort the operations of calls that use a key, destroy the keys that those and the harness made,
 * and offer all room again. */
void keyed_end(void);

#endif
