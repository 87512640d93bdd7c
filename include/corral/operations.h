/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The members of the multi-part operation objects. Included by psa/crypto.h, which names the types.
 *
 * Each is the core's own state followed by the context of the driver at work. Contexts are
 * generated: as large as the drivers need that this configuration binds. All bits zero is an
 * inactive operation. There is no pointer in it, so an application may move it between calls.
 */
#ifndef CORRAL_OPERATIONS_H
#define CORRAL_OPERATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <corral/bindings.h>
#include <corral/contexts/aead.h>
#include <corral/contexts/cipher.h>
#include <corral/contexts/hash.h>
#include <corral/contexts/mac.h>

/* `alg` of an operation that failed and waits for its abort; of no algorithm's form. */
#define CORRAL_OPERATION_FAILED ((psa_algorithm_t)0xffffffff)

struct psa_hash_operation_s {
    psa_algorithm_t alg; /* PSA_ALG_NONE: inactive */
    corral_hash_context_t context;
};

struct psa_mac_operation_s {
    psa_algorithm_t alg; /* PSA_ALG_NONE: inactive */
    psa_key_id_t key;    /* looked up again by each call: destroying the key ends the operation */
    uint8_t mac_length;  /* bytes, as truncated */
    bool is_sign;
    corral_mac_context_t context;
};

struct psa_cipher_operation_s {
    psa_algorithm_t alg;  /* PSA_ALG_NONE: inactive */
    psa_key_id_t key;     /* looked up again by each call: destroying the key ends the operation */
    uint8_t block_length; /* 1 for a stream */
    uint8_t iv_length;    /* 0 for a mode without IV */
    uint8_t pending_length; /* bytes of `pending` in use */
    bool is_encrypt;
    bool iv_is_set;
    uint8_t pending[CORRAL_BLOCK_MAX_SIZE]; /* input that does not fill a block yet */
    corral_cipher_context_t context;
};

struct psa_aead_operation_s {
    psa_algorithm_t alg; /* PSA_ALG_NONE: inactive */
    psa_key_id_t key;    /* looked up again by each call: destroying the key ends the operation */
    size_t ad_left;      /* bytes still to come if announced, otherwise the algorithm's bound */
    size_t text_left;
    bool is_encrypt;
    bool has_lengths; /* announced by psa_aead_set_lengths() */
    bool has_nonce;
    bool has_text; /* psa_aead_update() was called: no more additional data */
    corral_aead_context_t context;
};

/* Families that no driver of this version serves: the type exists, its functions do not. */
struct psa_xof_operation_s {
    uint8_t unused;
};
struct psa_key_derivation_operation_s {
    uint8_t unused;
};
struct psa_sign_operation_s {
    uint8_t unused;
};
struct psa_verify_operation_s {
    uint8_t unused;
};
struct psa_pake_operation_s {
    uint8_t unused;
};

#endif
