/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../../harness/sae_hash.h"
#include "../../harness/scan.h"
#include "residue.h"
#include "subject.h"

/* Type and bits of a row: of the group, as a public key. */
SUBJECT_KIND(pake, "pake");

#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define MAX_PRIVATE 512u
#define MAX_PUBLIC 199u
#define MAX_MESSAGE 1024u
#define MAX_SECRET 133u
#define ADDRESS_SIZE 6u
#define SECRET_SIZE 40u

/* One way of a message: from the client or to it, and its step. */
struct message {
    bool is_clients;
    psa_pake_step_t step;
};

static const struct message jpake_messages[] = {
    {true, PSA_PAKE_STEP_KEY_SHARE},  {true, PSA_PAKE_STEP_ZK_PUBLIC},
    {true, PSA_PAKE_STEP_ZK_PROOF},   {true, PSA_PAKE_STEP_KEY_SHARE},
    {true, PSA_PAKE_STEP_ZK_PUBLIC},  {true, PSA_PAKE_STEP_ZK_PROOF},
    {false, PSA_PAKE_STEP_KEY_SHARE}, {false, PSA_PAKE_STEP_ZK_PUBLIC},
    {false, PSA_PAKE_STEP_ZK_PROOF},  {false, PSA_PAKE_STEP_KEY_SHARE},
    {false, PSA_PAKE_STEP_ZK_PUBLIC}, {false, PSA_PAKE_STEP_ZK_PROOF},
    {true, PSA_PAKE_STEP_KEY_SHARE},  {true, PSA_PAKE_STEP_ZK_PUBLIC},
    {true, PSA_PAKE_STEP_ZK_PROOF},   {false, PSA_PAKE_STEP_KEY_SHARE},
    {false, PSA_PAKE_STEP_ZK_PUBLIC}, {false, PSA_PAKE_STEP_ZK_PROOF}};
static const struct message spake2p_messages[] = {{true, PSA_PAKE_STEP_KEY_SHARE},
                                                  {false, PSA_PAKE_STEP_KEY_SHARE},
                                                  {false, PSA_PAKE_STEP_CONFIRM},
                                                  {true, PSA_PAKE_STEP_CONFIRM}};
static const struct message sae_messages[] = {{true, PSA_PAKE_STEP_COMMIT},
                                              {false, PSA_PAKE_STEP_COMMIT},
                                              {false, PSA_PAKE_STEP_CONFIRM},
                                              {true, PSA_PAKE_STEP_CONFIRM}};

static const struct message *messages_of(const struct subject_row *row, size_t *count)
{
    if (PSA_ALG_IS_JPAKE(row->alg)) {
        *count = sizeof jpake_messages / sizeof jpake_messages[0];
        return jpake_messages;
    }
    if (PSA_ALG_IS_WPA3_SAE(row->alg)) {
        *count = sizeof sae_messages / sizeof sae_messages[0];
        return sae_messages;
    }
    *count = sizeof spake2p_messages / sizeof spake2p_messages[0];
    return spake2p_messages;
}

static uint32_t primitive_of(const struct subject_row *row)
{
    if (PSA_KEY_TYPE_IS_DH(row->type)) {
        return PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_DH,
                                  (uint32_t)PSA_KEY_TYPE_DH_GET_FAMILY(row->type),
                                  (uint32_t)row->bits);
    }
    return PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC,
                              (uint32_t)PSA_KEY_TYPE_ECC_GET_FAMILY(row->type),
                              (uint32_t)row->bits);
}

