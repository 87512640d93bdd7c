/* SPDX-License-Identifier: Apache-2.0 */
/* WPA3-SAE from both sides. */
#ifndef SAE_TEST_H
#define SAE_TEST_H

#include "../../harness/sae_hash.h"
#include "pake_test.h"
#include "sae_rows.h"

#define FIXED PSA_ALG_WPA3_SAE_FIXED(PSA_ALG_SHA_256)
#define GDH PSA_ALG_WPA3_SAE_GDH(PSA_ALG_SHA_256)
#define H2E PSA_ALG_WPA3_SAE_H2E(PSA_ALG_SHA_256)
#define ANY PSA_ALG_WPA3_SAE_ANY
#define TOKEN_TYPE PSA_KEY_TYPE_WPA3_SAE_ECC(PSA_ECC_FAMILY_SECP_R1)
#define NAME(text) ((const uint8_t *)(text)), (sizeof(text) - 1)
#define COMMIT PSA_PAKE_STEP_COMMIT
#define SALT PSA_PAKE_STEP_SALT
#define COUNT PSA_PAKE_STEP_CONFIRM_COUNT
#define CONFIRM PSA_PAKE_STEP_CONFIRM
#define KEY_ID PSA_PAKE_STEP_KEY_ID
#define MAC_SIZE 6u
#define KEY_ID_SIZE 16u
#define TOKEN_SIZE 64u   /* on P-256 */
#define COMMIT_SIZE 96u  /* on P-256 */
#define CONFIRM_SIZE 34u /* with SHA-256 */
/* The largest of any group: a scalar and an element modulo a prime of 4096 bits. */
#define MAX_COMMIT 1024u
#define MAX_TOKEN 512u
#define MAX_CONFIRM 66u

#define CURVE(bits)                                                                                \
    PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, (uint32_t)PSA_ECC_FAMILY_SECP_R1, bits)

/* The kind of an exchange: the key's type determines whether it loops. */
struct sae_kind {
    psa_algorithm_t alg;
    psa_pake_primitive_t primitive;
};

#define FIXED_ON_P256 ((const struct sae_kind){FIXED, CURVE(256u)})

/* The addresses of both sides: the first is the larger one. */
static const uint8_t sae_macs[2][MAC_SIZE] = {{0xfe, 1, 2, 3, 4, 5},
                                              {2, 0xff, 0xfe, 0xfd, 0xfc, 0}};

static inline psa_key_id_t sae_password(psa_algorithm_t alg, const char *text)
{
    return test_import(PSA_KEY_TYPE_PASSWORD, alg, PSA_KEY_USAGE_DERIVE, (const uint8_t *)text,
                       strlen(text));
}

/* A derivation that has all its inputs; an identifier of no bytes is left out. */
static inline psa_key_derivation_operation_t sae_derivation(psa_key_id_t password,
                                                            psa_algorithm_t alg,
                                                            const struct sae_bytes *ssid,
                                                            const struct sae_bytes *identifier)
{
    psa_key_derivation_operation_t derivation = psa_key_derivation_operation_init();

    NEED(psa_key_derivation_setup(&derivation, alg));
    NEED(psa_key_derivation_input_bytes(&derivation, PSA_KEY_DERIVATION_INPUT_SALT,
                                        test_copy(ssid->data, ssid->length), ssid->length));
    NEED(psa_key_derivation_input_key(&derivation, PSA_KEY_DERIVATION_INPUT_PASSWORD, password));
    if (identifier->length > 0) {
        NEED(psa_key_derivation_input_bytes(&derivation, PSA_KEY_DERIVATION_INPUT_INFO,
                                            test_copy(identifier->data, identifier->length),
                                            identifier->length));
    }
    return derivation;
}

/* The token of a password, which is destroyed. */
static inline psa_key_id_t sae_token_of(const struct sae_token *row, psa_algorithm_t hash,
                                        psa_algorithm_t policy)
{
    const psa_algorithm_t alg = PSA_ALG_WPA3_SAE_H2E(hash);
    const psa_key_id_t password = test_import(PSA_KEY_TYPE_PASSWORD, alg, PSA_KEY_USAGE_DERIVE,
                                              row->password.data, row->password.length);
    const psa_key_attributes_t attributes =
        test_attributes(row->type, row->bits, policy, PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_EXPORT);
    psa_key_derivation_operation_t derivation =
        sae_derivation(password, alg, &row->ssid, &row->identifier);
    psa_key_id_t token;

    NEED(psa_key_derivation_output_key(&attributes, &derivation, &token));
    NEED(psa_key_derivation_abort(&derivation));
    NEED(psa_destroy_key(password));
    return test_keep(token);
}

