/* SPDX-License-Identifier: Apache-2.0 */
/* Attacks on valid signatures of LMS and HSS: each verified byte counts. */
#include <string.h>

#include "keys.h"
#include "rows.h"

/* Each byte where it takes little, and on an emulated board a few of them. */
#define STEP (SIZE_MAX > UINT32_MAX ? 1u : 97u)
#define SIGNATURE_MAX 3000u
#define KEY_MAX 60u

static uint8_t signature[SIGNATURE_MAX];
static uint8_t message[TREE_MESSAGE_SIZE];

static psa_status_t verify(const struct tree_row *row, psa_key_id_t key, size_t message_size,
                           size_t size)
{
    return psa_verify_message(key, row->alg, message, message_size, signature, size);
}

static psa_key_id_t begin(const struct tree_row *row)
{
    memcpy(message, tree_message, sizeof message);
    memcpy(signature, row->signature, row->signature_size);
    const psa_key_id_t key = test_import(row->type, row->alg, VERIFY, row->key, row->key_size);
    EXPECT(PSA_SUCCESS, verify(row, key, sizeof message, row->signature_size));
    return key;
}

/* It was the changes that made the others wrong. */
static void end(const struct tree_row *row, psa_key_id_t key)
{
    EXPECT(PSA_SUCCESS, verify(row, key, sizeof message, row->signature_size));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

static void verify__signature_with_a_changed_byte__is_invalid(void)
{
    for (size_t r = 0; r < TREE_ROWS; r++) {
        const struct tree_row *const row = &tree_rows[r];
        const psa_key_id_t key = begin(row);
        for (size_t i = 0; i < row->signature_size; i += STEP) {
            const uint8_t bit = (uint8_t)(1u << i % 8);
            signature[i] ^= bit;
            EXPECT(PSA_ERROR_INVALID_SIGNATURE,
                   verify(row, key, sizeof message, row->signature_size));
            signature[i] ^= bit;
        }
        end(row, key);
    }
}

static void verify__message_with_a_changed_byte__is_invalid(void)
{
    for (size_t r = 0; r < TREE_ROWS; r++) {
        const struct tree_row *const row = &tree_rows[r];
        const psa_key_id_t key = begin(row);
        for (size_t i = 0; i < sizeof message; i++) {
            message[i] ^= 0x80;
            EXPECT(PSA_ERROR_INVALID_SIGNATURE,
                   verify(row, key, sizeof message, row->signature_size));
            message[i] ^= 0x80;
        }
        for (size_t size = 0; size < sizeof message; size++) {
            EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(row, key, size, row->signature_size));
        }
        end(row, key);
    }
}

/* A changed key is none, or none of which this is a signature. */
static void verify__key_with_a_changed_byte__is_invalid(void)
{
    for (size_t r = 0; r < TREE_ROWS; r++) {
        const struct tree_row *const row = &tree_rows[r];
        const psa_key_id_t right = begin(row);
        for (size_t i = 0; i < row->key_size; i++) {
            psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
            psa_key_id_t key = PSA_KEY_ID_NULL;
            uint8_t data[KEY_MAX];
            memcpy(data, row->key, row->key_size);
            data[i] ^= 1;
            psa_set_key_type(&attributes, row->type);
            psa_set_key_algorithm(&attributes, row->alg);
            psa_set_key_usage_flags(&attributes, VERIFY);
            if (psa_import_key(&attributes, data, row->key_size, &key) == PSA_SUCCESS) {
                EXPECT(PSA_ERROR_INVALID_SIGNATURE,
                       verify(row, key, sizeof message, row->signature_size));
            }
            EXPECT(PSA_SUCCESS, psa_destroy_key(key));
        }
        end(row, right);
    }
}

/* In a buffer of exactly that size: reading beyond it is found. */
static void verify__signature_of_another_length__is_invalid(void)
{
    for (size_t r = 0; r < TREE_ROWS; r++) {
        const struct tree_row *const row = &tree_rows[r];
        const psa_key_id_t key = begin(row);
        for (size_t size = 0; size < sizeof signature; size += (size < 64 ? 1 : STEP)) {
            if (size != row->signature_size) {
                const uint8_t *const given = test_copy(signature, size);
                EXPECT(PSA_ERROR_INVALID_SIGNATURE,
                       psa_verify_message(key, row->alg, message, sizeof message, given, size));
                test_free_buffers();
            }
        }
        end(row, key);
    }
}

static const struct test_case tests[] = {
    TEST(verify__signature_with_a_changed_byte__is_invalid),
    TEST(verify__message_with_a_changed_byte__is_invalid),
    TEST(verify__key_with_a_changed_byte__is_invalid),
    TEST(verify__signature_of_another_length__is_invalid),
};

TEST_SUITE(tree_mutations, tests);
