/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys on the trusted side: volatile ones under the identifier that it gives, persistent ones under
 * one that is drawn here and stored before the key is made.
 */
#include "keys.h"

#include <corral/config.h>
#include <corral/remote.h>

#include <corral/drivers/remote/entry_points.h>

#include "policy.h"

#define CONTEXT_SIZE 4u

static void set_id(uint8_t *key_buffer, psa_key_id_t id)
{
    for (size_t i = 0; i < CONTEXT_SIZE; i++) {
        key_buffer[i] = (uint8_t)(id >> 8 * i);
    }
}

static bool is_persistent(const psa_key_attributes_t *attributes)
{
    return CORRAL_PERSISTENT_KEYS && !PSA_KEY_LIFETIME_IS_VOLATILE(attributes->lifetime);
}

/*
 * Let the trusted side begin; the first call also makes it forget what an earlier run of this
 * program left.
 *   PSA_ERROR_COMMUNICATION_FAILURE  it was built for another program
 *   other                            as psa_crypto_init() there
 */
psa_status_t remote_init(void)
{
    return corral_remote_crypto_init();
}

/* An identifier of an application's key. Drawn and not counted: one that a record still has, whose
 * key was never made or could not be destroyed yet, must not come to name another key. By the
 * trusted side, which makes keys and so has a generator, where this core may have none. */
static psa_status_t draw(psa_key_id_t *id)
{
    const psa_key_id_t count = PSA_KEY_ID_USER_MAX - PSA_KEY_ID_USER_MIN + 1u;
    uint8_t drawn[CONTEXT_SIZE];

    const psa_status_t status = corral_remote_generate_random(drawn, sizeof drawn);
    if (status == PSA_SUCCESS) {
        *id = PSA_KEY_ID_USER_MIN + remote_id(drawn) % count;
    }
    return status;
}

/*
 * Write the context that the key will have: of a persistent one with an identifier that no key of
 * the trusted side has.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY, PSA_ERROR_COMMUNICATION_FAILURE
 *   PSA_ERROR_NOT_SUPPORTED  the trusted side has no random numbers
 */
psa_status_t remote_allocate_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                 size_t key_buffer_size)
{
    psa_key_attributes_t found;
    psa_key_id_t id = PSA_KEY_ID_NULL;
    psa_status_t status = PSA_SUCCESS;

    if (key_buffer_size < CONTEXT_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (is_persistent(attributes)) {
        do {
            status = draw(&id);
            if (status == PSA_SUCCESS) {
                status = corral_remote_get_key_attributes(id, &found);
            }
        } while (status == PSA_SUCCESS);
        status = status == PSA_ERROR_INVALID_HANDLE || status == PSA_ERROR_DOES_NOT_EXIST
                     ? PSA_SUCCESS /* the second: of a trusted side with CORRAL_LENIENT_KEY_IDS */
                     : status;
    }
    set_id(key_buffer, id);
    return status;
}

static psa_key_attributes_t attributes_there(const psa_key_attributes_t *attributes,
                                             const uint8_t *key_buffer)
{
    psa_key_attributes_t there = remote_attributes(attributes);

    if (is_persistent(attributes)) {
        psa_set_key_id(&there, remote_id(key_buffer));
    }
    return there;
}

/* Take in a key, which crosses the wall once. Statuses as of psa_import_key() there. */
psa_status_t remote_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                               size_t data_length, uint8_t *key_buffer, size_t key_buffer_size,
                               size_t *key_buffer_length, size_t *bits)
{
    psa_key_attributes_t there = attributes_there(attributes, key_buffer);
    psa_key_id_t id;

    (void)key_buffer_size;
    psa_status_t status = corral_remote_import_key(&there, data, data_length, &id);
    if (status != PSA_SUCCESS) {
        return status;
    }
    set_id(key_buffer, id);
    status = corral_remote_get_key_attributes(id, &there);
    if (status == PSA_SUCCESS) {
        *bits = psa_get_key_bits(&there);
        *key_buffer_length = CONTEXT_SIZE;
    }
    return status;
}

/* Let the trusted side make a key, which never leaves it. Statuses as of psa_generate_key() there.
 */
psa_status_t remote_generate_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                 size_t key_buffer_size, size_t *key_buffer_length)
{
    const psa_key_attributes_t there = attributes_there(attributes, key_buffer);
    psa_key_id_t id;

    (void)key_buffer_size;
    const psa_status_t status = corral_remote_generate_key(&there, &id);
    if (status == PSA_SUCCESS) {
        set_id(key_buffer, id);
        *key_buffer_length = CONTEXT_SIZE;
    }
    return status;
}

/* Destroy the key there. One that is not there is gone, or was never made. */
psa_status_t remote_destroy_key(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size)
{
    const psa_key_id_t id = remote_id(key_buffer);

    (void)attributes;
    (void)key_buffer_size;
    if (id == PSA_KEY_ID_NULL) {
        return PSA_SUCCESS;
    }
    const psa_status_t status = corral_remote_destroy_key(id);
    return status == PSA_ERROR_INVALID_HANDLE ? PSA_SUCCESS : status;
}

psa_status_t remote_export_public_key(const psa_key_attributes_t *attributes,
                                      const uint8_t *key_buffer, size_t key_buffer_size,
                                      uint8_t *data, size_t data_size, size_t *data_length)
{
    (void)attributes;
    (void)key_buffer_size;
    return corral_remote_export_public_key(remote_id(key_buffer), data, data_size, data_length);
}
