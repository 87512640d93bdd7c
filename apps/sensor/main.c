/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thermometer of a fleet: makes its identity, registers, and publishes what it measures, signed,
 * until it is stopped. docs/fleet/DEVICE.md lists its options.
 */
#include <stdlib.h>
#include <string.h>

#include <corral/board.h>
#include <corral/locations.h>
#include <fleet/device/clock.h>
#include <fleet/device/device.h>
#include <fleet/device/discovery.h>
#include <fleet/device/transport.h>

#include "commands.h"

/* The first is where the key is: in an element, if the build has one that keeps keys. */
static const psa_key_location_t locations[] = {
    CORRAL_ELEMENT_LOCATIONS PSA_KEY_LOCATION_LOCAL_STORAGE};

static struct fleet_settings settings = {
    .profile = {.kind = "thermometer",
                .signing = FLEET_P256,
                .agreement = FLEET_PAIRING ? FLEET_P256 : FLEET_NO_KEY},
};

/* The numbers that options set. */
static uint32_t count = UINT32_MAX; /* of readings; that many: without end */
static uint32_t interval = 1000;    /* milliseconds between two of them */
static uint32_t every = 4;          /* N: each N-th of them is confirmable */

static void say(const char *what, const char *text)
{
    corral_board_print(what);
    corral_board_print(text);
    corral_board_print("\n");
}

/* Take an option that consists only of digits, unless it is absent. false: it has others. */
static bool take_number(const char *name, uint32_t most, uint32_t *number)
{
    const char *value = fleet_transport_option(name);

    if (value == NULL) {
        return true;
    }
    if (value[0] == '\0' || strlen(value) > 9 || strspn(value, "0123456789") != strlen(value) ||
        (uint32_t)strtoul(value, NULL, 10) > most) {
        return false;
    }
    *number = (uint32_t)strtoul(value, NULL, 10);
    return true;
}

/* Take the options. false: one of them is wrong, which was printed. */
static bool take_options(void)
{
    const char *wrong = !take_number("count", UINT32_MAX, &count)         ? "count"
                        : !take_number("interval", UINT32_MAX, &interval) ? "interval"
                        : !take_number("every", UINT8_MAX, &every)        ? "every"
                        : !commands_start()                               ? "commander"
                                                                          : NULL;

    if (wrong != NULL) {
        say("sensor: wrong option: ", wrong);
    }
    return wrong == NULL;
}

/* Let time pass; answers that arrive meanwhile are ignored. */
static void pause(uint32_t milliseconds)
{
    const uint32_t end = fleet_port_now() + milliseconds;
    uint8_t byte;

    while ((int32_t)(end - fleet_port_now()) > 0) {
        (void)fleet_port_receive(FLEET_BROKER, &byte, sizeof byte, end);
    }
}

/* A room that is warmed and cooled: tenths of a degree. */
static int32_t measure(uint32_t round)
{
    const int32_t phase = (int32_t)(round % 40u);

    return 215 + (phase < 20 ? phase : 40 - phase);
}

/* Publish readings, for ever unless there is an end to them. Returns how many were taken. */
static uint32_t publish(struct fleet_device *device)
{
    uint32_t taken = 0;

    for (uint32_t round = 0; count == UINT32_MAX || round < count; round++) {
        const struct fleet_record record = {"t", "Cel", 0, measure(round), -1, FLEET_NUMBER};
        if (round > 0) {
            pause(interval);
        }
        const psa_status_t status = fleet_device_publish(device, &record, 1);
        taken += status == PSA_SUCCESS;
        say("sensor: ", status == PSA_SUCCESS                       ? "published"
                        : status == PSA_ERROR_COMMUNICATION_FAILURE ? "nobody answers"
                        : status == PSA_ERROR_BAD_STATE             ? "waiting"
                        : status == PSA_ERROR_NOT_PERMITTED         ? "refused"
                                                                    : "FAIL");
        obey(device, &interval);
    }
    return taken;
}

/* Get a new identity, if that is asked for. */
static psa_status_t renew(struct fleet_device *device)
{
    if (FLEET_HANDS_OVER && fleet_transport_option("handover") != NULL) {
        const psa_status_t status = fleet_device_hand_over(device);
        if (status == PSA_ERROR_BAD_STATE) {
            /* The next registration sends it. */
            say("sensor: ", "the earlier handover has not arrived");
        }
        return status == PSA_ERROR_BAD_STATE ? PSA_SUCCESS : status;
    }
    return fleet_transport_option("reset") != NULL ? fleet_device_reset(device) : PSA_SUCCESS;
}

/* Start with the identity that is asked for. */
static psa_status_t start(struct fleet_device *device)
{
    psa_status_t status = psa_crypto_init();

    if (status != PSA_SUCCESS) {
        return status;
    }
    status = fleet_device_start(device, &settings);
    if (status == PSA_ERROR_DATA_CORRUPT && fleet_transport_option("reset") != NULL) {
        status = fleet_device_reset(device);
        return status == PSA_SUCCESS ? fleet_device_start(device, &settings) : status;
    }
    return status == PSA_SUCCESS ? renew(device) : status;
}

int main(void)
{
    static struct fleet_device device;
    const char *directory = fleet_transport_option("directory");
    char text[2 * FLEET_IDENTITY_SIZE + 1];

    if (!take_options()) {
        return 1;
    }
    settings.profile.location = locations[0];
    settings.confirm_every = (uint8_t)every;
    settings.has_directory = directory != NULL;
    if (FLEET_FINDS) {
        fleet_look_for_directory(directory != NULL && strcmp(directory, FLEET_MULTICAST) == 0);
    }
    if (FLEET_HAS_CLOCK) {
        fleet_clock_follow_broker(fleet_transport_option("time") != NULL);
    }
    if (start(&device) != PSA_SUCCESS) {
        say("sensor: ", "no identity");
        return 1;
    }
    fleet_identity_text(&device.identity, text);
    say("identity: ", text);
    if (!fleet_transport_start()) {
        say("sensor: ", "no transport");
        return 1;
    }
    return publish(&device) == count ? 0 : 1;
}