/* A pair of SPAKE2+, derived from bytes. */
static psa_key_id_t derive_pair(const struct subject_row *row, const uint8_t *secret)
{
    const psa_key_id_t source =
        test_import(PSA_KEY_TYPE_DERIVE, HKDF, PSA_KEY_USAGE_DERIVE, secret, SECRET_SIZE);
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_SPAKE2P_KEY_PAIR(PSA_KEY_TYPE_ECC_GET_FAMILY(row->type)),
                        row->bits, row->alg, PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_EXPORT);
    psa_key_derivation_operation_t derivation = psa_key_derivation_operation_init();
    psa_key_id_t pair;

    NEED(psa_key_derivation_setup(&derivation, HKDF));
    NEED(psa_key_derivation_input_key(&derivation, PSA_KEY_DERIVATION_INPUT_SECRET, source));
    NEED(psa_key_derivation_input_bytes(&derivation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
    NEED(psa_key_derivation_output_key(&attributes, &derivation, &pair));
    NEED(psa_key_derivation_abort(&derivation));
    NEED(psa_destroy_key(source));
    return test_keep(pair);
}

/* The hash by which a password becomes a token of the group. */
static psa_algorithm_t token_hash(const struct subject_row *row)
{
    return sae_hash(PSA_KEY_TYPE_IS_DH(row->type), row->bits);
}

static psa_key_type_t token_type(const struct subject_row *row)
{
    return PSA_KEY_TYPE_IS_DH(row->type)
               ? PSA_KEY_TYPE_WPA3_SAE_DH(PSA_KEY_TYPE_DH_GET_FAMILY(row->type))
               : PSA_KEY_TYPE_WPA3_SAE_ECC(PSA_KEY_TYPE_ECC_GET_FAMILY(row->type));
}

/* A token of WPA3-SAE, or the password itself if the hash is only for looping. */
static psa_key_id_t derive_token(const struct subject_row *row, const uint8_t *secret)
{
    const psa_algorithm_t hash = token_hash(row);
    const psa_key_id_t password = test_import(PSA_KEY_TYPE_PASSWORD, PSA_ALG_WPA3_SAE_ANY,
                                              PSA_KEY_USAGE_DERIVE, secret, SECRET_SIZE);
    const psa_key_attributes_t attributes = test_attributes(
        token_type(row), row->bits, row->alg, PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_EXPORT);
    psa_key_derivation_operation_t derivation = psa_key_derivation_operation_init();
    psa_key_id_t token;

    if (PSA_ALG_GET_HASH(row->alg) != hash) {
        return password;
    }
    NEED(psa_key_derivation_setup(&derivation, PSA_ALG_WPA3_SAE_H2E(hash)));
    NEED(psa_key_derivation_input_bytes(&derivation, PSA_KEY_DERIVATION_INPUT_SALT,
                                        (const uint8_t *)"net", 3));
    NEED(psa_key_derivation_input_key(&derivation, PSA_KEY_DERIVATION_INPUT_PASSWORD, password));
    NEED(psa_key_derivation_output_key(&attributes, &derivation, &token));
    NEED(psa_key_derivation_abort(&derivation));
    NEED(psa_destroy_key(password));
    return test_keep(token);
}

static psa_key_id_t public_of(const struct subject_row *row, psa_key_id_t pair)
{
    uint8_t data[MAX_PUBLIC];
    size_t length;

    NEED(psa_export_public_key(pair, data, sizeof data, &length));
    return test_import(PSA_KEY_TYPE_SPAKE2P_PUBLIC_KEY(PSA_KEY_TYPE_ECC_GET_FAMILY(row->type)),
                       row->alg, PSA_KEY_USAGE_DERIVE, data, length);
}

/* The same token as another key; a password is one for both. */
static psa_key_id_t imported(const struct subject_row *row, psa_key_id_t token)
{
    uint8_t data[MAX_PRIVATE];
    psa_key_attributes_t attributes;
    size_t length;

    NEED(psa_get_key_attributes(token, &attributes));
    if (psa_get_key_type(&attributes) == PSA_KEY_TYPE_PASSWORD) {
        return token;
    }
    NEED(psa_export_key(token, data, sizeof data, &length));
    return test_import(token_type(row), row->alg, PSA_KEY_USAGE_DERIVE, data, length);
}

static psa_key_id_t key_of(const struct subject_row *row, const uint8_t *secret)
{
    if (PSA_ALG_IS_WPA3_SAE(row->alg)) {
        return derive_token(row, secret);
    }
    return PSA_ALG_IS_JPAKE(row->alg) ? test_import(PSA_KEY_TYPE_PASSWORD, row->alg,
                                                    PSA_KEY_USAGE_DERIVE, secret, SECRET_SIZE)
                                      : derive_pair(row, secret);
}

static psa_pake_operation_t side(const struct subject_row *row, psa_key_id_t key, bool is_client)
{
    psa_pake_cipher_suite_t suite = psa_pake_cipher_suite_init();
    psa_pake_operation_t operation = psa_pake_operation_init();
    const uint8_t names[2][ADDRESS_SIZE] = {{'c'}, {'s'}};
    const size_t length = PSA_ALG_IS_WPA3_SAE(row->alg) ? ADDRESS_SIZE : 1;

    psa_pake_cs_set_algorithm(&suite, row->alg);
    psa_pake_cs_set_primitive(&suite, primitive_of(row));
    psa_pake_cs_set_key_confirmation(&suite, PSA_ALG_IS_JPAKE(row->alg) ? PSA_PAKE_UNCONFIRMED_KEY
                                                                        : PSA_PAKE_CONFIRMED_KEY);
    NEED(psa_pake_setup(&operation, key, &suite));
    if (PSA_ALG_IS_SPAKE2P(row->alg)) {
        NEED(
            psa_pake_set_role(&operation, is_client ? PSA_PAKE_ROLE_CLIENT : PSA_PAKE_ROLE_SERVER));
    }
    NEED(psa_pake_set_user(&operation, names[is_client ? 0 : 1], length));
    NEED(psa_pake_set_peer(&operation, names[is_client ? 1 : 0], length));
    return operation;
}

/* The input of WPA3-SAE before a message: a salt for both, and a count for each confirmation. */
static void prepare(const struct subject_row *row, psa_pake_operation_t sides[2], size_t message)
{
    static const uint8_t count[2] = {1, 0};

    if (!PSA_ALG_IS_WPA3_SAE(row->alg) || message < 2) {
        return;
    }
    if (message == 2) {
        NEED(psa_pake_input(&sides[0], PSA_PAKE_STEP_SALT, NULL, 0));
        NEED(psa_pake_input(&sides[1], PSA_PAKE_STEP_SALT, NULL, 0));
    }
    NEED(psa_pake_input(&sides[sae_messages[message].is_clients ? 0 : 1],
                        PSA_PAKE_STEP_CONFIRM_COUNT, count, sizeof count));
}

/* Secrets for which the stack is searched after each step; a length of 0: there is none. */
struct secrets {
    const uint8_t *data[2];
    size_t length[2];
};

static void check_stack(const struct secrets *secrets)
{
    for (size_t i = 0; secrets != NULL && i < 2; i++) {
        CHECK(secrets->length[i] == 0 || !test_stack_holds(secrets->data[i], secrets->length[i]));
    }
}

/* All messages, from and to buffers of their size; the operations move between two of them. */
static void exchange(const struct subject_row *row, psa_pake_operation_t sides[2],
                     const struct secrets *secrets)
{
    size_t count;
    const struct message *const messages = messages_of(row, &count);

    for (size_t i = 0; i < count; i++) {
        const psa_pake_step_t step = messages[i].step;
        const size_t size = PSA_PAKE_OUTPUT_SIZE(row->alg, primitive_of(row), step);
        uint8_t *const value = test_buffer(size);
        psa_pake_operation_t moved;
        size_t length;

        prepare(row, sides, i);
        memcpy(&moved, &sides[messages[i].is_clients ? 0 : 1], sizeof moved);
        NEED(psa_pake_output(&moved, step, value, size, &length));
        residue_public(value, length);
        check_stack(secrets);
        memcpy(&sides[messages[i].is_clients ? 0 : 1], &moved, sizeof moved);
        NEED(psa_pake_input(&sides[messages[i].is_clients ? 1 : 0], step, test_copy(value, length),
                            length));
        check_stack(secrets);
        memset(&moved, 0xdd, sizeof moved);
    }
}

static size_t take(psa_pake_operation_t *operation, uint8_t secret[MAX_SECRET])
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_DERIVE, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key;
    size_t length;

    NEED(psa_pake_get_shared_key(operation, &attributes, &key));
    NEED(psa_export_key(key, secret, MAX_SECRET, &length));
    NEED(psa_destroy_key(key));
    return length;
}

