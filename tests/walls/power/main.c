/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run again and again with one storage, which is the other side's: says which of two persistent
 * keys are there and whether they are the ones they were, then creates the second or destroys it.
 * Power fails on the other side while it does.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <psa/crypto.h>

#define CONFIRMED 1u
#define AT_WORK 2u
#define SIZE 32u

static void key_bytes(psa_key_id_t id, uint8_t bytes[SIZE])
{
    for (size_t i = 0; i < SIZE; i++) {
        bytes[i] = (uint8_t)(16u * id + i);
    }
}

static psa_status_t create(psa_key_id_t id, psa_key_persistence_t persistence, psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t bytes[SIZE];

    key_bytes(id, bytes);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_HMAC);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_set_key_algorithm(&attributes, PSA_ALG_HMAC(PSA_ALG_SHA_256));
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          persistence, PSA_KEY_LOCATION_LOCAL_STORAGE));
    if (persistence != PSA_KEY_PERSISTENCE_VOLATILE) {
        psa_set_key_id(&attributes, id);
    }
    return psa_import_key(&attributes, bytes, sizeof bytes, key);
}

static psa_status_t mac_of(psa_key_id_t id, uint8_t mac[SIZE])
{
    size_t length;

    return psa_mac_compute(id, PSA_ALG_HMAC(PSA_ALG_SHA_256), (const uint8_t *)"abc", 3, mac, SIZE,
                           &length);
}

/* "yes" or "no" for the existence of a key; another word for a changed key. */
static const char *state_of(psa_key_id_t id)
{
    uint8_t macs[2][SIZE];
    psa_key_id_t same;

    const psa_status_t status = mac_of(id, macs[0]);
    if (status == PSA_ERROR_INVALID_HANDLE) {
        return "gone";
    }
    if (status != PSA_SUCCESS || create(id, PSA_KEY_PERSISTENCE_VOLATILE, &same) != PSA_SUCCESS) {
        return "broken";
    }
    const bool is_same =
        mac_of(same, macs[1]) == PSA_SUCCESS && memcmp(macs[0], macs[1], SIZE) == 0;
    return psa_destroy_key(same) == PSA_SUCCESS && is_same ? "whole" : "another";
}

int main(void)
{
    psa_key_id_t key;

    psa_status_t status = psa_crypto_init();
    if (status != PSA_SUCCESS) {
        printf("init: %d\n", (int)status);
        return 1;
    }
    const char *const state = state_of(AT_WORK);
    printf("%s, %s\n", state_of(CONFIRMED), state);
    status = create(CONFIRMED, PSA_KEY_PERSISTENCE_DEFAULT, &key);
    if (status == PSA_ERROR_ALREADY_EXISTS) {
        status = strcmp(state, "gone") == 0 ? create(AT_WORK, PSA_KEY_PERSISTENCE_DEFAULT, &key)
                                            : psa_destroy_key(AT_WORK);
    }
    printf("%d\n", (int)status);
    return status != PSA_SUCCESS;
}
