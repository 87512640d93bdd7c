/* SPDX-License-Identifier: Apache-2.0 */
#include "part.h"

#include <string.h>

#include <corral/devices.h>
#include <corral/driver.h>
#include <corral/lock.h>
#include <corral/port.h>

void keyslots_open(struct keyslots_session *session, const struct keyslots_device *device)
{
    session->device = device;
    session->pushed = 0;
    corral_lock_enter(CORRAL_LOCK_DEVICE(device->index));
}

psa_status_t keyslots_close(struct keyslots_session *session, psa_status_t status)
{
    const unsigned lock = CORRAL_LOCK_DEVICE(session->device->index);

    if (session->pushed != 0) {
        /* If this does not arrive, the key stays until the next is pushed, or power goes. */
        (void)keyslots_execute(session, KEYSLOTS_DROP, 0, 0);
    }
    corral_wipe(session, sizeof *session);
    corral_lock_leave(lock);
    return status;
}

/* The part's statuses. */
static psa_status_t meaning(uint8_t code)
{
    enum { OK, BAD_COMMAND, OTHER_PART, OTHER_KEY, TAKEN, LOCKED_SLOT, BAD_USAGE, NO_KEY };

    switch (code) {
    case OK:
        return PSA_SUCCESS;
    case OTHER_PART:
    case NO_KEY: /* it was pushed in this session: power has failed since */
        return PSA_ERROR_COMMUNICATION_FAILURE;
    case OTHER_KEY:
    case TAKEN:
        return PSA_ERROR_INVALID_HANDLE;
    case LOCKED_SLOT:
    case BAD_USAGE:
        return PSA_ERROR_NOT_PERMITTED;
    default:
        return PSA_ERROR_HARDWARE_FAILURE;
    }
}

psa_status_t keyslots_execute(struct keyslots_session *session, uint8_t command, size_t input_size,
                              size_t output_size)
{
    const struct keyslots_device *device = session->device;

    session->command[0] = command;
    psa_status_t status =
        corral_port_i2c_write(device->bus, device->address, session->command, 1 + input_size);
    if (status == PSA_SUCCESS) {
        status =
            corral_port_i2c_read(device->bus, device->address, session->answer, 1 + output_size);
    }
    return status == PSA_SUCCESS ? meaning(session->answer[0]) : PSA_ERROR_COMMUNICATION_FAILURE;
}

psa_status_t keyslots_execute_for(struct keyslots_session *session, uint8_t command,
                                  const struct keyslots_key *key, size_t more)
{
    memcpy(keyslots_arguments(session), key, KEYSLOTS_REFERENCE_SIZE);
    return keyslots_execute(session, command, KEYSLOTS_REFERENCE_SIZE + more, 0);
}

psa_status_t keyslots_identify(struct keyslots_session *session, struct keyslots_key *key)
{
    psa_status_t status = keyslots_execute(session, KEYSLOTS_IDENTIFY, 0, KEYSLOTS_SERIAL_SIZE + 1);

    if (status == PSA_SUCCESS) {
        memcpy(key->serial, keyslots_result(session), sizeof key->serial);
    }
    return status;
}

psa_status_t keyslots_look(struct keyslots_session *session, uint8_t slot,
                           struct keyslots_look *look)
{
    const uint8_t *seen = keyslots_result(session);

    keyslots_arguments(session)[0] = slot;
    psa_status_t status = keyslots_execute(session, KEYSLOTS_LOOK, 1, 6);
    if (status == PSA_SUCCESS) {
        *look = (struct keyslots_look){
            .state = seen[0],
            .policy = seen[1],
            .usage = seen[2],
            .size = seen[3],
            .revision = (uint16_t)(seen[4] | (unsigned)seen[5] << 8),
        };
    }
    return status;
}

void keyslots_refer(keyslots_reference_t *reference, const psa_key_attributes_t *attributes,
                    const uint8_t *key_buffer)
{
    _Static_assert(sizeof reference->context == sizeof(struct keyslots_key), "it holds a context");
    reference->device = (uint8_t)corral_keyslots_device_index(attributes);
    memcpy(reference->context, key_buffer, sizeof reference->context);
}

psa_status_t keyslots_open_reference(struct keyslots_session *session,
                                     const keyslots_reference_t *reference, uint8_t mode)
{
    static const uint8_t usages[] = {
        [KEYSLOTS_ECB_ENCRYPT] = KEYSLOTS_ENCRYPT, [KEYSLOTS_ECB_DECRYPT] = KEYSLOTS_DECRYPT,
        [KEYSLOTS_CBC_ENCRYPT] = KEYSLOTS_ENCRYPT, [KEYSLOTS_CBC_DECRYPT] = KEYSLOTS_DECRYPT,
        [KEYSLOTS_CTR] = KEYSLOTS_COUNTER,         [KEYSLOTS_MAC_MORE] = KEYSLOTS_MAC,
        [KEYSLOTS_MAC_LAST] = KEYSLOTS_MAC,
    };

    keyslots_open(session, &corral_keyslots_devices[reference->device]);
    session->pushed = usages[mode]; /* from now on, also if the answer is lost */
    keyslots_arguments(session)[KEYSLOTS_REFERENCE_SIZE] = session->pushed;
    return keyslots_execute_for(session, KEYSLOTS_PUSH,
                                (const struct keyslots_key *)reference->context, 1);
}

psa_status_t keyslots_run(struct keyslots_session *session, uint8_t mode,
                          uint8_t state[KEYSLOTS_BLOCK_SIZE], const uint8_t *input, size_t length,
                          uint8_t *output)
{
    uint8_t *arguments = keyslots_arguments(session);
    const size_t output_length = mode < KEYSLOTS_MAC_MORE ? length : 0;

    arguments[0] = mode;
    memcpy(arguments + 1, state, KEYSLOTS_BLOCK_SIZE);
    if (length > 0) {
        memcpy(arguments + 1 + KEYSLOTS_BLOCK_SIZE, input, length);
    }
    psa_status_t status = keyslots_execute(session, KEYSLOTS_RUN, 1 + KEYSLOTS_BLOCK_SIZE + length,
                                           KEYSLOTS_BLOCK_SIZE + output_length);
    if (status == PSA_SUCCESS) {
        memcpy(state, keyslots_result(session), KEYSLOTS_BLOCK_SIZE);
    }
    if (status == PSA_SUCCESS && output_length > 0) {
        memcpy(output, keyslots_result(session) + KEYSLOTS_BLOCK_SIZE, output_length);
    }
    return status;
}
