/* SPDX-License-Identifier: Apache-2.0 */
/* Common functions of the families of mechanisms, and the functions that main() calls in each. */
#ifndef ZOO_H
#define ZOO_H

#include "report.h"

#define DIGEST_SIZE PSA_HASH_LENGTH(PSA_ALG_SHA_256)

/* The input comes in pieces of this size; nothing keeps all of it. */
#define PIECE_SIZE 256

/* Go to the start of the input. false: recorded in the item. */
bool input_begin(struct item *item);

/* Read the next piece. false: the input has ended, or cannot be read, which the item records. */
bool input_next(struct item *item, uint8_t piece[PIECE_SIZE], size_t *length);

/* Hash the whole input. false: recorded in the item. */
bool hash_input(struct item *item, psa_algorithm_t alg, uint8_t *hash, size_t hash_size,
                size_t *hash_length);

/* Attributes of a volatile key at `place`. */
psa_key_attributes_t attributes_at(const struct place *place, psa_key_type_t type, size_t bits,
                                   psa_algorithm_t alg, psa_key_usage_t usage);

/* Fill `data` with `size` random bytes and import them as a key. false: recorded in the item. */
bool import_random(struct item *item, const psa_key_attributes_t *attributes, uint8_t *data,
                   size_t size, psa_key_id_t *key);

/* Destroy the key; the item records what goes wrong. */
void destroy(struct item *item, psa_key_id_t key);

/* One line for each mechanism. Where keys play no part there is only the local place. */
void show_hashes(const struct place *local);
void show_random(const struct place *local);
void show_macs(const struct place *place);
void show_ciphers(const struct place *place);
void show_signatures(const struct place *place);
void show_agreements(const struct place *place);

#endif
