/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drivers that do what their contract permits and nothing better: any of them fails whenever it
 * likes with any status, and writes any length that fits. The element counts the keys
 * that it was told to keep.
 */
#ifndef CORRAL_TESTS_PROOFS_ELEMENT_H
#define CORRAL_TESTS_PROOFS_ELEMENT_H

#include <corral/dispatch/key.h>
#include <corral/driver.h>

#include "../../core/keys/sizes.h"
#include "proof.h"

/* Keys that the element keeps for the library: allocated or attached, and not destroyed. */
static int kept;
/* Whether it refused to give one up. */
static bool has_refused;

static psa_status_t any_failure(void)
{
    const psa_status_t status = nondet_status();

    GIVEN(status != PSA_SUCCESS);
    return status;
}

/* Written and a length, or a failure. */
static psa_status_t any_output(uint8_t *output, size_t size, size_t *length)
{
    CLAIM(size == 0 || __CPROVER_w_ok(output, size), "a driver is given room");
    if (nondet_bool()) {
        return any_failure();
    }
    *length = nondet_size();
    GIVEN(*length > 0 && *length <= size);
    return PSA_SUCCESS;
}

psa_status_t atecc608_allocate_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                   size_t key_buffer_size)
{
    size_t length = 0;

    (void)attributes;
    const psa_status_t status = any_output(key_buffer, key_buffer_size, &length);
    kept += status == PSA_SUCCESS ? 1 : 0;
    return status;
}

psa_status_t atecc608_destroy_key(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  size_t key_buffer_size)
{
    CLAIM(!corral_attributes_are_local(attributes), "the element is asked for its own keys");
    CLAIM(__CPROVER_r_ok(key_buffer, key_buffer_size), "a context is there");
    if (nondet_bool()) {
        has_refused = true;
        const psa_status_t status = nondet_status();
        GIVEN(status != PSA_SUCCESS && status != PSA_ERROR_NOT_SUPPORTED);
        return status;
    }
    kept--;
    return PSA_SUCCESS;
}

psa_status_t atecc608_attach_key(psa_key_attributes_t *attributes, const uint8_t *label,
                                 size_t label_length, uint8_t *key_buffer, size_t key_buffer_size,
                                 size_t *key_buffer_length)
{
    CLAIM(label_length == 0 || __CPROVER_r_ok(label, label_length), "the label is there");
    const psa_status_t status = any_output(key_buffer, key_buffer_size, key_buffer_length);
    if (status == PSA_SUCCESS) {
        attributes->type = nondet_uint16();
        attributes->bits = nondet_uint16();
        attributes->usage = nondet_uint32();
        kept++;
    }
    return status;
}

psa_status_t atecc608_import_symmetric_key(const psa_key_attributes_t *attributes,
                                           const uint8_t *data, size_t data_length,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length, size_t *bits)
{
    (void)attributes;
    CLAIM(__CPROVER_r_ok(data, data_length), "what is imported is there");
    *bits = nondet_uint16();
    return any_output(key_buffer, key_buffer_size, key_buffer_length);
}

psa_status_t atecc608_generate_symmetric_key(const psa_key_attributes_t *attributes,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length)
{
    (void)attributes;
    return any_output(key_buffer, key_buffer_size, key_buffer_length);
}

psa_status_t mbedtls_driver_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                       size_t data_length, uint8_t *key_buffer,
                                       size_t key_buffer_size, size_t *key_buffer_length,
                                       size_t *bits)
{
    (void)attributes;
    CLAIM(data_length == 0 || __CPROVER_r_ok(data, data_length), "what is imported is there");
    *bits = nondet_uint16();
    return any_output(key_buffer, key_buffer_size, key_buffer_length);
}

/* The private key, or that and the public one. */
psa_status_t mbedtls_driver_generate_key(const psa_key_attributes_t *attributes,
                                         uint8_t *key_buffer, size_t key_buffer_size,
                                         size_t *key_buffer_length)
{
    const psa_status_t status = any_output(key_buffer, key_buffer_size, key_buffer_length);
    const size_t own = corral_ecc_private_size(attributes);

    GIVEN(status != PSA_SUCCESS || *key_buffer_length == own ||
          *key_buffer_length == own + corral_ecc_public_size(attributes));
    return status;
}

psa_status_t mbedtls_driver_export_public_key(const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              uint8_t *data, size_t data_size, size_t *data_length)
{
    (void)attributes;
    CLAIM(__CPROVER_r_ok(key_buffer, key_buffer_size), "the key is there");
    return any_output(data, data_size, data_length);
}

psa_status_t corral_random(uint8_t *output, size_t size)
{
    CLAIM(__CPROVER_w_ok(output, size), "there is room for random bytes");
    return nondet_bool() ? PSA_SUCCESS : any_failure();
}

void corral_copy(void *to, const void *from, size_t size)
{
    CLAIM(size == 0 || (__CPROVER_w_ok(to, size) && __CPROVER_r_ok(from, size)),
          "what is copied is there, and has room");
}

#endif
