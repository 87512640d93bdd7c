/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of rows.tsv, and how each function that they name is called. */
#ifndef TEST_STATUS_CALL_H
#define TEST_STATUS_CALL_H

#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

/* As many bytes as belong there. */
#define FITTING SIZE_MAX

struct status_row {
    const char *function;
    psa_key_type_t key_type; /* of the key that is used; PSA_KEY_TYPE_NONE: there is none */
    const uint8_t *key_data;
    size_t key_size;
    psa_algorithm_t policy;
    psa_key_usage_t usage; /* 0: the usage that the function needs */
    psa_algorithm_t alg;
    psa_key_type_t type; /* of a key that the call makes, and its size */
    size_t bits;
    size_t length; /* of a hash, a label, an identity, a proof; FITTING */
    psa_pake_primitive_t primitive;
    uint32_t confirmation;
    psa_status_t status;
};

struct status_call {
    const char *function;
    psa_key_usage_t usage; /* that the key has to permit */
    /* Leaves nothing but what the harness removes; failures on the way to the call end the test. */
    psa_status_t (*run)(const struct status_row *row, psa_key_id_t key);
};

extern const struct status_call status_calls[];
extern const size_t status_call_count;

/* How a function is called; NULL if calls.c does not know. */
const struct status_call *status_call_of(const char *function);

/* Numbers below the order of P-256, and a point: w0 and w1, w0 and L. */
extern const uint8_t spake2p_pair[64];
extern const uint8_t spake2p_public[97];

/* Tests the statement of a row. */
void status_check(const struct status_row *row);

#endif