/* The key of the second side: the registered half of a pair, the same token imported. */
static psa_key_id_t other_key(const struct subject_row *row, psa_key_id_t key)
{
    return PSA_ALG_IS_SPAKE2P(row->alg)    ? public_of(row, key)
           : PSA_ALG_IS_WPA3_SAE(row->alg) ? imported(row, key)
                                           : key;
}

static void check_agreement(const struct subject_row *row)
{
    uint8_t secret[SECRET_SIZE];
    uint8_t shared[2][MAX_SECRET];

    test_fill(secret, sizeof secret, 11);
    const psa_key_id_t key = key_of(row, secret);
    psa_pake_operation_t sides[2] = {side(row, key, true), side(row, other_key(row, key), false)};

    exchange(row, sides, NULL);
    const size_t length = take(&sides[0], shared[0]);
    CHECK(take(&sides[1], shared[1]) == length);
    CHECK_BYTES(shared[0], length, shared[1], length);
}

SUBJECT_TEST(pake__both_sides__get_the_same)
{
    subject_for_each(&subject_pake, check_agreement);
}

/*
 * A point whose last coordinate is another lies on no curve; a confirmation must be right.
 * Every other number is in a field's group, so there the scalar is an invalid one.
 */
static void forge(const struct subject_row *row, uint8_t *value, size_t length)
{
    if (PSA_KEY_TYPE_IS_DH(row->type)) {
        memset(value, 0xff, length / 2);
    }
    value[length - 1] ^= 1;
}

