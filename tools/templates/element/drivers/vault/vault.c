/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/vault/entry_points.h>

#include "vault.h"

#include <string.h>

#include <corral/devices.h>
#include <corral/driver.h>
#include <corral/lock.h>
#include <corral/port.h>

#define CHUNK 32u
#define MAC_SIZE 32u

enum { STATUS_OK, STATUS_REFUSED, STATUS_FULL };

/* One command: `command` and up to CHUNK bytes out, a status and `result_size` bytes back. */
static psa_status_t ask(const struct vault_device *device, char command, const uint8_t *data,
                        size_t size, uint8_t *result, size_t result_size)
{
    uint8_t request[1 + CHUNK] = {(uint8_t)command};
    uint8_t answer[1 + MAC_SIZE];

    if (size > 0) {
        memcpy(request + 1, data, size);
    }
    psa_status_t status = corral_port_i2c_write(device->bus, device->address, request, 1 + size);
    if (status == PSA_SUCCESS) {
        status = corral_port_i2c_read(device->bus, device->address, answer, 1 + result_size);
    }
    if (status == PSA_SUCCESS && answer[0] != STATUS_OK) {
        status =
            answer[0] == STATUS_FULL ? PSA_ERROR_INSUFFICIENT_STORAGE : PSA_ERROR_NOT_PERMITTED;
    }
    if (status == PSA_SUCCESS && result_size > 0) {
        memcpy(result, answer + 1, result_size);
    }
    corral_wipe(request, sizeof request);
    corral_wipe(answer, sizeof answer);
    return status;
}

static const struct vault_device *device_of(const psa_key_attributes_t *attributes)
{
    return &corral_vault_devices[corral_vault_device_index(attributes)];
}

psa_status_t vault_info(const struct vault_device *device, uint8_t info[1 + VAULT_SERIAL_SIZE])
{
    return ask(device, 'I', NULL, 0, info, 1 + VAULT_SERIAL_SIZE);
}

psa_status_t vault_lock(const struct vault_device *device, const uint8_t serial[VAULT_SERIAL_SIZE])
{
    return ask(device, 'L', serial, VAULT_SERIAL_SIZE, NULL, 0);
}

psa_status_t vault_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                              size_t data_length, uint8_t *key_buffer, size_t key_buffer_size,
                              size_t *key_buffer_length, size_t *bits)
{
    const struct vault_device *device = device_of(attributes);

    if (data_length != 16 && data_length != 32) {
        return PSA_ERROR_NOT_SUPPORTED; /* dispatch knows the size only if the attributes say it */
    }
    if (key_buffer_size < 1) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    corral_lock_enter(CORRAL_LOCK_DEVICE(device->index));
    const psa_status_t status = ask(device, 'K', data, data_length, key_buffer, 1);
    corral_lock_leave(CORRAL_LOCK_DEVICE(device->index));
    if (status == PSA_SUCCESS) {
        *key_buffer_length = 1;
        *bits = 8 * data_length;
    }
    return status;
}

psa_status_t vault_destroy_key(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                               size_t key_buffer_size)
{
    const struct vault_device *device = device_of(attributes);

    (void)key_buffer_size;
    corral_lock_enter(CORRAL_LOCK_DEVICE(device->index));
    const psa_status_t status = ask(device, 'D', key_buffer, 1, NULL, 0);
    corral_lock_leave(CORRAL_LOCK_DEVICE(device->index));
    return status;
}

static psa_status_t compute(const struct vault_device *device, const uint8_t *key_buffer,
                            const uint8_t *input, size_t input_length, uint8_t *mac)
{
    psa_status_t status = ask(device, 'B', key_buffer, 1, NULL, 0);

    for (size_t at = 0; at < input_length && status == PSA_SUCCESS; at += CHUNK) {
        const size_t rest = input_length - at;
        status = ask(device, 'U', input + at, rest < CHUNK ? rest : CHUNK, NULL, 0);
    }
    return status == PSA_SUCCESS ? ask(device, 'F', NULL, 0, mac, MAC_SIZE) : status;
}

psa_status_t vault_mac_compute(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                               size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *input,
                               size_t input_length, uint8_t *mac, size_t mac_size,
                               size_t *mac_length)
{
    const struct vault_device *device = device_of(attributes);

    (void)key_buffer_size;
    (void)alg;
    if (mac_size < MAC_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    corral_lock_enter(CORRAL_LOCK_DEVICE(device->index));
    const psa_status_t status = compute(device, key_buffer, input, input_length, mac);
    corral_lock_leave(CORRAL_LOCK_DEVICE(device->index));
    if (status == PSA_SUCCESS) {
        *mac_length = MAC_SIZE;
    }
    return status;
}
