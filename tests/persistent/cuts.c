/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power fails during every step of the flash while persistent keys are created, copied, destroyed
 * and taken up again. Afterwards each key is wholly there or wholly gone, and none that had been
 * confirmed is lost.
 */
#include <stdio.h>
#include <string.h>

#include <corral/board.h>

#include "../harness/material.h"
#include "device.h"

#define KEYS 5u
/* An emulated processor takes long for each, and with a manifest each has twice the steps. */
#define OPERATIONS (!CORRAL_THREADS ? 4u : CORRAL_ROLLBACK_DETECTION ? 16u : 40u)

/* The byte that each key consists of; 0: it does not exist. */
static uint8_t confirmed[KEYS + 1];
static uint32_t cuts;
static uint32_t refusals;
static uint32_t random_state;
static struct device_storage saved;

static uint32_t draw(uint32_t limit)
{
    random_state = random_state * 1103515245u + 12345u;
    return (random_state >> 16) % limit;
}

/* Every byte of key `seed` is derived from it, its length too. */
static size_t material_of(uint8_t seed, uint8_t data[32])
{
    test_fill(data, 32, seed);
    return 8u + seed % 17u;
}

static bool key_is(psa_key_id_t id, uint8_t seed)
{
    uint8_t wanted[32];
    uint8_t got[32];
    size_t length = 0;

    const psa_status_t status = psa_export_key(id, got, sizeof got, &length);
    if (seed == 0) {
        return status == PSA_ERROR_INVALID_HANDLE;
    }
    return status == PSA_SUCCESS && length == material_of(seed, wanted) &&
           memcmp(got, wanted, length) == 0;
}

/* Create key `id` by import, or as a copy of a key of the same material; or destroy it. */
static psa_status_t apply(psa_key_id_t id, uint8_t seed, psa_key_id_t source)
{
    psa_key_attributes_t attributes = test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE,
                                                      PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_COPY);
    uint8_t data[32];
    psa_key_id_t key;

    if (seed == 0) {
        return psa_destroy_key(id);
    }
    psa_set_key_id(&attributes, id);
    return source != 0 ? psa_copy_key(source, &attributes, &key)
                       : psa_import_key(&attributes, data, material_of(seed, data), &key);
}

static void check_all(psa_key_id_t at_work, uint8_t wanted)
{
    for (psa_key_id_t id = 1; id <= KEYS; id++) {
        CHECK(key_is(id, confirmed[id]) || (id == at_work && key_is(id, wanted)));
    }
}

static void cut_recovery(psa_key_id_t id, uint8_t wanted, enum flash_model_tear tear)
{
    static struct device_storage after;

    device_save(&after);
    for (uint32_t step = 1;; step++) {
        device_restore(&after);
        device_off();
        flash_model_cut(step, tear);
        (void)psa_crypto_init();
        const bool was_cut = flash_model_power_on();
        device_restart();
        check_all(id, wanted);
        if (!was_cut) {
            return;
        }
        cuts++;
    }
}

/* Do one operation, and let power fail at each of its steps in turn. */
static void operate(psa_key_id_t id, uint8_t wanted, psa_key_id_t source)
{
    psa_status_t status = PSA_SUCCESS;

    device_save(&saved);
    for (unsigned tear = 0; tear < FLASH_MODEL_TEARS; tear++) {
        for (uint32_t step = 1;; step++) {
            device_restore(&saved);
            device_restart();
            flash_model_cut(step, (enum flash_model_tear)tear);
            status = apply(id, wanted, source);
            if (!flash_model_power_on()) {
                break;
            }
            cuts++;
            CHECK(status == PSA_ERROR_STORAGE_FAILURE);
            device_off();
            cut_recovery(id, wanted, (enum flash_model_tear)tear);
        }
        REQUIRE(status == PSA_SUCCESS || (status == PSA_ERROR_INSUFFICIENT_STORAGE && wanted != 0));
    }
    refusals += status != PSA_SUCCESS;
    confirmed[id] = status == PSA_SUCCESS ? wanted : 0;
    check_all(0, 0);
}

static psa_key_id_t other_key(psa_key_id_t id)
{
    for (psa_key_id_t i = 1; i <= KEYS; i++) {
        if (i != id && confirmed[i] != 0) {
            return i;
        }
    }
    return 0;
}

static void run_on(const struct corral_flash_geometry *geometry)
{
    device_fresh(geometry);
    memset(confirmed, 0, sizeof confirmed);
    for (unsigned i = 0; i < OPERATIONS; i++) {
        const psa_key_id_t id = 1 + draw(KEYS);
        const psa_key_id_t source = draw(3) == 0 ? other_key(id) : 0;

        if (confirmed[id] != 0) {
            operate(id, 0, 0);
        } else {
            operate(id, source != 0 ? confirmed[source] : (uint8_t)(i + 1), source);
        }
    }
    CHECK(flash_model_violations() == 0);
}

static void every_step__cut_and_torn__leaves_keys_whole(void)
{
    const struct corral_flash_geometry geometries[] = {
        {512, 3, 4, true}, {1024, 2, 16, false}, {512, 2, 8, false}};
    char text[80];

    for (size_t g = 0; g < sizeof geometries / sizeof geometries[0]; g++) {
        test_context("geometry", g);
        random_state = (uint32_t)g + 1;
        run_on(&geometries[g]);
    }
    test_context(NULL, 0);
    (void)snprintf(text, sizeof text, "cuts of persistent keys: %lu; full: %lu\n",
                   (unsigned long)cuts, (unsigned long)refusals);
    corral_board_print(text);
    /* In clear records are shorter, and never fill the flash. */
    CHECK(!CORRAL_THREADS || (cuts > 1000 && (refusals > 0 || !CORRAL_SEALED_STORAGE)));
}

static const struct test_case tests[] = {
    TEST(every_step__cut_and_torn__leaves_keys_whole),
};
TEST_SUITE(cuts, tests);
