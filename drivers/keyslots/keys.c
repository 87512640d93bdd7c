/* SPDX-License-Identifier: Apache-2.0 */
/* Keys in slots: their place, their creation, their end. */
#include "keys.h"

#include <stdbool.h>
#include <string.h>

#include <corral/drivers/keyslots/entry_points.h>

#include "part.h"

uint16_t keyslots_owned[CORRAL_KEYSLOTS_DEVICE_COUNT][KEYSLOTS_SLOT_COUNT];

static uint16_t revision_of(const struct keyslots_key *key)
{
    return (uint16_t)(key->revision[0] | (unsigned)key->revision[1] << 8);
}

/* Write all of a context but the serial number. */
static void name(struct keyslots_key *key, uint8_t slot, uint16_t revision, uint8_t flags)
{
    key->revision[0] = (uint8_t)revision;
    key->revision[1] = (uint8_t)(revision >> 8);
    key->slot = slot;
    key->flags = flags;
}

static void give_back(size_t device, const struct keyslots_key *key)
{
    if (keyslots_owned[device][key->slot] == revision_of(key)) {
        keyslots_owned[device][key->slot] = 0;
    }
}

/*
 * Take the slot for a key, and empty it of a key of an earlier run.
 *   PSA_ERROR_INSUFFICIENT_STORAGE  it can take no other key
 */
static psa_status_t try_slot(struct keyslots_session *session, struct keyslots_key *key,
                             uint8_t slot)
{
    struct keyslots_look look;

    psa_status_t status = keyslots_look(session, slot, &look);
    if (status != PSA_SUCCESS) {
        return status;
    }
    const bool is_left = look.state == KEYSLOTS_PROVISIONED || look.state == KEYSLOTS_TORN;
    if (look.revision == KEYSLOTS_LAST_REVISION || look.state == KEYSLOTS_REVOKED ||
        (is_left && look.policy != KEYSLOTS_ROTATING)) {
        return PSA_ERROR_INSUFFICIENT_STORAGE;
    }
    if (is_left) {
        name(key, slot, look.revision, 0);
        status = keyslots_execute_for(session, KEYSLOTS_REVOKE, key, 0);
    }
    if (status == PSA_SUCCESS) {
        name(key, slot, (uint16_t)(look.revision + 1u), 0);
        keyslots_owned[session->device->index][slot] = revision_of(key);
    }
    return status;
}

/*
 * Find a free slot of kind `key`, and write the context of its future key. A key that
 * an earlier run left in it is revoked.
 *   PSA_ERROR_INSUFFICIENT_STORAGE  there is none
 */
psa_status_t keyslots_allocate_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                   size_t key_buffer_size)
{
    struct keyslots_session session;
    struct keyslots_key *key = (struct keyslots_key *)key_buffer;
    const struct keyslots_device *device =
        &corral_keyslots_devices[corral_keyslots_device_index(attributes)];

    if (key_buffer_size < sizeof *key) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    keyslots_open(&session, device);
    psa_status_t status = keyslots_identify(&session, key);
    if (status == PSA_SUCCESS) {
        status = PSA_ERROR_INSUFFICIENT_STORAGE;
    }
    for (uint8_t slot = 0; slot < KEYSLOTS_SLOT_COUNT && status == PSA_ERROR_INSUFFICIENT_STORAGE;
         slot++) {
        if (device->slots[slot] == KEYSLOTS_SLOT_KEY && keyslots_owned[device->index][slot] == 0) {
            status = try_slot(&session, key, slot);
        }
    }
    return keyslots_close(&session, status);
}

/* The engine's usages that the key's policy permits. Modes that the engine does not
 * know use its block cipher, forwards. */
