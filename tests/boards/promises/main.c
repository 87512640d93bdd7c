/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The promises of a board and its port to an application; a line for each promise. The build says
 * what the board has: BOARD_DELAY, BOARD_ENTROPY, BOARD_RANDOM, BOARD_STORAGE, BOARD_FLASH, each 0
 * or 1, and how main() ends (BOARD_STATUS). Calls of flash that write or erase are wrapped, so that
 * power can fail.
 */
#include <string.h>

#include <corral/board.h>
#include <corral/port.h>
#include <psa/crypto.h>
#include <psa/internal_trusted_storage.h>

#include "../../../storage/log.h"
#include "power.h"

#define ENTRY 1u
#define ROUNDS 120u /* round the log several times, on flash of a few pages */
#define SIZE 200u
#define DELAY_US 300000u

static volatile uint32_t initialised = 0x5eed1234u;
static volatile uint8_t zeroed[64];

static void say(const char *promise, bool is_kept)
{
    corral_board_print(promise);
    corral_board_print(is_kept ? ": pass\n" : ": FAIL\n");
}

static bool has_variables(void)
{
    bool is_well = initialised == 0x5eed1234u;

    for (size_t i = 0; i < sizeof zeroed; i++) {
        is_well = is_well && zeroed[i] == 0;
    }
    return is_well;
}

/* Raw output that is not all the same, with a claim that it can hold. */
static bool has_entropy(void)
{
    uint8_t raw[64];
    size_t bits = 0;
    bool differs = false;

    if (corral_port_entropy(raw, sizeof raw, &bits) != PSA_SUCCESS) {
        return false;
    }
    for (size_t i = 1; i < sizeof raw; i++) {
        differs = differs || raw[i] != raw[0];
    }
    return differs && bits > 0 && bits <= 8 * sizeof raw;
}

static bool draws_random_bytes(void)
{
    uint8_t first[16];
    uint8_t second[16];

    return psa_generate_random(first, sizeof first) == PSA_SUCCESS &&
           psa_generate_random(second, sizeof second) == PSA_SUCCESS &&
           memcmp(first, second, sizeof first) != 0;
}

static bool holds(uint8_t value)
{
    uint8_t data[SIZE];
    uint8_t expected[SIZE];
    size_t length = 0;

    memset(expected, value, sizeof expected);
    return psa_its_get(ENTRY, 0, sizeof data, data, &length) == PSA_SUCCESS &&
           length == sizeof data && memcmp(data, expected, sizeof data) == 0;
}

static psa_status_t put(uint8_t value)
{
    uint8_t data[SIZE];

    memset(data, value, sizeof data);
    return psa_its_set(ENTRY, sizeof data, data, PSA_STORAGE_FLAG_NONE);
}

static bool keeps_entries(void)
{
    struct psa_storage_info_t info;

    return put(1) == PSA_SUCCESS && holds(1) && put(2) == PSA_SUCCESS && holds(2) &&
           psa_its_remove(ENTRY) == PSA_SUCCESS &&
           psa_its_get_info(ENTRY, &info) == PSA_ERROR_DOES_NOT_EXIST;
}

/* Whatever step power fails at, the entry is wholly the old one or wholly the new one. */
static bool survives_power_cuts(void)
{
    uint32_t cuts = 0;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint8_t old = (uint8_t)(2 * round);
        const uint8_t new = (uint8_t)(2 * round + 1);

        if (put(old) != PSA_SUCCESS || !holds(old)) {
            return false;
        }
        power_fails_at(1 + round % 5);
        const psa_status_t status = put(new);
        const bool was_cut = power_returns();
        corral_log_unmount();
        cuts += was_cut ? 1u : 0u;
        if (!(holds(new) || (was_cut && status != PSA_SUCCESS && holds(old))) ||
            (!was_cut && status != PSA_SUCCESS)) {
            return false;
        }
    }
    /* A change takes several steps, so most of these were cuts. */
    return psa_its_remove(ENTRY) == PSA_SUCCESS && cuts > ROUNDS / 3;
}

/* The test that reads these lines has a clock. */
static void wait(void)
{
    corral_board_print("delay begins\n");
    corral_port_delay_us(DELAY_US);
    corral_board_print("delay ends\n");
}

int main(void)
{
    say("start-up", has_variables());
    if (BOARD_DELAY) {
        wait();
    }
    say("init", psa_crypto_init() == PSA_SUCCESS);
    if (BOARD_ENTROPY) {
        say("entropy", has_entropy());
    }
    if (BOARD_RANDOM) {
        say("random", draws_random_bytes());
    }
    if (BOARD_STORAGE) {
        say("storage", keeps_entries());
    }
    if (BOARD_FLASH) {
        say("power cuts", survives_power_cuts());
    }
    return BOARD_STATUS;
}
