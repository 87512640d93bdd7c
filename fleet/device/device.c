/* SPDX-License-Identifier: Apache-2.0 */
#include "device.h"

#include <string.h>

#include "clock.h"
#include "conversation.h"
#include "handover.h"
#include "pairing.h"
#include "reading.h"
#include "senml_json.h"

psa_status_t fleet_device_start(struct fleet_device *device, const struct fleet_settings *settings)
{
    memset(device, 0, sizeof *device);
    device->settings = settings;
    psa_status_t status = fleet_identity_start(&device->identity, &settings->profile);
    if (status == PSA_SUCCESS) {
        status =
            fleet_sequence_start(&device->sequence, fleet_identity_sequence(&device->identity));
    }
    return status == PSA_SUCCESS ? fleet_link_begin(&device->link) : status;
}

static psa_status_t renew(struct fleet_device *device, bool hands_over)
{
    uint8_t before[FLEET_IDENTITY_SIZE];

    fleet_identity_copy(before, device->identity.id);
    const psa_status_t status = FLEET_HANDS_OVER && hands_over
                                    ? fleet_hand_over(&device->identity)
                                    : fleet_identity_reset(&device->identity);
    if (!fleet_identity_is(before, device->identity.id)) { /* it is unknown so far */
        device->is_registered = false;
        device->is_in_directory = false;
        memset(device->patience, 0, sizeof device->patience);
        memset(device->backoff, 0, sizeof device->backoff);
        if (FLEET_PAIRING) {
            fleet_pairing_end(device);
        }
    }
    /* Also after a reset that failed half-way: the sequence is that of the key that counts now. */
    const psa_status_t started =
        fleet_sequence_start(&device->sequence, fleet_identity_sequence(&device->identity));
    return status != PSA_SUCCESS ? status : started;
}

psa_status_t fleet_device_reset(struct fleet_device *device)
{
    return renew(device, false);
}

#if FLEET_HANDS_OVER

psa_status_t fleet_device_hand_over(struct fleet_device *device)
{
    return device->settings->group_size > 0 ? PSA_ERROR_NOT_PERMITTED : renew(device, true);
}

#endif

/* Whether measurements fit a pack. */
static bool is_small(const struct fleet_record *records, uint8_t count)
{
    struct corral_cbor counter;

    if (FLEET_JWS) {
        const size_t moment = FLEET_HAS_CLOCK ? FLEET_JSON_MOMENT_SIZE(count) : 0;
        corral_cbor_begin(&counter, NULL, moment < FLEET_PACK_SIZE ? FLEET_PACK_SIZE - moment : 0);
        fleet_senml_json_write(&counter, records, count, NULL);
    } else {
        corral_cbor_begin(&counter, NULL, FLEET_PACK_SIZE - FLEET_MOMENT_SIZE);
        fleet_senml_write(&counter, records, count);
    }
    return !counter.is_full;
}

psa_status_t fleet_device_publish(struct fleet_device *device, const struct fleet_record *records,
                                  uint8_t count)
{
    struct fleet_manner manner = {
        .tries = FLEET_TRIES,
        .is_confirmable = device->since_confirmed + 1u >= device->settings->confirm_every,
    };
    psa_status_t status = PSA_SUCCESS;

    if (count == 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!is_small(records, count)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (fleet_has_to_wait(device, FLEET_BROKER)) {
        return PSA_ERROR_BAD_STATE;
    }
    if (FLEET_HAS_CLOCK) {
        fleet_clock_mark();
    }
    if (device->is_registered) { /* otherwise it comes with the registration */
        fleet_enter_directory(device);
    }
    do {
        manner.tries--;
        if (!device->is_registered) {
            status = fleet_device_register(device);
        }
        if (status == PSA_SUCCESS) {
            status = fleet_send_reading(device, records, count, &manner);
        }
    } while (status == PSA_SUCCESS && manner.is_wanted_again);
    return status;
}
