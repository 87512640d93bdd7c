/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uses each mechanism of a table once, and says for each what the call took, in the unit of what
 * counts on the board:
 *   use MECHANISM TAKEN
 */
#include "uses.h"

#include <stdio.h>

#include "../steps/steps.h"

/* Rows of `struct use`: the command line of a measurement says of what. */
#ifndef USES_ROWS
#define USES_ROWS "sha_256.h"
#endif

/* The command line uses the same counter. */
#ifndef USES_METER
#define USES_METER "ticks.h"
#endif
#include USES_METER

/* How often each is used: of times the least counts. */
#ifndef USES_ROUNDS
#define USES_ROUNDS 1
#endif

#define MESSAGE_SIZE 1024u
#define NONCE_SIZE 12u
#define RANDOM_SIZE 32u
#define SHORT_SIZE 32u /* a digest, or what RSA encrypts */
/* A public key of RSA-4096 in DER, a message with its tag, a signature. */
#define OUTPUT_SIZE (MESSAGE_SIZE + 64u)
#define USAGE                                                                                      \
    (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT | PSA_KEY_USAGE_SIGN_MESSAGE |                  \
     PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_VERIFY_MESSAGE |          \
     PSA_KEY_USAGE_DERIVE)

static const uint8_t message[MESSAGE_SIZE] = {1, 2, 3};
static uint8_t prepared[OUTPUT_SIZE];
static size_t prepared_length;
static uint8_t output[OUTPUT_SIZE];
static size_t output_length;
static psa_key_id_t key;
static unsigned long taken;

/* Call something, and note what it took. */
#define COUNTED(status, call)                                                                      \
    do {                                                                                           \
        const __typeof__(uses_begin()) began = uses_begin();                                       \
        (status) = (call);                                                                         \
        taken = (unsigned long)uses_end(began);                                                    \
    } while (0)

static psa_key_attributes_t attributes_of(const struct use *use)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, use->type);
    psa_set_key_bits(&attributes, use->bits);
    psa_set_key_usage_flags(&attributes, USAGE);
    psa_set_key_algorithm(&attributes, use->alg);
    return attributes;
}

psa_status_t use_import_key(const struct use *use)
{
    const psa_key_attributes_t attributes = attributes_of(use);
    psa_status_t status;

    COUNTED(status, psa_import_key(&attributes, use->key, use->length, &key));
    return status;
}

psa_status_t use_generate_key(const struct use *use)
{
    const psa_key_attributes_t attributes = attributes_of(use);
    psa_status_t status;

    COUNTED(status, psa_generate_key(&attributes, &key));
    return status;
}

psa_status_t use_export_public_key(const struct use *use)
{
    psa_status_t status = use_import_key(use);

    if (status == PSA_SUCCESS) {
        COUNTED(status, psa_export_public_key(key, output, sizeof output, &output_length));
    }
    return status;
}

psa_status_t use_hash_compute(const struct use *use)
{
    psa_status_t status;

    COUNTED(status, psa_hash_compute(use->alg, message, sizeof message, output, sizeof output,
                                     &output_length));
    return status;
}

psa_status_t use_get_random(const struct use *use)
{
    (void)use;
    /* Seeded by this one. */
    psa_status_t status = psa_generate_random(output, RANDOM_SIZE);

    if (status == PSA_SUCCESS) {
        COUNTED(status, psa_generate_random(output, RANDOM_SIZE));
    }
    return status;
}

psa_status_t use_mac_compute(const struct use *use)
{
    psa_status_t status = use_import_key(use);

    if (status == PSA_SUCCESS) {
        COUNTED(status, psa_mac_compute(key, use->alg, message, sizeof message, output,
                                        sizeof output, &output_length));
    }
    return status;
}

/* In parts: for a whole message an initialisation vector would be drawn. */
static psa_status_t encrypt(const struct use *use)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    const size_t iv_length = PSA_CIPHER_IV_LENGTH(use->type, use->alg);
    psa_status_t status = psa_cipher_encrypt_setup(&operation, key, use->alg);

    if (status == PSA_SUCCESS && iv_length > 0) {
        status = psa_cipher_set_iv(&operation, message, iv_length);
    }
    if (status == PSA_SUCCESS) {
        status = psa_cipher_update(&operation, message, sizeof message, output, sizeof output,
                                   &output_length);
    }
    if (status == PSA_SUCCESS) {
        status = psa_cipher_finish(&operation, output, sizeof output, &output_length);
    }
    psa_cipher_abort(&operation);
    return status;
}