static uint8_t usage_of(const psa_key_attributes_t *attributes)
{
    const psa_algorithm_t alg = attributes->algorithm;
    const psa_key_usage_t forwards = PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_WRAP;
    const psa_key_usage_t backwards = PSA_KEY_USAGE_DECRYPT | PSA_KEY_USAGE_UNWRAP;

    if (alg == PSA_ALG_NONE) {
        return 0;
    }
    if ((PSA_ALG_IS_MAC(alg) && PSA_ALG_FULL_LENGTH_MAC(alg) == PSA_ALG_CMAC) ||
        alg == PSA_ALG_SP800_108_COUNTER_CMAC) {
        return KEYSLOTS_MAC;
    }
    if (alg == PSA_ALG_CTR) {
        return KEYSLOTS_COUNTER;
    }
    if (alg == PSA_ALG_ECB_NO_PADDING || alg == PSA_ALG_CBC_NO_PADDING ||
        alg == PSA_ALG_CBC_PKCS7 || PSA_ALG_IS_KEY_WRAP(alg)) {
        return (uint8_t)(((attributes->usage & forwards) != 0 ? KEYSLOTS_ENCRYPT : 0) |
                         ((attributes->usage & backwards) != 0 ? KEYSLOTS_DECRYPT : 0));
    }
    return KEYSLOTS_ENCRYPT;
}

/* Also checks the requested size. If a later check found it wrong, the key in the part
 * would have to be revoked, and if that failed, its slot would never be released. */
static psa_status_t check_size(const psa_key_attributes_t *attributes, size_t size)
{
    if (size == 24) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return (size == 16 || size == 32) && (attributes->bits == 0 || size == attributes->bits / 8u)
               ? PSA_SUCCESS
               : PSA_ERROR_INVALID_ARGUMENT;
}

/* Fill the allocated slot: with `data`, or by the part's generator if that is NULL. */
static psa_status_t create(const psa_key_attributes_t *attributes, const uint8_t *data, size_t size,
                           uint8_t *key_buffer, size_t *key_buffer_length)
{
    struct keyslots_session session;
    struct keyslots_key *key = (struct keyslots_key *)key_buffer;

    psa_status_t status = check_size(attributes, size);
    if (status != PSA_SUCCESS) {
        return status;
    }
    keyslots_open(&session, &corral_keyslots_devices[corral_keyslots_device_index(attributes)]);
    uint8_t *more = keyslots_arguments(&session) + KEYSLOTS_REFERENCE_SIZE;
    more[0] = KEYSLOTS_ROTATING;
    more[1] = usage_of(attributes);
    if (data != NULL) {
        memcpy(more + 2, data, size);
        status = keyslots_execute_for(&session, KEYSLOTS_PROVISION, key, 2 + size);
    } else {
        more[2] = (uint8_t)size;
        status = keyslots_execute_for(&session, KEYSLOTS_GENERATE, key, 3);
    }
    if (status == PSA_SUCCESS) {
        key->flags = KEYSLOTS_KEY_CREATED;
        *key_buffer_length = sizeof *key;
    }
    return keyslots_close(&session, status);
}

/*
 * Write a key of 16 or 32 bytes into the allocated slot. It crosses the bus in clear. *bits: of it.
 *   PSA_ERROR_NOT_SUPPORTED     24 bytes
 *   PSA_ERROR_INVALID_ARGUMENT  no size of an AES key, or not the one in the attributes
 */
psa_status_t keyslots_import_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                 size_t data_length, uint8_t *key_buffer, size_t key_buffer_size,
                                 size_t *key_buffer_length, size_t *bits)
{
    (void)key_buffer_size;
    *bits = 8 * data_length;
    return create(attributes, data, data_length, key_buffer, key_buffer_length);
}

/* Let the part draw a key that never leaves it. Statuses as for import. */
psa_status_t keyslots_generate_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                   size_t key_buffer_size, size_t *key_buffer_length)
{
    (void)key_buffer_size;
    return create(attributes, NULL, attributes->bits / 8u, key_buffer, key_buffer_length);
}

/*
 * Revoke the key, and give its slot back; an attached one is only let go. A reference that the part
 * does not know is one of a key that never was or is gone. On failure the key is still there,
 * unless its creation had failed: its slot then has no name, and the core does not ask again.
 */
psa_status_t keyslots_destroy_key(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  size_t key_buffer_size)
{
    struct keyslots_session session;
    const struct keyslots_key *key = (const struct keyslots_key *)key_buffer;
    const size_t device = corral_keyslots_device_index(attributes);
    psa_status_t status = PSA_SUCCESS;

    (void)key_buffer_size;
    keyslots_open(&session, &corral_keyslots_devices[device]);
    if ((key->flags & KEYSLOTS_KEY_ATTACHED) == 0) {
        status = keyslots_execute_for(&session, KEYSLOTS_REVOKE, key, 0);
        status = status == PSA_ERROR_INVALID_HANDLE ? PSA_SUCCESS : status;
    }
    const bool is_forgotten = (key->flags & KEYSLOTS_KEY_CREATED) == 0 &&
                              PSA_KEY_LIFETIME_IS_VOLATILE(attributes->lifetime);
    if (status == PSA_SUCCESS || is_forgotten) {
        give_back(device, key);
    }
    return keyslots_close(&session, status);
}

