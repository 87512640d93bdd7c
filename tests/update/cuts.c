/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power fails during every step of the flash while an image is updated, in every way of tearing,
 * and once more during the recovery. The device then starts the old image or the new one, the new
 * one for certain after it was accepted, and the update can be carried to its end.
 */
#include <stdio.h>
#include <string.h>

#include "device.h"

#define CALLS 7u
#define ACCEPTED 6u  /* calls after which the new image stays */
#define INSTALLED 3u /* calls before which it is not started */

static psa_status_t call(unsigned number)
{
    switch (number) {
    case 0:
        return psa_fwu_start(0, NULL, 0);
    case 1:
        return device_write(&image_newer);
    case 2:
        return psa_fwu_finish(0);
    case 3:
        return psa_fwu_install() == PSA_SUCCESS_REBOOT ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
    case 4:
        return device_boot();
    case 5:
        return psa_fwu_accept();
    default:
        return psa_fwu_clean(0);
    }
}

/* The call that continues the update from a state. */
static unsigned next_call(uint8_t state)
{
    switch (state) {
    case PSA_FWU_READY:
        return 0;
    case PSA_FWU_CANDIDATE:
        return 3;
    case PSA_FWU_STAGED:
        return 4;
    case PSA_FWU_TRIAL:
        return 5;
    default:
        return 6;
    }
}

/* From whatever a reset left to the new image and READY. */
static void carry_to_the_end(void)
{
    for (unsigned i = 0; i < 2u * CALLS; i++) {
        if (device_state() == PSA_FWU_READY && device_version() == VERSION_NEWER) {
            return;
        }
        if (device_state() == PSA_FWU_READY) {
            NEED(call(0));
            NEED(call(1));
            NEED(call(2));
        }
        NEED(call(next_call(device_state())));
    }
    CHECK(false);
}

/* A READY device has an erased slot, or the next image could not be written. */
static void check_erased_if_ready(void)
{
    psa_fwu_component_info_t info;

    NEED(psa_fwu_query(0, &info));
    CHECK(info.state != PSA_FWU_READY ||
          test_all(device_slot(info.location ^ 1u), info.max_size, 0xff));
}

/* One life whose power fails at a step. Returns whether it did. */
static bool live(const struct corral_flash_geometry *geometry, uint32_t step,
                 enum flash_model_tear tear)
{
    unsigned done = 0;

    device_make(geometry);
    flash_model_cut(step, tear);
    while (done < CALLS && call(done) == PSA_SUCCESS) {
        done++;
    }
    if (done == CALLS) {
        CHECK(flash_model_violations() == 0);
        return false;
    }
    REQUIRE(flash_model_power_on());
    flash_model_cut(1u + step % 5u, tear);
    struct corral_update_image image;
    (void)corral_update_boot(&image);
    NEED(device_reset());
    check_erased_if_ready();
    const unsigned version = device_version();
    CHECK(version == VERSION_FIRST || version == VERSION_NEWER);
    CHECK(done < ACCEPTED || version == VERSION_NEWER);
    CHECK(done >= INSTALLED || version == VERSION_FIRST);
    carry_to_the_end();
    check_erased_if_ready();
    NEED(device_reset());
    CHECK(device_counter() == COUNTER_NEWER);
    CHECK(flash_model_violations() == 0);
    return true;
}

static void update__whose_power_fails_at_any_step__can_be_finished(void)
{
    static const struct corral_flash_geometry geometries[] = {
        {128, 2, 32, false},
        {128, 2, 8, true},
    };
    /* An emulated processor takes long for each. */
    const bool is_fast = sizeof(void *) > 4;
    const uint32_t stride = is_fast ? 1u : 7u;
    uint32_t cuts = 0;

    for (size_t g = 0; g < (is_fast ? 2u : 1u); g++) {
        for (unsigned tear = 0; tear < FLASH_MODEL_TEARS; tear++) {
            for (uint32_t step = 1; live(&geometries[g], step, (enum flash_model_tear)tear);
                 step += stride) {
                test_context("step", step);
                cuts++;
            }
        }
    }
    test_context(NULL, 0);
    printf("%u power cuts\n", (unsigned)cuts);
    CHECK(cuts >= (is_fast ? 230u : 9u));
}

static void states__without_end__find_room(void)
{
    static const struct corral_flash_geometry geometry = {64, 2, 32, false};

    /* Two records a page; a slot of three pages is too small for an image. */
    flash_model_reset(&geometry);
    (void)device_reset();
    for (unsigned i = 0; i < 20; i++) {
        NEED(psa_fwu_start(0, NULL, 0));
        NEED(psa_fwu_cancel(0));
        NEED(psa_fwu_clean(0));
    }
    CHECK(flash_model_violations() == 0 && flash_model_wear(2) > 10);
}

static const struct test_case tests[] = {
    TEST(update__whose_power_fails_at_any_step__can_be_finished),
    TEST(states__without_end__find_room),
};

TEST_SUITE(cuts, tests);
