/* SPDX-License-Identifier: Apache-2.0 */
/* CMAC by the engine (NIST SP 800-38B), which also knows what is to be done with the end. */
#include <string.h>

#include <corral/driver.h>

#include <corral/drivers/keyslots/entry_points.h>

#include "part.h"

psa_status_t keyslots_cmac_setup(keyslots_cmac_operation_t *operation,
                                 const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                 size_t key_buffer_size, psa_algorithm_t alg)
{
    (void)key_buffer_size;
    (void)alg;
    keyslots_refer(&operation->key, attributes, key_buffer);
    return PSA_SUCCESS;
}

/* Move bytes from the input to the waiting ones, as many as fit; returns their number. */
static size_t gather(keyslots_cmac_operation_t *operation, const uint8_t *input, size_t length)
{
    const size_t room = sizeof operation->waiting - operation->used;
    const size_t taken = length < room ? length : room;

    if (taken > 0) {
        memcpy(operation->waiting + operation->used, input, taken);
        operation->used = (uint8_t)(operation->used + taken);
    }
    return taken;
}

/* The waiting bytes may be the message's end, so they go to the part only when there are more. */
psa_status_t keyslots_cmac_update(keyslots_cmac_operation_t *operation, const uint8_t *input,
                                  size_t input_length)
{
    struct keyslots_session session;
    size_t done = gather(operation, input, input_length);

    if (done == input_length) {
        return PSA_SUCCESS;
    }
    psa_status_t status = keyslots_open_reference(&session, &operation->key, KEYSLOTS_MAC_MORE);
    while (done < input_length && status == PSA_SUCCESS) {
        status = keyslots_run(&session, KEYSLOTS_MAC_MORE, operation->state, operation->waiting,
                              operation->used, NULL);
        operation->used = 0;
        done += gather(operation, input + done, input_length - done);
    }
    return keyslots_close(&session, status);
}

psa_status_t keyslots_cmac_finish(keyslots_cmac_operation_t *operation, uint8_t *mac,
                                  size_t mac_size, size_t *mac_length)
{
    struct keyslots_session session;

    if (mac_size < sizeof operation->state) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = keyslots_open_reference(&session, &operation->key, KEYSLOTS_MAC_LAST);
    if (status == PSA_SUCCESS) {
        status = keyslots_run(&session, KEYSLOTS_MAC_LAST, operation->state, operation->waiting,
                              operation->used, NULL);
    }
    if (status == PSA_SUCCESS) {
        memcpy(mac, operation->state, sizeof operation->state);
        *mac_length = sizeof operation->state;
    }
    return keyslots_close(&session, status);
}

psa_status_t keyslots_cmac_abort(keyslots_cmac_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
