/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures, key agreement, encryption and encapsulation. */
#include <string.h>

#include "wire.h"

#define OUTPUT_MAX_SIZE 8192u

static uint8_t output[OUTPUT_MAX_SIZE];

static bool is_message(void)
{
    return strcmp(wire_word(), "m") == 0;
}

WIRE_COMMAND(sign)
{
    const bool whole = is_message();
    const psa_key_id_t key = wire_number();
    const psa_algorithm_t alg = wire_number();
    const struct bytes data = wire_bytes();
    size_t length = 0;

    psa_status_t status = (whole ? psa_sign_message : psa_sign_hash)(
        key, alg, data.data, data.length, output, sizeof output, &length);
    wire_put(output, length);
    wire_answer(status);
}

WIRE_COMMAND(verify)
{
    const bool whole = is_message();
    const psa_key_id_t key = wire_number();
    const psa_algorithm_t alg = wire_number();
    const struct bytes data = wire_bytes();
    const struct bytes signature = wire_bytes();

    wire_answer((whole ? psa_verify_message : psa_verify_hash)(key, alg, data.data, data.length,
                                                               signature.data, signature.length));
}

WIRE_COMMAND(agree)
{
    const psa_algorithm_t alg = wire_number();
    const psa_key_id_t key = wire_number();
    const struct bytes peer = wire_bytes();
    size_t length = 0;

    psa_status_t status =
        psa_raw_key_agreement(alg, key, peer.data, peer.length, output, sizeof output, &length);
    wire_put(output, length);
    wire_answer(status);
}

static void encrypt(bool is_encrypt)
{
    const psa_key_id_t key = wire_number();
    const psa_algorithm_t alg = wire_number();
    const struct bytes data = wire_bytes();
    const struct bytes salt = wire_bytes();
    size_t length = 0;

    psa_status_t status = (is_encrypt ? psa_asymmetric_encrypt : psa_asymmetric_decrypt)(
        key, alg, data.data, data.length, salt.data, salt.length, output, sizeof output, &length);
    wire_put(output, length);
    wire_answer(status);
}

static psa_key_attributes_t secret_attributes(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_DERIVE);
    psa_set_key_bits(&attributes, 256);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT);
    return attributes;
}

static void put_secret(psa_key_id_t secret)
{
    uint8_t data[32];
    size_t length = 0;

    if (psa_export_key(secret, data, sizeof data, &length) != PSA_SUCCESS ||
        psa_destroy_key(secret) != PSA_SUCCESS) {
        wire_fail("an encapsulated secret cannot be read");
    }
    wire_put(data, length);
}

WIRE_COMMAND(encap)
{
    const psa_key_id_t key = wire_number();
    const psa_algorithm_t alg = wire_number();
    const psa_key_attributes_t attributes = secret_attributes();
    psa_key_id_t secret = 0;
    size_t length = 0;

    psa_status_t status =
        psa_encapsulate(key, alg, &attributes, &secret, output, sizeof output, &length);
    wire_put(output, length);
    if (status == PSA_SUCCESS) {
        put_secret(secret);
    }
    wire_answer(status);
}

WIRE_COMMAND(decap)
{
    const psa_key_id_t key = wire_number();
    const psa_algorithm_t alg = wire_number();
    const struct bytes data = wire_bytes();
    const psa_key_attributes_t attributes = secret_attributes();
    psa_key_id_t secret = 0;

    psa_status_t status = psa_decapsulate(key, alg, data.data, data.length, &attributes, &secret);
    if (status == PSA_SUCCESS) {
        put_secret(secret);
    }
    wire_answer(status);
}

WIRE_COMMAND(aenc)
{
    encrypt(true);
}

WIRE_COMMAND(adec)
{
    encrypt(false);
}
