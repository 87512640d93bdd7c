/* SPDX-License-Identifier: Apache-2.0 */
#include "slots.h"

#include <string.h>

void atecc608_take_slot(struct atecc608_state *state, uint8_t slot, uint8_t flags,
                        struct atecc608_key *key)
{
    state->used = (uint16_t)(state->used | 1u << slot);
    key->slot = slot | flags;
    key->generation = state->generation[slot];
    memcpy(key->serial, state->serial, sizeof key->serial);
}

void atecc608_give_slot(struct atecc608_state *state, const struct atecc608_key *key)
{
    const uint8_t slot = key->slot & ATECC608_KEY_SLOT;

    state->used = (uint16_t)(state->used & ~(1u << slot));
    state->generation[slot]++;
}

psa_status_t atecc608_open_key(struct atecc608_session *session, size_t device,
                               const uint8_t *key_buffer)
{
    const struct atecc608_key *key = (const struct atecc608_key *)key_buffer;

    psa_status_t status = atecc608_open(session, device);
    const struct atecc608_state *state = atecc608_state(session);
    session->slot = key->slot & ATECC608_KEY_SLOT;
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (memcmp(key->serial, state->serial, sizeof key->serial) != 0) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    return key->generation == state->generation[session->slot] ? PSA_SUCCESS
                                                               : PSA_ERROR_INVALID_HANDLE;
}