/*
 * An exchange up to message number `forged`, which is: not what the other side may take. The key of
 * the second side is `other`.
 */
static void exchange_forged(const struct subject_row *row, psa_key_id_t key, psa_key_id_t other,
                            size_t forged)
{
    size_t count;
    const struct message *const messages = messages_of(row, &count);
    psa_pake_operation_t sides[2] = {side(row, key, true), side(row, other, false)};

    for (size_t i = 0; i <= forged; i++) {
        psa_pake_operation_t *const from = &sides[messages[i].is_clients ? 0 : 1];
        psa_pake_operation_t *const to = &sides[messages[i].is_clients ? 1 : 0];
        uint8_t value[MAX_MESSAGE];
        size_t length;

        prepare(row, sides, i);
        NEED(psa_pake_output(from, messages[i].step, value, sizeof value, &length));
        residue_public(value, length);
        if (i == forged) {
            forge(row, value, length);
            residue_public(value, length);
        }
        const bool is_proof =
            messages[i].step == PSA_PAKE_STEP_ZK_PROOF || messages[i].step == PSA_PAKE_STEP_CONFIRM;
        EXPECT(i < forged ? PSA_SUCCESS
               : is_proof ? PSA_ERROR_INVALID_SIGNATURE
                          : PSA_ERROR_INVALID_ARGUMENT,
               psa_pake_input(to, messages[i].step, value, length));
    }
    EXPECT(PSA_SUCCESS, psa_pake_abort(&sides[0]));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&sides[1]));
}

static void check_forged(const struct subject_row *row)
{
    uint8_t secret[SECRET_SIZE];
    size_t count;

    (void)messages_of(row, &count);
    test_fill(secret, sizeof secret, 12);
    const psa_key_id_t key = key_of(row, secret);
    for (size_t forged = 0; forged < count && forged < 4; forged++) {
        exchange_forged(row, key, key, forged);
    }
}

SUBJECT_TEST(pake__forged__is_refused)
{
    subject_for_edges(&subject_pake, check_forged);
}

