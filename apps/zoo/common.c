/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/board.h>

#include "zoo.h"

bool input_begin(struct item *item)
{
    return item_ok(item, "corral_board_input_rewind",
                   corral_board_input_rewind() ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE);
}

bool input_next(struct item *item, uint8_t piece[PIECE_SIZE], size_t *length)
{
    const bool is_read = corral_board_input_read(piece, PIECE_SIZE, length);

    return item_ok(item, "corral_board_input_read",
                   is_read ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE) &&
           *length > 0;
}

bool hash_input(struct item *item, psa_algorithm_t alg, uint8_t *hash, size_t hash_size,
                size_t *hash_length)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    uint8_t piece[PIECE_SIZE];
    size_t length;

    if (!input_begin(item) || !item_ok(item, "psa_hash_setup", psa_hash_setup(&operation, alg))) {
        return false;
    }
    while (input_next(item, piece, &length) &&
           item_ok(item, "psa_hash_update", psa_hash_update(&operation, piece, length))) {
    }
    if (item->status == PSA_SUCCESS) {
        item_ok(item, "psa_hash_finish", psa_hash_finish(&operation, hash, hash_size, hash_length));
    }
    psa_hash_abort(&operation);
    return item->status == PSA_SUCCESS;
}

psa_key_attributes_t attributes_at(const struct place *place, psa_key_type_t type, size_t bits,
                                   psa_algorithm_t alg, psa_key_usage_t usage)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_bits(&attributes, bits);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, usage);
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, place->location));
    return attributes;
}

bool import_random(struct item *item, const psa_key_attributes_t *attributes, uint8_t *data,
                   size_t size, psa_key_id_t *key)
{
    return item_ok(item, "psa_generate_random", psa_generate_random(data, size)) &&
           item_ok(item, "psa_import_key", psa_import_key(attributes, data, size, key));
}

void destroy(struct item *item, psa_key_id_t key)
{
    item_ok(item, "psa_destroy_key", psa_destroy_key(key));
}