psa_status_t use_cipher_encrypt(const struct use *use)
{
    psa_status_t status = use_import_key(use);

    if (status == PSA_SUCCESS) {
        COUNTED(status, encrypt(use));
    }
    return status;
}

psa_status_t use_aead_encrypt(const struct use *use)
{
    psa_status_t status = use_import_key(use);

    if (status == PSA_SUCCESS) {
        COUNTED(status, psa_aead_encrypt(key, use->alg, message, NONCE_SIZE, NULL, 0, message,
                                         sizeof message, output, sizeof output, &output_length));
    }
    return status;
}

psa_status_t use_sign_hash(const struct use *use)
{
    psa_status_t status = use_import_key(use);

    if (status == PSA_SUCCESS) {
        COUNTED(status, psa_sign_hash(key, use->alg, message, SHORT_SIZE, output, sizeof output,
                                      &output_length));
    }
    return status;
}

/* Put in place of the pair its public key, as whoever verifies and encrypts has it. */
static psa_status_t keep_public_key(const struct use *use)
{
    psa_key_attributes_t attributes = attributes_of(use);
    uint8_t public_key[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
    size_t length;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(use->type));
    psa_status_t status = psa_export_public_key(key, public_key, sizeof public_key, &length);
    if (status == PSA_SUCCESS) {
        status = psa_destroy_key(key);
    }
    if (status == PSA_SUCCESS) {
        status = psa_import_key(&attributes, public_key, length, &key);
    }
    return status;
}

psa_status_t use_verify_hash(const struct use *use)
{
    psa_status_t status = use_sign_hash(use);

    if (status == PSA_SUCCESS) {
        status = keep_public_key(use);
    }
    if (status == PSA_SUCCESS) {
        COUNTED(status, psa_verify_hash(key, use->alg, message, SHORT_SIZE, output, output_length));
    }
    return status;
}

psa_status_t use_verify_message(const struct use *use)
{
    psa_status_t status = use_import_key(use);

    if (status == PSA_SUCCESS) {
        COUNTED(status, psa_verify_message(key, use->alg, message, sizeof message, use->signature,
                                           use->signature_length));
    }
    return status;
}

psa_status_t use_asymmetric_encrypt(const struct use *use)
{
    psa_status_t status = use_import_key(use);

    if (status == PSA_SUCCESS) {
        status = keep_public_key(use);
    }
    if (status == PSA_SUCCESS) {
        COUNTED(status, psa_asymmetric_encrypt(key, use->alg, message, SHORT_SIZE, NULL, 0, output,
                                               sizeof output, &output_length));
    }
    return status;
}

psa_status_t use_asymmetric_decrypt(const struct use *use)
{
    psa_status_t status = use_import_key(use);

    if (status == PSA_SUCCESS) {
        status = psa_asymmetric_encrypt(key, use->alg, message, SHORT_SIZE, NULL, 0, prepared,
                                        sizeof prepared, &prepared_length);
    }
    if (status == PSA_SUCCESS) {
        COUNTED(status, psa_asymmetric_decrypt(key, use->alg, prepared, prepared_length, NULL, 0,
                                               output, sizeof output, &output_length));
    }
    return status;
}

psa_status_t use_key_agreement(const struct use *use)
{
    psa_status_t status = use_import_key(use);

    if (status == PSA_SUCCESS) {
        status = psa_export_public_key(key, prepared, sizeof prepared, &prepared_length);
    }
    if (status == PSA_SUCCESS) {
        COUNTED(status, psa_raw_key_agreement(use->alg, key, prepared, prepared_length, output,
                                              sizeof output, &output_length));
    }
    return status;
}

/* One row; a key stays no longer than it is used. */
static psa_status_t measure(const struct use *use)
{
    key = PSA_KEY_ID_NULL;
    const psa_status_t status = use->once(use);

    psa_destroy_key(key);
    if (status != PSA_SUCCESS) {
        printf("%s: %ld\n", use->mechanism, (long)status);
        return status;
    }
    printf("use %s %lu\n", use->mechanism, taken);
    return status;
}

static const struct use uses[] = {
#include USES_ROWS
};

int main(void)
{
    const size_t count = sizeof uses / sizeof uses[0];
    psa_status_t status = psa_crypto_init();

    for (size_t i = 0; status == PSA_SUCCESS && i < count * USES_ROUNDS; i++) {
        status = measure(&uses[i / USES_ROUNDS]);
    }
    return bench_end(status);
}
