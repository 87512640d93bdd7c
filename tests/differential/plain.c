/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes and MACs: whole, and in the pieces that the line has. */
#include <stdlib.h>
#include <string.h>

#include "wire.h"

#define OUTPUT_MAX_SIZE 4096u

WIRE_COMMAND(hash1)
{
    const psa_algorithm_t alg = wire_number();
    const struct bytes data = wire_bytes();
    const size_t size = wire_number();
    uint8_t *const hash = malloc(size);
    size_t length = 0;

    psa_status_t status = psa_hash_compute(alg, data.data, data.length, hash, size, &length);
    wire_put(hash, length);
    free(hash);
    wire_answer(status);
}

static psa_status_t hash_pieces(psa_hash_operation_t *operation)
{
    psa_status_t status = PSA_SUCCESS;

    while (wire_has_more()) {
        const struct bytes piece = wire_bytes();
        if (status == PSA_SUCCESS) {
            status = psa_hash_update(operation, piece.data, piece.length);
        }
    }
    return status;
}

WIRE_COMMAND(hash)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    uint8_t output[PSA_HASH_MAX_SIZE];
    size_t length = 0;

    psa_status_t status = psa_hash_setup(&operation, wire_number());
    if (status == PSA_SUCCESS) {
        status = hash_pieces(&operation);
    }
    if (status == PSA_SUCCESS) {
        status = psa_hash_finish(&operation, output, sizeof output, &length);
    }
    psa_hash_abort(&operation);
    wire_put(output, length);
    wire_answer(status);
}

WIRE_COMMAND(hashv)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    const psa_algorithm_t alg = wire_number();
    const struct bytes expected = wire_bytes();

    psa_status_t status = psa_hash_setup(&operation, alg);
    if (status == PSA_SUCCESS) {
        status = hash_pieces(&operation);
    }
    if (status == PSA_SUCCESS) {
        status = psa_hash_verify(&operation, expected.data, expected.length);
    }
    psa_hash_abort(&operation);
    wire_answer(status);
}

WIRE_COMMAND(mac1)
{
    const psa_key_id_t key = wire_number();
    const psa_algorithm_t alg = wire_number();
    const struct bytes data = wire_bytes();
    const size_t size = wire_number();
    uint8_t *const mac = malloc(size);
    size_t length = 0;

    psa_status_t status = psa_mac_compute(key, alg, data.data, data.length, mac, size, &length);
    wire_put(mac, length);
    free(mac);
    wire_answer(status);
}

WIRE_COMMAND(macv1)
{
    const psa_key_id_t key = wire_number();
    const psa_algorithm_t alg = wire_number();
    const struct bytes mac = wire_bytes();
    const struct bytes data = wire_bytes();

    wire_answer(psa_mac_verify(key, alg, data.data, data.length, mac.data, mac.length));
}

static psa_status_t mac_pieces(psa_mac_operation_t *operation, psa_status_t status)
{
    while (wire_has_more()) {
        const struct bytes piece = wire_bytes();
        if (status == PSA_SUCCESS) {
            status = psa_mac_update(operation, piece.data, piece.length);
        }
    }
    return status;
}

WIRE_COMMAND(mac)
{
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    const psa_key_id_t key = wire_number();
    uint8_t output[PSA_MAC_MAX_SIZE];
    size_t length = 0;

    psa_status_t status = psa_mac_sign_setup(&operation, key, wire_number());
    status = mac_pieces(&operation, status);
    if (status == PSA_SUCCESS) {
        status = psa_mac_sign_finish(&operation, output, sizeof output, &length);
    }
    psa_mac_abort(&operation);
    wire_put(output, length);
    wire_answer(status);
}

WIRE_COMMAND(macv)
{
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    const psa_key_id_t key = wire_number();
    const psa_algorithm_t alg = wire_number();
    const struct bytes expected = wire_bytes();

    psa_status_t status = psa_mac_verify_setup(&operation, key, alg);
    status = mac_pieces(&operation, status);
    if (status == PSA_SUCCESS) {
        status = psa_mac_verify_finish(&operation, expected.data, expected.length);
    }
    psa_mac_abort(&operation);
    wire_answer(status);
}