/* The first message, without the random numbers that it is made of. */
static void output_without_entropy(const struct subject_row *row, psa_key_id_t key)
{
    uint8_t value[MAX_MESSAGE] = {1};
    size_t length = 1;
    size_t count;
    const psa_pake_step_t first = messages_of(row, &count)[0].step;
    psa_pake_operation_t operation = side(row, key, true);

    test_entropy_mode(TEST_ENTROPY_ABSENT);
    const psa_status_t status = psa_pake_output(&operation, first, value, sizeof value, &length);
    test_entropy_mode(TEST_ENTROPY_GOOD);
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, status);
    CHECK(length == 0 && test_all(value, sizeof value, 0));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&operation));
}

static void check_entropy(const struct subject_row *row)
{
    uint8_t secret[SECRET_SIZE];

    test_fill(secret, sizeof secret, 13);
    output_without_entropy(row, key_of(row, secret));
}

SUBJECT_TEST(pake__no_entropy__gives_nothing)
{
    subject_for_edges(&subject_pake, check_entropy);
}

/* Exchanges that break off: at a wrong message of each kind, and for want of random numbers. */
static void check_failing(const struct subject_row *row, psa_key_id_t key, psa_key_id_t other)
{
    size_t count;

    (void)messages_of(row, &count);
    for (size_t forged = 0; forged < 4; forged++) {
        exchange_forged(row, key, other, forged);
    }
    if (count > 4) {
        exchange_forged(row, key, other, count - 1);
    }
    output_without_entropy(row, key);
}

/* Whether exchanges break off here, too: larger numbers and other curves go the same way there, for
   many times as long. Looping has none as small. */
static bool breaks_off(const struct subject_row *row)
{
    const psa_ecc_family_t family = PSA_KEY_TYPE_ECC_GET_FAMILY(row->type);
    const bool is_like_another =
        family == PSA_ECC_FAMILY_SECP_K1 || family == PSA_ECC_FAMILY_BRAINPOOL_P_R1;
    const bool is_looping =
        PSA_ALG_IS_WPA3_SAE(row->alg) && PSA_ALG_GET_HASH(row->alg) != token_hash(row);

    return (row->bits <= 256 && !is_like_another) || is_looping;
}

static void check_wiped(const struct subject_row *row)
{
    uint8_t *const secret = test_buffer(SECRET_SIZE);
    uint8_t *const shared = test_buffer(MAX_SECRET);
    uint8_t *const pair = test_buffer(MAX_PRIVATE);
    size_t pair_length = 0;
    psa_key_attributes_t attributes;

    NEED(psa_generate_random(secret, SECRET_SIZE));
    const psa_key_id_t key = key_of(row, secret);
    CHECK(!test_stack_holds(secret, SECRET_SIZE));
    NEED(psa_get_key_attributes(key, &attributes));
    if (psa_get_key_type(&attributes) != PSA_KEY_TYPE_PASSWORD) {
        NEED(psa_export_key(key, pair, MAX_PRIVATE, &pair_length));
    }
    const psa_key_id_t other = other_key(row, key);
    psa_pake_operation_t sides[2] = {side(row, key, true), side(row, other, false)};
    const struct secrets secrets = {{secret, pair}, {SECRET_SIZE, pair_length}};
    exchange(row, sides, &secrets);
    const size_t length = take(&sides[0], shared);
    CHECK(!test_stack_holds(shared, length));
    check_stack(&secrets);
    EXPECT(PSA_SUCCESS, psa_pake_abort(&sides[1]));
    if (breaks_off(row)) {
        check_failing(row, key, other);
    }
    check_stack(&secrets);
    NEED(psa_destroy_key(key));
    if (other != key) {
        NEED(psa_destroy_key(other));
    }
    CHECK(!test_memory_holds(secret, SECRET_SIZE));
    CHECK(!test_memory_holds(shared, length));
    CHECK(pair_length == 0 || !test_memory_holds(pair, pair_length));
}

SECRET_TEST(pake__keys_destroyed__leave_no_byte)
{
    residue_for_each(&subject_pake, check_wiped);
}
