/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of keys of every type: finding, releasing and taking over a slot. */
#include <string.h>

#include <corral/devices.h>

#include <corral/drivers/atecc608/entry_points.h>

#include "p256.h"
#include "slots.h"
#include "symmetric.h"

#define OPCODE_READ 0x02
#define ZONE_CONFIG_WORD 0x00

/*
 * Find a slot of the kind that the key needs and write the key's context. The chip is read, at its
 * first use, and not changed.
 *   PSA_ERROR_INSUFFICIENT_STORAGE  every slot of this kind is taken, or the chip has none because
 *                                   its zones are not locked or its configuration is another one
 */
psa_status_t atecc608_allocate_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                   size_t key_buffer_size)
{
    struct atecc608_session session;
    const uint8_t kind = atecc608_kind_of(attributes->type);

    if (key_buffer_size < sizeof(struct atecc608_key)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = atecc608_open(&session, corral_atecc608_device_index(attributes));
    if (status == PSA_SUCCESS) {
        struct atecc608_state *state = atecc608_state(&session);
        const uint16_t available = (uint16_t)(state->usable & ~state->used);

        status = PSA_ERROR_INSUFFICIENT_STORAGE;
        for (uint8_t slot = 0; slot < ATECC608_SLOT_COUNT; slot++) {
            if (session.device->slots[slot] == kind && atecc608_contains(available, slot)) {
                atecc608_take_slot(state, slot, 0, (struct atecc608_key *)key_buffer);
                status = PSA_SUCCESS;
                break;
            }
        }
    }
    return atecc608_close(&session, status);
}

/* Overwrite the key in session->slot with an unknown value. */
static psa_status_t overwrite(struct atecc608_session *session, psa_key_type_t type)
{
    return PSA_KEY_TYPE_IS_ECC_KEY_PAIR(type) ? atecc608_renew_pair(session)
                                              : atecc608_write_key(session, NULL, 0);
}

/*
 * Make the key unusable and release its slot: a P-256 key is replaced by a new unknown
 * one, a symmetric key by zeros. An attached key is only let go, which needs no chip.
 * On failure the key is still there and can be destroyed later, unless its creation had
 * failed: then the slot is released in any case, and its content has no name. The slot
 * of a persistent key is kept until the chip has answered.
 */
psa_status_t atecc608_destroy_key(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  size_t key_buffer_size)
{
    struct atecc608_session session;
    const struct atecc608_key *key = (const struct atecc608_key *)key_buffer;
    const size_t device = corral_atecc608_device_index(attributes);
    psa_status_t status = PSA_SUCCESS;

    (void)key_buffer_size;
    if ((key->slot & (ATECC608_KEY_WRITTEN | ATECC608_KEY_ATTACHED)) == ATECC608_KEY_WRITTEN) {
        status = atecc608_open_key(&session, device, key_buffer);
        if (status == PSA_SUCCESS) {
            status = overwrite(&session, attributes->type);
        }
    } else {
        atecc608_open_device(&session, &corral_atecc608_devices[device]); /* no need of the chip */
    }
    /* The core does not ask again for a key that never existed, unless its context is stored. */
    const bool is_forgotten = (key->slot & ATECC608_KEY_CREATED) == 0 &&
                              PSA_KEY_LIFETIME_IS_VOLATILE(attributes->lifetime);
    if (status == PSA_SUCCESS || is_forgotten) {
        atecc608_give_slot(atecc608_state(&session), key);
    }
    return atecc608_close(&session, status);
}

/*
 * Take the slot of a key that was stored in an earlier run. The chip is not asked. A context that
 * was allocated and not created counts as written from here on.
 *   PSA_ERROR_INVALID_HANDLE  the slot has another key
 *   PSA_ERROR_DATA_INVALID    no context of this driver
 */
psa_status_t atecc608_restore_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                  size_t key_buffer_size)
{
    struct atecc608_session session;
    struct atecc608_key *key = (struct atecc608_key *)key_buffer;
    const uint8_t slot = key->slot & ATECC608_KEY_SLOT;
    psa_status_t status = PSA_SUCCESS;

    if (key_buffer_size != sizeof *key) {
        return PSA_ERROR_DATA_INVALID;
    }
    atecc608_open_device(&session,
                         &corral_atecc608_devices[corral_atecc608_device_index(attributes)]);
    struct atecc608_state *state = atecc608_state(&session);
    if (atecc608_contains(state->used, slot) && state->generation[slot] != key->generation) {
        status = PSA_ERROR_INVALID_HANDLE;
    } else {
        state->used = (uint16_t)(state->used | 1u << slot);
        state->generation[slot] = key->generation;
    }
    if ((key->slot & ATECC608_KEY_CREATED) == 0) {
        key->slot |= ATECC608_KEY_WRITTEN; /* it may be: power failed before that was stored */
    }
    return atecc608_close(&session, status);
}

