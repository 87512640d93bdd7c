/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/remote.h>

#include <corral/drivers/remote/entry_points.h>

#include "keys.h"

psa_status_t remote_mac_setup(remote_operation_t *operation, const psa_key_attributes_t *attributes,
                              const uint8_t *key_buffer, size_t key_buffer_size,
                              psa_algorithm_t alg)
{
    corral_remote_mac_t there = {0};

    (void)attributes;
    (void)key_buffer_size;
    const psa_status_t status = corral_remote_mac_sign_setup(&there, remote_id(key_buffer), alg);
    operation->handle = there.handle;
    return status;
}

/* Any length: the wall takes it in pieces. */
psa_status_t remote_mac_update(remote_operation_t *operation, const uint8_t *input,
                               size_t input_length)
{
    corral_remote_mac_t there = {operation->handle};

    const psa_status_t status = corral_remote_mac_update(&there, input, input_length);
    operation->handle = there.handle;
    return status;
}

psa_status_t remote_mac_finish(remote_operation_t *operation, uint8_t *mac, size_t mac_size,
                               size_t *mac_length)
{
    corral_remote_mac_t there = {operation->handle};

    const psa_status_t status = corral_remote_mac_sign_finish(&there, mac, mac_size, mac_length);
    operation->handle = there.handle;
    return status;
}

psa_status_t remote_mac_abort(remote_operation_t *operation)
{
    corral_remote_mac_t there = {operation->handle};

    return corral_remote_mac_abort(&there);
}

static psa_status_t compute_in_parts(const psa_key_attributes_t *attributes,
                                     const uint8_t *key_buffer, size_t key_buffer_size,
                                     psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                                     uint8_t *mac, size_t mac_size, size_t *mac_length)
{
    remote_operation_t operation;

    psa_status_t status =
        remote_mac_setup(&operation, attributes, key_buffer, key_buffer_size, alg);
    if (status == PSA_SUCCESS) {
        status = remote_mac_update(&operation, input, input_length);
    }
    if (status == PSA_SUCCESS) {
        status = remote_mac_finish(&operation, mac, mac_size, mac_length);
    }
    (void)remote_mac_abort(&operation);
    return status;
}

/* One crossing, unless the message does not fit the wall's buffer. */
psa_status_t remote_mac_compute(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *input,
                                size_t input_length, uint8_t *mac, size_t mac_size,
                                size_t *mac_length)
{
    const psa_status_t status = corral_remote_mac_compute(remote_id(key_buffer), alg, input,
                                                          input_length, mac, mac_size, mac_length);

    return status == PSA_ERROR_INSUFFICIENT_MEMORY
               ? compute_in_parts(attributes, key_buffer, key_buffer_size, alg, input, input_length,
                                  mac, mac_size, mac_length)
               : status;
}
