/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CCM with one key in several places. An element runs the block cipher, and the construction
 * around it is done here. Prints the status of each step with its place, and the difference from
 * the message by the key in memory.
 */
#include <string.h>

#include "../places.h"

#define ALG PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_CCM, 8)
#define TAG_SIZE 8u
#define WHOLE_SIZE (sizeof text + TAG_SIZE)

static const uint8_t key_data[16] = "a key of AES-128";
static const uint8_t nonce[13] = "one nonce, 13";
static const uint8_t ad[] = "what everybody may read";
static const uint8_t text[] = "what only the holder of the key may read";
static uint8_t expected[WHOLE_SIZE];

static psa_status_t import(size_t place, psa_key_id_t *key)
{
    const psa_key_attributes_t attributes = attributes_at(
        place, PSA_KEY_TYPE_AES, 0, PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(PSA_ALG_CCM, 8),
        PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);

    return psa_import_key(&attributes, key_data, sizeof key_data, key);
}

static psa_status_t seal_in_parts(psa_key_id_t key, uint8_t whole[WHOLE_SIZE])
{
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    size_t n;
    size_t tag_length;

    psa_status_t status = psa_aead_encrypt_setup(&operation, key, ALG);
    if (status == PSA_SUCCESS) {
        status = psa_aead_set_lengths(&operation, sizeof ad, sizeof text);
    }
    if (status == PSA_SUCCESS) {
        status = psa_aead_set_nonce(&operation, nonce, sizeof nonce);
    }
    if (status == PSA_SUCCESS) {
        status = psa_aead_update_ad(&operation, ad, sizeof ad);
    }
    if (status == PSA_SUCCESS) {
        status = psa_aead_update(&operation, text, 17, whole, 17, &n);
    }
    if (status == PSA_SUCCESS) {
        status = psa_aead_update(&operation, text + 17, sizeof text - 17, whole + 17,
                                 sizeof text - 17, &n);
    }
    if (status == PSA_SUCCESS) {
        status =
            psa_aead_finish(&operation, NULL, 0, &n, whole + sizeof text, TAG_SIZE, &tag_length);
    }
    (void)psa_aead_abort(&operation);
    return status;
}

static void use(size_t place, psa_key_id_t key)
{
    uint8_t whole[WHOLE_SIZE] = {0};
    uint8_t back[sizeof text];
    size_t n;

    report(place, "check-usage", psa_check_key_usage(key, ALG, PSA_KEY_USAGE_DECRYPT));
    report(place, "encrypt",
           psa_aead_encrypt(key, ALG, nonce, sizeof nonce, ad, sizeof ad, text, sizeof text, whole,
                            sizeof whole, &n));
    if (place == 0) {
        memcpy(expected, whole, sizeof expected);
    }
    report_text(place, memcmp(whole, expected, sizeof whole));
    memset(whole, 0, sizeof whole);
    report(place, "encrypt-in-parts", seal_in_parts(key, whole));
    report_text(place, memcmp(whole, expected, sizeof whole));
    report(place, "decrypt",
           psa_aead_decrypt(key, ALG, nonce, sizeof nonce, ad, sizeof ad, whole, sizeof whole, back,
                            sizeof back, &n));
    report_text(place, memcmp(back, text, sizeof back));
    whole[3] ^= 1;
    report(place, "decrypt-forged",
           psa_aead_decrypt(key, ALG, nonce, sizeof nonce, ad, sizeof ad, whole, sizeof whole, back,
                            sizeof back, &n));
    report(place, "destroy", psa_destroy_key(key));
}

static void try_place(size_t place)
{
    psa_key_id_t key;

    psa_status_t status = import(place, &key);
    report(place, "import", status);
    if (status == PSA_SUCCESS) {
        use(place, key);
    }
}

int main(void)
{
    return at_each_place(try_place);
}
