/* SPDX-License-Identifier: Apache-2.0 */
/* Derivations that only give a password token of WPA3-SAE, by any driver. */
#include <string.h>

#include "../../harness/harness.h"
#include "../../harness/scan.h"
#include "residue.h"
#include "subject.h"

/* Type of a row: of the password. */
SUBJECT_KIND(token, "");

#define TYPE PSA_KEY_TYPE_WPA3_SAE_ECC(PSA_ECC_FAMILY_SECP_R1)
#define PASSWORD_SIZE 40u
#define MAX_TOKEN 132u
/* Inputs that may differ: SSID, password, identifier. */
#define INPUTS 3u

/* The curve that goes with the hash. */
static size_t bits_of(const struct subject_row *row)
{
    const psa_algorithm_t hash = PSA_ALG_GET_HASH(row->alg);

    return hash == PSA_ALG_SHA_256 ? 256 : hash == PSA_ALG_SHA_384 ? 384 : 521;
}

/* Derive and export a token; `changed` is the position of an input that is another. */
static size_t derive(const struct subject_row *row, psa_key_id_t password, unsigned changed,
                     uint8_t token[MAX_TOKEN])
{
    const psa_key_attributes_t attributes =
        test_attributes(TYPE, bits_of(row), PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_key_derivation_operation_t moved;
    const uint8_t ssid = changed == 0 ? 's' : 'S';
    const uint8_t identifier = changed == 2 ? 'i' : 'I';
    size_t length;
    psa_key_id_t key;

    NEED(psa_key_derivation_setup(&operation, row->alg));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SALT, &ssid, 1));
    NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_PASSWORD, password));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, &identifier, 1));
    memcpy(&moved, &operation, sizeof moved);
    memset(&operation, 0xdd, sizeof operation);
    NEED(psa_key_derivation_output_key(&attributes, &moved, &key));
    NEED(psa_key_derivation_abort(&moved));
    NEED(psa_export_key(key, token, MAX_TOKEN, &length));
    NEED(psa_destroy_key(key));
    return length;
}

static psa_key_id_t password_of(const struct subject_row *row, uint8_t seed)
{
    uint8_t data[PASSWORD_SIZE];

    test_fill(data, sizeof data, seed);
    return subject_key(row, PSA_KEY_USAGE_DERIVE, data, sizeof data);
}

static void check_inputs(const struct subject_row *row)
{
    const psa_key_id_t password = password_of(row, 21);
    const psa_key_id_t another = password_of(row, 22);
    uint8_t tokens[2][MAX_TOKEN];

    const size_t length = derive(row, password, INPUTS, tokens[0]);
    CHECK(length == 2 * ((bits_of(row) + 7) / 8));
    CHECK(derive(row, password, INPUTS, tokens[1]) == length);
    CHECK_BYTES(tokens[1], length, tokens[0], length);
    for (unsigned i = 0; i < INPUTS; i++) {
        test_context("input", i);
        CHECK(derive(row, i == 1 ? another : password, i, tokens[1]) == length);
        CHECK(memcmp(tokens[0], tokens[1], length) != 0);
    }
}

SUBJECT_TEST(token__every_input__counts)
{
    subject_for_each(&subject_token, check_inputs);
}

static void check_wiped(const struct subject_row *row)
{
    uint8_t *const data = test_buffer(PASSWORD_SIZE);
    uint8_t *const token = test_buffer(MAX_TOKEN);

    NEED(psa_generate_random(data, PASSWORD_SIZE));
    const psa_key_id_t password = subject_key(row, PSA_KEY_USAGE_DERIVE, data, PASSWORD_SIZE);
    const size_t length = derive(row, password, INPUTS, token);
    NEED(psa_destroy_key(password));
    CHECK(!test_memory_holds(data, PASSWORD_SIZE));
    CHECK(!test_memory_holds(token, length));
}

SECRET_TEST(token__keys_destroyed__leave_no_byte)
{
    residue_for_each(&subject_token, check_wiped);
}
