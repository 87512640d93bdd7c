/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "wire.h"

#define KEY_MAX_SIZE 8192u

static psa_key_attributes_t attributes_of_line(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, (psa_key_type_t)wire_number());
    psa_set_key_bits(&attributes, wire_number());
    psa_set_key_algorithm(&attributes, wire_number());
    psa_set_key_usage_flags(&attributes, wire_number());
    return attributes;
}

static void answer_key(psa_status_t status, psa_key_id_t key)
{
    if (status == PSA_SUCCESS) {
        wire_put_number(key);
    }
    wire_answer(status);
}

WIRE_COMMAND(import)
{
    const psa_key_attributes_t attributes = attributes_of_line();
    const struct bytes data = wire_bytes();
    psa_key_id_t key = 0;

    const psa_status_t status = psa_import_key(&attributes, data.data, data.length, &key);
    answer_key(status, key);
}

WIRE_COMMAND(generate)
{
    const psa_key_attributes_t attributes = attributes_of_line();
    psa_key_id_t key = 0;

    const psa_status_t status = psa_generate_key(&attributes, &key);
    answer_key(status, key);
}

static void export_either(bool is_public)
{
    const psa_key_id_t key = wire_number();
    uint8_t data[KEY_MAX_SIZE];
    size_t length = 0;

    psa_status_t status = is_public ? psa_export_public_key(key, data, sizeof data, &length)
                                    : psa_export_key(key, data, sizeof data, &length);
    wire_put(data, length);
    wire_answer(status);
}

WIRE_COMMAND(random)
{
    const size_t size = wire_number();
    uint8_t *const output = malloc(size);

    psa_status_t status = psa_generate_random(output, size);
    wire_put(output, size);
    free(output);
    wire_answer(status);
}

WIRE_COMMAND(wrap)
{
    const psa_key_id_t wrapping = wire_number();
    const psa_algorithm_t alg = wire_number();
    const psa_key_id_t key = wire_number();
    uint8_t data[KEY_MAX_SIZE];
    size_t length = 0;

    psa_status_t status = psa_wrap_key(wrapping, alg, key, data, sizeof data, &length);
    wire_put(data, length);
    wire_answer(status);
}

WIRE_COMMAND(unwrap)
{
    const psa_key_attributes_t attributes = attributes_of_line();
    const psa_key_id_t wrapping = wire_number();
    const psa_algorithm_t alg = wire_number();
    const struct bytes data = wire_bytes();
    psa_key_id_t key = 0;

    const psa_status_t status =
        psa_unwrap_key(&attributes, wrapping, alg, data.data, data.length, &key);
    answer_key(status, key);
}

WIRE_COMMAND(export)
{
    export_either(false);
}

WIRE_COMMAND(public)
{
    export_either(true);
}

WIRE_COMMAND(destroy)
{
    wire_answer(psa_destroy_key(wire_number()));
}
