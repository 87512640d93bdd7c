/* SPDX-License-Identifier: Apache-2.0 */
#include "keyslots_provision.h"

#include <string.h>

#define DEVICE_KEY_SIZE 32u

/* Whether the slot has what provisioning makes. */
static bool is_made(const struct keyslots_look *look)
{
    return look->state == KEYSLOTS_PROVISIONED && look->policy == KEYSLOTS_LOCKED &&
           look->usage == KEYSLOTS_ALL_USAGE && look->size == DEVICE_KEY_SIZE;
}

/* Whether the slot can get its key: it never had one, or power failed while one was made. */
static bool is_open(const struct keyslots_look *look)
{
    return look->state == KEYSLOTS_EMPTY ||
           (look->state == KEYSLOTS_TORN && look->policy == KEYSLOTS_ROTATING);
}

psa_status_t keyslots_plan(const struct keyslots_device *device, struct keyslots_plan *plan)
{
    struct keyslots_session session;
    struct keyslots_look look;

    memset(plan, 0, sizeof *plan);
    keyslots_open(&session, device);
    psa_status_t status = keyslots_identify(&session, &plan->part);
    for (uint8_t slot = 0; slot < KEYSLOTS_SLOT_COUNT && status == PSA_SUCCESS; slot++) {
        if (device->slots[slot] == KEYSLOTS_SLOT_DEVICE) {
            status = keyslots_look(&session, slot, &look);
            if (status == PSA_SUCCESS && is_open(&look)) {
                plan->missing = (uint16_t)(plan->missing | 1u << slot);
            } else if (status == PSA_SUCCESS && !is_made(&look)) {
                plan->is_unfit = true;
            }
        }
    }
    return keyslots_close(&session, status);
}

static void name(struct keyslots_key *key, uint8_t slot, unsigned revision)
{
    key->revision[0] = (uint8_t)revision;
    key->revision[1] = (uint8_t)(revision >> 8);
    key->slot = slot;
}

/* Generate the key of one slot, which is erased first if it is torn. */
static psa_status_t make(struct keyslots_session *session, struct keyslots_key *key, uint8_t slot)
{
    uint8_t *more = keyslots_arguments(session) + KEYSLOTS_REFERENCE_SIZE;
    struct keyslots_look look;

    psa_status_t status = keyslots_look(session, slot, &look);
    if (status == PSA_SUCCESS && look.state == KEYSLOTS_TORN) {
        name(key, slot, look.revision);
        status = keyslots_execute_for(session, KEYSLOTS_REVOKE, key, 0);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    name(key, slot, look.revision + 1u);
    more[0] = KEYSLOTS_LOCKED;
    more[1] = KEYSLOTS_ALL_USAGE;
    more[2] = DEVICE_KEY_SIZE;
    return keyslots_execute_for(session, KEYSLOTS_GENERATE, key, 3);
}

psa_status_t keyslots_lock(const struct keyslots_device *device, struct keyslots_plan *plan)
{
    struct keyslots_session session;
    psa_status_t status = PSA_SUCCESS;

    keyslots_open(&session, device);
    for (uint8_t slot = 0; slot < KEYSLOTS_SLOT_COUNT && status == PSA_SUCCESS; slot++) {
        if (((unsigned)plan->missing >> slot & 1u) != 0) {
            status = make(&session, &plan->part, slot);
        }
    }
    return keyslots_close(&session, status);
}
