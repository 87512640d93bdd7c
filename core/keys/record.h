/* SPDX-License-Identifier: Apache-2.0 */
/* Persistent keys as the storage holds them. */
#ifndef CORRAL_CORE_KEYS_RECORD_H
#define CORRAL_CORE_KEYS_RECORD_H

#include "../common/owner.h"
#include "key.h"

/* How far a key in an element has come. A key in local memory is always READY. */
enum corral_key_stage {
    CORRAL_STAGE_READY = 1,
    CORRAL_STAGE_CREATING,   /* the element was promised a key: it may have one by now */
    CORRAL_STAGE_DESTROYING, /* the element was asked to give it up: it may have done so */
};

/* The largest key data of all pools. */
#define CORRAL_RECORD_LARGER(a, b) ((a) > (b) ? (a) : (b))
#define CORRAL_KEY_RECORD_DATA                                                                     \
    CORRAL_RECORD_LARGER(                                                                          \
        CORRAL_RECORD_LARGER(CORRAL_SINGLE_KEY_MAX_SIZE, CORRAL_PROTECTED_KEY_MAX_SIZE),           \
        CORRAL_PAIR_PRIVATE_MAX_SIZE + CORRAL_PUBLIC_KEY_MAX_SIZE)

/* A record as read; `data` are the key's bytes, and of a pair the public key behind them. */
struct corral_key_record {
    psa_key_attributes_t attributes;
    struct corral_key_number number; /* as in a slot: core/keys/pool.h */
    uint16_t length;
    uint8_t public_length;
    uint8_t stage; /* enum corral_key_stage */
    uint8_t data[CORRAL_KEY_RECORD_DATA + 1];
};

/*
 * Read the record of key `id` of the caller. The caller wipes it.
 *   PSA_ERROR_DOES_NOT_EXIST  there is none
 *   PSA_ERROR_DATA_INVALID    another version or kind of protection, or a key that this build
 *                             cannot hold. In clear also a length that does not fit the type and
 *                             size, and a local key at another stage.
 *   PSA_ERROR_DATA_CORRUPT    damaged, or not sealed by this device
 *   PSA_ERROR_STORAGE_FAILURE the medium failed
 */
psa_status_t corral_key_record_read(psa_key_id_t id, struct corral_key_record *record);

/*
 * Write the record of a key in a slot, whose attributes name it. If records are sealed,
 * the slot's number includes the seal.
 *   PSA_ERROR_INSUFFICIENT_STORAGE, PSA_ERROR_STORAGE_FAILURE  as it was before
 */
psa_status_t corral_key_record_write(struct corral_key *key, enum corral_key_stage stage);

/* Write a record again that has been read, at another stage. There is always room for that. */
psa_status_t corral_key_record_mark(struct corral_key_record *record, enum corral_key_stage stage);

/* Remove the record; no error if there is none. */
psa_status_t corral_key_record_remove(psa_key_id_t id);

/*
 * The next higher identifier that has a record, of this program's own keys; begin with 0.
 * PSA_ERROR_DOES_NOT_EXIST: none.
 */
psa_status_t corral_key_record_next(psa_key_id_t *id);

/* The same of the keys of clients: with whose it is, in the order of owners; begin with 0 and 0. */
psa_status_t corral_key_record_next_of_clients(corral_owner_t *owner, psa_key_id_t *id);

#endif