/* Read the two bytes that belong to session->slot in a table of the configuration zone. */
static psa_status_t read_slot_word(struct atecc608_session *session, uint8_t table, uint16_t *word)
{
    const uint8_t address = (uint8_t)(table / 4 + session->slot / 2);

    psa_status_t status =
        atecc608_execute(session, ATECC608_COMMAND(OPCODE_READ, ZONE_CONFIG_WORD, address), 0, 4);
    *word = atecc608_slot_word(atecc608_output(session), session->slot % 2);
    return status;
}

/* The usage that a slot of this type and configuration permits, and the size of its key. */
static void describe(psa_key_attributes_t *attributes, uint16_t slot_config)
{
    const psa_key_usage_t mac = PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE;

    attributes->usage = PSA_KEY_USAGE_CACHE | mac;
    attributes->bits = 256;
    if (attributes->type == PSA_KEY_TYPE_AES) {
        attributes->bits = 128;
        attributes->usage |= PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT;
    } else if (attributes->type != PSA_KEY_TYPE_HMAC) {
        attributes->usage |= PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_SIGN_HASH;
        if ((slot_config & ATECC608_SIGN_EXTERNAL) == 0) {
            attributes->usage &=
                ~(psa_key_usage_t)(PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_SIGN_HASH);
        }
        if ((slot_config & ATECC608_ECDH_MASK) == ATECC608_ECDH_CLEAR) {
            attributes->usage |= PSA_KEY_USAGE_DERIVE;
        }
    }
}

/* Check that session->slot holds a key of the type and read what it may do. */
static psa_status_t inspect(struct atecc608_session *session, psa_key_attributes_t *attributes)
{
    const uint8_t kind = atecc608_kind_of(attributes->type);
    uint16_t slot_config;
    uint16_t key_config;

    psa_status_t status = read_slot_word(session, ATECC608_CONFIG_SLOT_CONFIG, &slot_config);
    if (status == PSA_SUCCESS) {
        status = read_slot_word(session, ATECC608_CONFIG_KEY_CONFIG, &key_config);
    }
    if (status != PSA_SUCCESS) {
        return atecc608_continued(status);
    }
    if (((key_config ^ atecc608_kinds[kind].key_config) & ATECC608_KEY_CONFIG_TYPE) != 0 ||
        !atecc608_state(session)->is_locked) {
        return PSA_ERROR_DOES_NOT_EXIST;
    }
    describe(attributes, slot_config);
    if (kind != ATECC608_SLOT_P256) {
        return PSA_SUCCESS; /* whether a symmetric key was written cannot be asked */
    }
    status = atecc608_public_point(session);
    return status == PSA_ERROR_COMMUNICATION_FAILURE || status == PSA_SUCCESS
               ? status
               : PSA_ERROR_DOES_NOT_EXIST;
}

/*
 * Give a key object to a key that is in the chip already.
 *   attributes  in: type and lifetime asked for; out: bits and usage as the slot permits them
 *   label       one byte, the number of the slot
 *   PSA_ERROR_INVALID_ARGUMENT  the label is not one byte from 0 to 15
 *   PSA_ERROR_DOES_NOT_EXIST    the slot holds no key, or one of another type
 *   PSA_ERROR_NOT_PERMITTED     another key object has this slot, or it holds the write key
 */
psa_status_t atecc608_attach_key(psa_key_attributes_t *attributes, const uint8_t *label,
                                 size_t label_length, uint8_t *key_buffer, size_t key_buffer_size,
                                 size_t *key_buffer_length)
{
    struct atecc608_session session;

    if (label_length != 1 || label[0] >= ATECC608_SLOT_COUNT) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (key_buffer_size < sizeof(struct atecc608_key)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = atecc608_open(&session, corral_atecc608_device_index(attributes));
    struct atecc608_state *state = atecc608_state(&session);
    session.slot = label[0];
    if (status == PSA_SUCCESS && (atecc608_contains(state->used, session.slot) ||
                                  session.device->slots[session.slot] == ATECC608_SLOT_WRITE_KEY)) {
        status = PSA_ERROR_NOT_PERMITTED;
    }
    if (status == PSA_SUCCESS) {
        status = inspect(&session, attributes);
    }
    if (status == PSA_SUCCESS) {
        atecc608_take_slot(state, session.slot, ATECC608_KEY_ATTACHED,
                           (struct atecc608_key *)key_buffer);
        *key_buffer_length = sizeof(struct atecc608_key);
    }
    return atecc608_close(&session, status);
}
