/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The members of the multi-part operation objects. Included by psa/crypto.h, which names the types.
 *
 * Each is the core's own state followed by the context of the driver at work. Contexts are
 * generated: as large as the drivers need that this configuration binds. All bits zero is an
 * inactive operation. Nothing in it points into it, so an application may move it between calls.
 * Each begins with its algorithm, by which the wall tells whether it is inactive.
 */
#ifndef CORRAL_OPERATIONS_H
#define CORRAL_OPERATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <psa/crypto_families.h>

#include <corral/bindings.h>
#include <corral/contexts/aead.h>
#include <corral/contexts/cipher.h>
#include <corral/contexts/hash.h>
#include <corral/contexts/key_derivation.h>
#include <corral/contexts/mac.h>
#include <corral/contexts/pake.h>
#include <corral/contexts/xof.h>

/* `alg` of an operation that failed and waits for its abort; of no algorithm's form. */
#define CORRAL_OPERATION_FAILED CORRAL_CAST(psa_algorithm_t, 0xffffffff)

/* Distinguishes keys that have used the same identifier, one after another: core/keys/key.h. */
#define CORRAL_KEY_NUMBER_WORDS (CORRAL_PERSISTENT_KEYS && CORRAL_SEALED_STORAGE ? 2 : 1)
struct corral_key_number {
    /* One more for the owner: core/keys/owner.h. */
    uint32_t words[CORRAL_KEY_NUMBER_WORDS + (CORRAL_WALL ? 1 : 0)];
};

/*
 * The one key that an operation was set up with. Each call looks it up again, so that destroying it
 * ends the operation; another key under its identifier does so, too.
 */
struct corral_bound_key {
    psa_key_id_t id;
    struct corral_key_number number;
};

struct psa_hash_operation_s {
    psa_algorithm_t alg; /* PSA_ALG_NONE: inactive */
    corral_hash_context_t context;
};

struct psa_xof_operation_s {
    psa_algorithm_t alg; /* PSA_ALG_NONE: inactive */
    uint8_t phase;       /* begun, absorbing or squeezing: core/operations/xof.c */
    corral_xof_context_t context;
};

struct psa_mac_operation_s {
    psa_algorithm_t alg; /* PSA_ALG_NONE: inactive */
    struct corral_bound_key key;
    uint8_t mac_length; /* bytes, as truncated */
    bool is_sign;
    corral_mac_context_t context;
};

/* Input that waits for more: of a block a part, or all; with XTS less than two blocks. */
#define CORRAL_PENDING_MAX_SIZE                                                                    \
    (CORRAL_WANT_ALG_XTS ? 2 * CORRAL_BLOCK_MAX_SIZE - 1 : CORRAL_BLOCK_MAX_SIZE)

struct psa_cipher_operation_s {
    psa_algorithm_t alg; /* PSA_ALG_NONE: inactive */
    struct corral_bound_key key;
    uint8_t block_length;   /* 1 for a stream */
    uint8_t iv_length;      /* 0 for a mode without IV */
    uint8_t pending_length; /* bytes of `pending` in use */
    bool is_encrypt;
    bool iv_is_set;
    uint8_t pending[CORRAL_PENDING_MAX_SIZE];
    corral_cipher_context_t context;
};

/* Room for copies of a secret and another one, behind the other inputs. */
#define CORRAL_DERIVATION_COPIES_SIZE (CORRAL_LENIENT_DESTROY ? 2 * CORRAL_RAW_KEY_MAX_SIZE : 0)

/* The inputs of a derivation so far; indices are positions among the algorithm's steps. */
struct corral_derivation_inputs {
    uint32_t cost;
    uint16_t offset[4];
    uint16_t length[4];
    uint16_t used;
    uint8_t bytes[CORRAL_DERIVATION_INPUT_MAX_SIZE + CORRAL_DERIVATION_COPIES_SIZE];
};

struct psa_key_derivation_operation_s {
    psa_algorithm_t alg;             /* PSA_ALG_NONE: inactive */
    size_t capacity;                 /* bytes left */
    struct corral_bound_key keys[2]; /* the secret, the other secret if they are keys */
    uint8_t given;                   /* a bit for each position */
    bool is_reading;                 /* the inputs have become the context */
    bool gives_keys;                 /* the secret came from a key or an agreement */
    bool is_verified_only;           /* a key among the inputs permits no more */
    union {
        struct corral_derivation_inputs inputs;
        corral_key_derivation_context_t context;
    } as;
};

/* Bytes of a context that a message signed in parts can have: kept until the signature is made. */
#define CORRAL_IN_PARTS_WITH_CONTEXT(alg)                                                          \
    (PSA_ALG_IS_SIGN_HASH(alg) && PSA_ALG_SIGN_SUPPORTS_CONTEXT(alg))
#define CORRAL_SIGN_CONTEXT_MAX_SIZE (CORRAL_ANY_ALG(CORRAL_IN_PARTS_WITH_CONTEXT) ? 255 : 1)

/* The common part of signing and of verifying a message in parts. */
struct corral_signature_in_parts {
    psa_algorithm_t alg; /* PSA_ALG_NONE: inactive */
    struct corral_bound_key key;
    bool is_begun; /* too late for a context */
    uint8_t context_length;
    uint8_t context[CORRAL_SIGN_CONTEXT_MAX_SIZE];
    corral_hash_context_t hash;
};

struct psa_sign_operation_s {
    struct corral_signature_in_parts part;
};

struct psa_verify_operation_s {
    struct corral_signature_in_parts part;
    uint16_t signature_length;
    uint8_t signature[PSA_SIGNATURE_MAX_SIZE];
};

struct psa_aead_operation_s {
    psa_algorithm_t alg; /* PSA_ALG_NONE: inactive */
    struct corral_bound_key key;
    size_t ad_left; /* bytes still to come if announced, otherwise the algorithm's bound */
    size_t text_left;
    bool is_encrypt;
    bool has_lengths; /* announced by psa_aead_set_lengths() */
    bool has_nonce;
    bool has_text; /* psa_aead_update() was called: no more additional data */
    corral_aead_context_t context;
};

/* Room for the password of J-PAKE, behind the identities. */
#define CORRAL_PAKE_PASSWORD_SIZE (CORRAL_LENIENT_DESTROY ? CORRAL_RAW_KEY_MAX_SIZE : 0)

struct psa_pake_operation_s {
    psa_algorithm_t alg;            /* PSA_ALG_NONE: inactive */
    psa_pake_primitive_t primitive; /* that the key and the driver were asked for */
    struct corral_bound_key key;
    psa_pake_role_t role; /* PSA_PAKE_ROLE_NONE: not said, or none */
    uint8_t given;        /* a bit for the role and each identity: core/pake/operation.h */
    uint8_t sent;         /* outputs so far, and inputs: core/pake/steps.c */
    uint8_t received;
    uint16_t length[3]; /* of user, peer and context; of J-PAKE's password in place of that */
    uint16_t offset[3];
    uint16_t used;
    uint8_t identities[CORRAL_PAKE_IDENTITY_MAX_SIZE + CORRAL_PAKE_PASSWORD_SIZE];
    corral_pake_context_t context;
};

#endif