/*
 * Take the slot of a key that was stored in an earlier run. The part is not asked. Of two keys that
 * claim one slot the later has it: the part will refuse the other's reference.
 *   PSA_ERROR_INVALID_HANDLE  a later key has it
 *   PSA_ERROR_DATA_INVALID    no context of this driver
 */
psa_status_t keyslots_restore_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                  size_t key_buffer_size)
{
    struct keyslots_session session;
    const struct keyslots_key *key = (const struct keyslots_key *)key_buffer;
    const size_t device = corral_keyslots_device_index(attributes);
    psa_status_t status = PSA_SUCCESS;

    if (key_buffer_size != sizeof *key || key->slot >= KEYSLOTS_SLOT_COUNT) {
        return PSA_ERROR_DATA_INVALID;
    }
    keyslots_open(&session, &corral_keyslots_devices[device]);
    if (keyslots_owned[device][key->slot] > revision_of(key)) {
        status = PSA_ERROR_INVALID_HANDLE;
    } else {
        keyslots_owned[device][key->slot] = revision_of(key);
    }
    return keyslots_close(&session, status);
}

/* The permitted uses of the slot, as flags of the API. */
static void describe(psa_key_attributes_t *attributes, const struct keyslots_look *look)
{
    attributes->bits = (uint16_t)(8u * look->size);
    attributes->usage = PSA_KEY_USAGE_CACHE;
    if ((look->usage & (KEYSLOTS_ENCRYPT | KEYSLOTS_COUNTER)) != 0) {
        attributes->usage |= PSA_KEY_USAGE_ENCRYPT;
    }
    if ((look->usage & (KEYSLOTS_DECRYPT | KEYSLOTS_COUNTER)) != 0) {
        attributes->usage |= PSA_KEY_USAGE_DECRYPT;
    }
    if ((look->usage & KEYSLOTS_MAC) != 0) {
        attributes->usage |= PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE;
    }
}

/*
 * Give a key object to a key that is in the part already.
 *   attributes  in: type and lifetime asked for; out: bits and usage as the slot has them
 *   label       one byte, the number of the slot
 *   PSA_ERROR_INVALID_ARGUMENT  the label is not one byte from 0 to 15
 *   PSA_ERROR_DOES_NOT_EXIST    the slot holds no key
 *   PSA_ERROR_NOT_PERMITTED     another key object has this slot
 */
psa_status_t keyslots_attach_key(psa_key_attributes_t *attributes, const uint8_t *label,
                                 size_t label_length, uint8_t *key_buffer, size_t key_buffer_size,
                                 size_t *key_buffer_length)
{
    struct keyslots_session session;
    struct keyslots_key *key = (struct keyslots_key *)key_buffer;
    const size_t device = corral_keyslots_device_index(attributes);
    struct keyslots_look look;

    if (label_length != 1 || label[0] >= KEYSLOTS_SLOT_COUNT) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (key_buffer_size < sizeof *key) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    keyslots_open(&session, &corral_keyslots_devices[device]);
    psa_status_t status = keyslots_owned[device][label[0]] == 0 ? keyslots_identify(&session, key)
                                                                : PSA_ERROR_NOT_PERMITTED;
    if (status == PSA_SUCCESS) {
        status = keyslots_look(&session, label[0], &look);
    }
    if (status == PSA_SUCCESS && look.state != KEYSLOTS_PROVISIONED) {
        status = PSA_ERROR_DOES_NOT_EXIST;
    }
    if (status == PSA_SUCCESS) {
        describe(attributes, &look);
        name(key, label[0], look.revision, KEYSLOTS_KEY_ATTACHED);
        keyslots_owned[device][label[0]] = look.revision;
        *key_buffer_length = sizeof *key;
    }
    return keyslots_close(&session, status);
}
