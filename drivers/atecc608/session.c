/* SPDX-License-Identifier: Apache-2.0 */
#include "session.h"

#include <string.h>

#include <corral/devices.h>
#include <corral/driver.h>
#include <corral/lock.h>

#define BLOCK_SIZE 32u
#define OPCODE_READ 0x02
#define ZONE_CONFIG_BLOCK 0x80 /* configuration zone, 32 bytes */

static struct atecc608_state states[CORRAL_ATECC608_DEVICE_COUNT];

struct atecc608_state *atecc608_state(const struct atecc608_session *session)
{
    return &states[session->device->index];
}

psa_status_t atecc608_read_config(struct atecc608_session *session,
                                  uint8_t config[ATECC608_CONFIG_SIZE])
{
    psa_status_t status = PSA_SUCCESS;

    for (uint8_t block = 0; block < ATECC608_CONFIG_SIZE / BLOCK_SIZE && status == PSA_SUCCESS;
         block++) {
        /* the address counts words of four bytes */
        status = atecc608_execute(
            session, ATECC608_COMMAND(OPCODE_READ, ZONE_CONFIG_BLOCK, block << 3), 0, BLOCK_SIZE);
        memcpy(config + block * BLOCK_SIZE, atecc608_output(session), BLOCK_SIZE);
    }
    return status;
}

/* Learn which chip this is and which of its slots can be used. */
static psa_status_t meet(struct atecc608_session *session, struct atecc608_state *state)
{
    /* Commands without data leave the room for data free: no need of more stack. */
    uint8_t *config = session->send + ATECC608_PACKET_OVERHEAD;
    _Static_assert(ATECC608_PACKET_OVERHEAD + ATECC608_CONFIG_SIZE <= sizeof session->send,
                   "the configuration fits behind a packet without data");

    psa_status_t status = atecc608_read_config(session, config);
    if (status != PSA_SUCCESS) {
        return atecc608_continued(status); /* reading the configuration is always allowed */
    }
    memcpy(state->serial, config + 2, 2);
    memcpy(state->serial + 2, config + 8, 4);
    state->is_locked = config[ATECC608_CONFIG_LOCK_CONFIG] == ATECC608_LOCKED &&
                       config[ATECC608_CONFIG_LOCK_DATA] == ATECC608_LOCKED;
    state->usable = state->is_locked ? atecc608_usable_slots(session->device, config) : 0;
    state->is_known = true;
    return PSA_SUCCESS;
}

void atecc608_open_device(struct atecc608_session *session, const struct atecc608_device *device)
{
    session->device = device;
    session->awake_ms = 0;
    corral_lock_enter(CORRAL_LOCK_DEVICE(device->index));
}

psa_status_t atecc608_open(struct atecc608_session *session, size_t index)
{
    atecc608_open_device(session, &corral_atecc608_devices[index]);
    struct atecc608_state *state = atecc608_state(session);
    return state->is_known ? PSA_SUCCESS : meet(session, state);
}

psa_status_t atecc608_close(struct atecc608_session *session, psa_status_t status)
{
    const unsigned lock = CORRAL_LOCK_DEVICE(session->device->index);

    atecc608_sleep(session);
    if (status == PSA_ERROR_COMMUNICATION_FAILURE) {
        atecc608_state(session)->is_known = false;
    }
    corral_wipe(session, sizeof *session);
    corral_lock_leave(lock);
    return status;
}

psa_status_t atecc608_deliver(struct atecc608_session *session, psa_status_t status, uint8_t *data,
                              size_t size, size_t *length)
{
    if (status == PSA_SUCCESS) {
        memcpy(data, atecc608_output(session), size);
        *length = size;
    }
    return atecc608_close(session, status);
}