/* The key that an exchange works with: a password for looping, else a token, by importing it. */
static inline psa_key_id_t sae_key_of(const struct sae_token *row, psa_algorithm_t alg)
{
    const bool is_looping = row->token.length == 0;
    const struct sae_bytes *const data = is_looping ? &row->password : &row->token;

    return test_import(is_looping ? PSA_KEY_TYPE_PASSWORD : row->type, alg, PSA_KEY_USAGE_DERIVE,
                       data->data, data->length);
}

/* The first token, which is on P-256. */
static inline psa_key_id_t sae_token(psa_algorithm_t policy)
{
    return test_import(TOKEN_TYPE, policy, PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_EXPORT,
                       sae_tokens[0].token.data, TOKEN_SIZE);
}

static inline psa_pake_cipher_suite_t sae_suite(const struct sae_kind *kind)
{
    return suite_of(kind->alg, kind->primitive, PSA_PAKE_CONFIRMED_KEY);
}

/* An operation without addresses. */
static inline psa_pake_operation_t sae_bare(psa_key_id_t key, const struct sae_kind *kind)
{
    const psa_pake_cipher_suite_t suite = sae_suite(kind);
    psa_pake_operation_t operation = psa_pake_operation_init();

    NEED(psa_pake_setup(&operation, key, &suite));
    return operation;
}

static inline psa_pake_operation_t sae_named(psa_key_id_t key, const struct sae_kind *kind,
                                             const uint8_t *mine, const uint8_t *peers)
{
    psa_pake_operation_t operation = sae_bare(key, kind);

    NEED(psa_pake_set_user(&operation, mine, MAC_SIZE));
    NEED(psa_pake_set_peer(&operation, peers, MAC_SIZE));
    return operation;
}

/* One of two sides. */
static inline psa_pake_operation_t sae_side(psa_key_id_t key, const struct sae_kind *kind,
                                            unsigned which)
{
    return sae_named(key, kind, sae_macs[which], sae_macs[1 - which]);
}

/* Stages of an exchange between two sides, each with the one before it. */
enum sae_stage {
    SAE_NOTHING,
    SAE_FIRST_COMMITTED,  /* its commit is with the second */
    SAE_BOTH_COMMITTED,   /* the second's is with the first */
    SAE_SALTED,           /* no group was rejected */
    SAE_FIRST_CONFIRMED,  /* the second has proof of the first */
    SAE_SECOND_CONFIRMED, /* and the first of the second */
};

/* A confirmation with this count, from one side to the other. */
static inline void sae_confirm(psa_pake_operation_t *from, psa_pake_operation_t *to, unsigned count)
{
    const uint8_t data[2] = {(uint8_t)count, (uint8_t)(count >> 8)};

    NEED(psa_pake_input(from, COUNT, data, sizeof data));
    pass(from, to, CONFIRM);
}

static inline void sae_run(psa_pake_operation_t *first, psa_pake_operation_t *second,
                           enum sae_stage stage)
{
    if (stage >= SAE_FIRST_COMMITTED) {
        pass(first, second, COMMIT);
    }
    if (stage >= SAE_BOTH_COMMITTED) {
        pass(second, first, COMMIT);
    }
    if (stage >= SAE_SALTED) {
        NEED(psa_pake_input(first, SALT, NULL, 0));
        NEED(psa_pake_input(second, SALT, NULL, 0));
    }
    if (stage >= SAE_FIRST_CONFIRMED) {
        sae_confirm(first, second, 1);
    }
    if (stage >= SAE_SECOND_CONFIRMED) {
        sae_confirm(second, first, 1);
    }
}

/* Both sides of an exchange by FIXED on P-256. */
struct sae_pair {
    psa_pake_operation_t first;
    psa_pake_operation_t second;
};

static inline void sae_begin(struct sae_pair *pair, psa_key_id_t key, enum sae_stage stage)
{
    pair->first = sae_side(key, &FIXED_ON_P256, 0);
    pair->second = sae_side(key, &FIXED_ON_P256, 1);
    sae_run(&pair->first, &pair->second, stage);
}

static inline void sae_end(psa_pake_operation_t *first, psa_pake_operation_t *second)
{
    EXPECT(PSA_SUCCESS, psa_pake_abort(first));
    EXPECT(PSA_SUCCESS, psa_pake_abort(second));
    test_free_buffers();
}

#endif
