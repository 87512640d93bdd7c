/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys derived from secrets in memory and in each element, and derived into each of them. Whatever
 * the place, the same secret gives the same output.
 */
#include <string.h>

#include "../places.h"

#define SIZE 40

static const uint8_t secret[] = "thirty-two bytes of high entropy";
static uint8_t first[3][SIZE]; /* the output of the first place, for each kind */

static void compare(size_t place, size_t kind, const uint8_t *output, size_t size)
{
    if (place == 0) {
        memcpy(first[kind], output, size);
    }
    report_text(place, memcmp(first[kind], output, size) != 0);
}

/* Read from an operation that has its secret. */
static void read(size_t place, size_t kind, psa_key_derivation_operation_t *operation)
{
    uint8_t output[SIZE];

    psa_status_t status = psa_key_derivation_input_bytes(operation, PSA_KEY_DERIVATION_INPUT_LABEL,
                                                         (const uint8_t *)"label", 5);
    if (status == PSA_SUCCESS) {
        status = psa_key_derivation_output_bytes(operation, output, 5);
    }
    if (status == PSA_SUCCESS) {
        status = psa_key_derivation_output_bytes(operation, output + 5, SIZE - 5);
    }
    report(place, "output", status);
    if (status == PSA_SUCCESS) {
        compare(place, kind, output, SIZE);
    }
}

static void derive_from(size_t place, size_t kind, psa_key_type_t type, size_t size,
                        psa_algorithm_t alg)
{
    const psa_key_attributes_t attributes =
        attributes_at(place, type, 0, alg, PSA_KEY_USAGE_DERIVE);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_key_id_t key;

    psa_status_t status = psa_import_key(&attributes, secret, size, &key);
    report(place, "import", status);
    if (status != PSA_SUCCESS) {
        return;
    }
    report(place, "check", psa_check_key_usage(key, alg, PSA_KEY_USAGE_DERIVE));
    report(place, "setup", psa_key_derivation_setup(&operation, alg));
    status = psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET, key);
    report(place, "input", status);
    if (status == PSA_SUCCESS) {
        read(place, kind, &operation);
    }
    report(place, "abort", psa_key_derivation_abort(&operation));
    report(place, "destroy", psa_destroy_key(key));
}

/* A key of the stream goes into the element, where it computes what it computes elsewhere. */
static void derive_into(size_t place)
{
    psa_key_attributes_t attributes = attributes_at(
        0, PSA_KEY_TYPE_DERIVE, 0, PSA_ALG_HKDF(PSA_ALG_SHA_256), PSA_KEY_USAGE_DERIVE);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_key_id_t source;
    psa_key_id_t key;
    uint8_t mac[16];
    size_t length;

    report(place, "import", psa_import_key(&attributes, secret, 32, &source));
    attributes =
        attributes_at(place, PSA_KEY_TYPE_AES, 128, PSA_ALG_CMAC, PSA_KEY_USAGE_SIGN_MESSAGE);
    report(place, "setup", psa_key_derivation_setup(&operation, PSA_ALG_HKDF(PSA_ALG_SHA_256)));
    report(place, "input",
           psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET, source));
    report(place, "info",
           psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
    report(place, "derive", psa_key_derivation_output_key(&attributes, &operation, &key));
    report(place, "abort", psa_key_derivation_abort(&operation));
    psa_status_t status = psa_mac_compute(key, PSA_ALG_CMAC, secret, 20, mac, sizeof mac, &length);
    report(place, "mac", status);
    if (status == PSA_SUCCESS) {
        compare(place, 2, mac, length);
    }
    report(place, "destroy", psa_destroy_key(key));
    report(place, "destroy", psa_destroy_key(source));
}

static void try_place(size_t place)
{
    derive_from(place, 0, PSA_KEY_TYPE_AES, 16, PSA_ALG_SP800_108_COUNTER_CMAC);
    derive_from(place, 1, PSA_KEY_TYPE_HMAC, 32, PSA_ALG_SP800_108_COUNTER_HMAC(PSA_ALG_SHA_256));
    derive_into(place);
}

int main(void)
{
    return at_each_place(try_place);
}
