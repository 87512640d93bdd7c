/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CCM with one key in several places. An element runs the block cipher, and the construction
 * around it is done here. Prints the status of each step with its place, and how the message
 * differs from what the key in memory made of it.
 */
#include <stdio.h>
#include <string.h>

#include <corral/locations.h>
#include <psa/crypto.h>

#include "../../../core/keys/pool.h"

#define ALG PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_CCM, 8)
#define TAG_SIZE 8u
#define WHOLE_SIZE (sizeof text + TAG_SIZE)

static const char *const names[] = {"local", CORRAL_ELEMENT_NAMES};
static const psa_key_location_t locations[] = {PSA_KEY_LOCATION_LOCAL_STORAGE,
                                               CORRAL_ELEMENT_LOCATIONS};
#define COUNT (sizeof locations / sizeof locations[0])

static const uint8_t key_data[16] = "a key of AES-128";
static const uint8_t nonce[13] = "one nonce, 13";
static const uint8_t ad[] = "what everybody may read";
static const uint8_t text[] = "what only the holder of the key may read";
static uint8_t expected[WHOLE_SIZE];

static void report(size_t place, const char *step, psa_status_t status)
{
    printf("step %s %s %d\n", names[place], step, (int)status);
}

static psa_status_t import(size_t place, psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_algorithm(&attributes, PSA_ALG_AEAD_WITH_AT_LEAST_THIS_LENGTH_TAG(PSA_ALG_CCM, 8));
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, locations[place]));
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
    printf("text %s %d\n", names[place], memcmp(whole, expected, sizeof whole));
    memset(whole, 0, sizeof whole);
    report(place, "encrypt-in-parts", seal_in_parts(key, whole));
    printf("text %s %d\n", names[place], memcmp(whole, expected, sizeof whole));
    report(place, "decrypt",
           psa_aead_decrypt(key, ALG, nonce, sizeof nonce, ad, sizeof ad, whole, sizeof whole, back,
                            sizeof back, &n));
    printf("text %s %d\n", names[place], memcmp(back, text, sizeof back));
    whole[3] ^= 1;
    report(place, "decrypt-forged",
           psa_aead_decrypt(key, ALG, nonce, sizeof nonce, ad, sizeof ad, whole, sizeof whole, back,
                            sizeof back, &n));
    report(place, "destroy", psa_destroy_key(key));
}

int main(void)
{
    psa_key_id_t key;

    if (psa_crypto_init() != PSA_SUCCESS) {
        return 1;
    }
    for (size_t place = 0; place < COUNT; place++) {
        psa_status_t status = import(place, &key);
        report(place, "import", status);
        if (status == PSA_SUCCESS) {
            use(place, key);
        }
    }
    printf("holds %u\n", corral_holds());
    return 0;
}
