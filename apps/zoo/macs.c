/* SPDX-License-Identifier: Apache-2.0 */
#include "zoo.h"

#define KEY_MAX_SIZE 32

/* A MAC, and the result of its verification. */
struct mac {
    const char *mechanism;
    const char *title;
    const char *check;
    const char *parameter; /* name and value of the check's parameter */
    const char *value;
    psa_algorithm_t alg;
    psa_key_type_t type;
    size_t key_size;
};

static const struct mac macs[] = {
    {"HMAC_SHA_256", "HMAC-SHA-256", "hmac", "hash", "sha256", PSA_ALG_HMAC(PSA_ALG_SHA_256),
     PSA_KEY_TYPE_HMAC, 32},
    {"CMAC_AES_128", "AES-128-CMAC", "cmac", "cipher", "aes-128-cbc", PSA_ALG_CMAC,
     PSA_KEY_TYPE_AES, 16},
};

/* The authenticated data: the input, or when `of_digest` its SHA-256 digest. */
struct result {
    uint8_t mac[PSA_MAC_MAX_SIZE];
    size_t length;
    uint8_t digest[DIGEST_SIZE];
    bool of_digest;
};

static void authenticate_rest(struct item *item, psa_mac_operation_t *operation,
                              struct result *result)
{
    uint8_t piece[PIECE_SIZE];
    size_t length;

    while (input_next(item, piece, &length) &&
           item_ok(item, "psa_mac_update", psa_mac_update(operation, piece, length))) {
    }
    if (item->status == PSA_SUCCESS) {
        item_ok(item, "psa_mac_sign_finish",
                psa_mac_sign_finish(operation, result->mac, sizeof result->mac, &result->length));
    }
}

/* For elements that cannot keep a MAC going: one call, over the digest of the input. */
static void authenticate_digest(struct item *item, psa_key_id_t key, psa_algorithm_t alg,
                                struct result *result)
{
    size_t length;

    result->of_digest = true;
    if (hash_input(item, PSA_ALG_SHA_256, result->digest, sizeof result->digest, &length) &&
        item_ok(item, "psa_mac_compute",
                psa_mac_compute(key, alg, result->digest, length, result->mac, sizeof result->mac,
                                &result->length))) {
        item_ok(item, "psa_mac_verify",
                psa_mac_verify(key, alg, result->digest, length, result->mac, result->length));
    }
}

static void authenticate(struct item *item, psa_key_id_t key, psa_algorithm_t alg,
                         struct result *result)
{
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;

    result->of_digest = false;
    if (!input_begin(item)) {
        return;
    }
    const psa_status_t status = psa_mac_sign_setup(&operation, key, alg);
    if (status == PSA_ERROR_NOT_SUPPORTED) {
        authenticate_digest(item, key, alg, result);
    } else if (item_ok(item, "psa_mac_sign_setup", status)) {
        authenticate_rest(item, &operation, result);
    }
    psa_mac_abort(&operation);
}

static void print(const struct mac *mac, const uint8_t *key_data, const struct result *result)
{
    item_text("check", mac->check);
    item_text(mac->parameter, mac->value);
    item_bytes("key", key_data, mac->key_size);
    if (result->of_digest) {
        item_bytes("message", result->digest, sizeof result->digest);
    }
    item_bytes("mac", result->mac, result->length);
}

static void show(const struct place *place, const struct mac *mac)
{
    const psa_key_attributes_t attributes =
        attributes_at(place, mac->type, 8 * mac->key_size, mac->alg,
                      PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
    uint8_t key_data[KEY_MAX_SIZE];
    struct result result = {0};
    struct item item;
    psa_key_id_t key;

    item_begin(&item, mac->mechanism, mac->title, place);
    if (import_random(&item, &attributes, key_data, mac->key_size, &key)) {
        authenticate(&item, key, mac->alg, &result);
        destroy(&item, key);
    }
    if (item.status == PSA_SUCCESS) {
        print(mac, key_data, &result);
    }
    item_end(&item);
}

void show_macs(const struct place *place)
{
    for (size_t i = 0; i < sizeof macs / sizeof macs[0]; i++) {
        show(place, &macs[i]);
    }
}
