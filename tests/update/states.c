/* SPDX-License-Identifier: Apache-2.0 */
/* States of a component: their order, and the status of each function in each of them. */
#include <string.h>

#include "device.h"

static void query__of_a_new_device__reports_the_image_and_the_limits(void)
{
    psa_fwu_component_info_t info;

    device_make_any();
    NEED(psa_fwu_query(0, &info));
    CHECK(info.state == PSA_FWU_READY && info.error == PSA_SUCCESS);
    CHECK(info.version.major == 1 && info.version.minor == VERSION_FIRST);
    CHECK(info.version.patch == 3 && info.version.build == 4);
    CHECK(info.max_size == 3u * 256u && info.flags == 0 && info.location == 0);
}

static void query__of_a_slot_without_image__has_no_version(void)
{
    static const struct corral_flash_geometry geometry = {256, 2, 8, false};
    psa_fwu_component_info_t info;

    flash_model_reset(&geometry);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, device_reset());
    NEED(psa_fwu_query(0, &info));
    CHECK(info.state == PSA_FWU_READY && info.version.major == 0 && info.max_size == 3u * 256u);
}

static void update__that_accepts_itself__stays(void)
{
    psa_fwu_component_info_t info;

    device_make_any();
    device_reach(PSA_FWU_TRIAL);
    CHECK(device_version() == VERSION_NEWER && device_state() == PSA_FWU_TRIAL);
    NEED(psa_fwu_accept());
    CHECK(device_state() == PSA_FWU_UPDATED);
    NEED(device_reset());
    CHECK(device_version() == VERSION_NEWER && device_state() == PSA_FWU_UPDATED);
    NEED(psa_fwu_clean(0));
    CHECK(device_state() == PSA_FWU_READY);
    CHECK(test_all(device_slot(0), 3u * 256u, 0xff));
    NEED(psa_fwu_query(0, &info));
    CHECK(info.location == 1 && info.version.minor == VERSION_NEWER);
}

static void update__that_does_not_accept_itself__is_taken_back(void)
{
    device_make_any();
    device_reach(PSA_FWU_TRIAL);
    NEED(device_reset());
    CHECK(device_version() == VERSION_FIRST && device_state() == PSA_FWU_FAILED);
    CHECK(device_error() == PSA_ERROR_GENERIC_ERROR);
}

static void update__that_is_rejected_on_trial__is_taken_back_with_its_error(void)
{
    device_make_any();
    device_reach(PSA_FWU_REJECTED);
    CHECK(device_state() == PSA_FWU_REJECTED && device_error() == -5);
    NEED(device_reset());
    CHECK(device_version() == VERSION_FIRST && device_state() == PSA_FWU_FAILED);
    CHECK(device_error() == -5);
}

static void update__that_is_rejected_before_the_reset__is_not_installed(void)
{
    device_make_any();
    device_reach(PSA_FWU_STAGED);
    EXPECT(PSA_SUCCESS, psa_fwu_reject(-9));
    CHECK(device_state() == PSA_FWU_FAILED && device_error() == -9);
    NEED(device_reset());
    CHECK(device_version() == VERSION_FIRST);
    NEED(psa_fwu_clean(0));
    device_reach(PSA_FWU_TRIAL);
    CHECK(device_version() == VERSION_NEWER);
}

static void candidate__after_a_reset__is_still_there(void)
{
    device_make_any();
    device_reach(PSA_FWU_CANDIDATE);
    NEED(device_reset());
    CHECK(device_version() == VERSION_FIRST && device_state() == PSA_FWU_CANDIDATE);
    EXPECT(PSA_SUCCESS_REBOOT, psa_fwu_install());
    NEED(device_reset());
    CHECK(device_version() == VERSION_NEWER);
}

static void incomplete_image__after_a_reset__is_erased(void)
{
    device_make_any();
    device_reach(PSA_FWU_WRITING);
    NEED(device_reset());
    CHECK(device_state() == PSA_FWU_READY && test_all(device_slot(1), 3u * 256u, 0xff));
}

static void incomplete_image__on_a_page_that_is_worn__does_not_stop_the_active_one(void)
{
    device_make_any();
    device_reach(PSA_FWU_WRITING);
    const unsigned last = corral_port_update_flash()->page_count - 1u;
    flash_model_wear_out((uint16_t)(flash_model_geometry()->page_count + last));
    NEED(device_reset());
    CHECK(device_version() == VERSION_FIRST && device_state() == PSA_FWU_WRITING);
    flash_model_wear_out(0);
    NEED(device_reset());
    CHECK(device_version() == VERSION_FIRST && device_state() == PSA_FWU_READY);
}

static void staged_image__without_a_slot_for_the_key__stays_staged(void)
{
    uint8_t key[CORRAL_UPDATE_KEY_SIZE];

    device_make_any();
    device_reach(PSA_FWU_STAGED);
    NEED(corral_port_update_key(key));
    for (unsigned i = 0; i < CORRAL_SINGLE_KEY_SLOTS; i++) {
        (void)test_import(PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1),
                          PSA_ALG_ECDSA(PSA_ALG_SHA_256), PSA_KEY_USAGE_VERIFY_HASH, key,
                          sizeof key);
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, device_reset());
    CHECK(device_state() == PSA_FWU_STAGED);
    test_destroy_keys();
    NEED(device_reset());
    CHECK(device_version() == VERSION_NEWER && device_state() == PSA_FWU_TRIAL);
}

static void cancel__of_a_candidate__lets_another_update_begin(void)
{
    device_make_any();
    device_reach(PSA_FWU_CANDIDATE);
    NEED(psa_fwu_cancel(0));
    CHECK(device_state() == PSA_FWU_FAILED && device_error() == PSA_SUCCESS);
    NEED(psa_fwu_clean(0));
    device_reach(PSA_FWU_TRIAL);
}

static psa_status_t start(void)
{
    return psa_fwu_start(0, NULL, 0);
}

static psa_status_t write(void)
{
    return psa_fwu_write(0, 512, image_newer.bytes, 32);
}

static psa_status_t finish(void)
{
    return psa_fwu_finish(0);
}

static psa_status_t cancel(void)
{
    return psa_fwu_cancel(0);
}

static psa_status_t clean(void)
{
    return psa_fwu_clean(0);
}

static psa_status_t reject(void)
{
    return psa_fwu_reject(0);
}

static const struct {
    psa_status_t (*call)(void);
    unsigned states; /* in which it is permitted */
} calls[] = {
    {start, 1u << PSA_FWU_READY},
    {write, 1u << PSA_FWU_WRITING},
    {finish, 1u << PSA_FWU_WRITING},
    {cancel, 1u << PSA_FWU_WRITING | 1u << PSA_FWU_CANDIDATE},
    {clean, 1u << PSA_FWU_FAILED | 1u << PSA_FWU_UPDATED},
    {psa_fwu_install, 1u << PSA_FWU_CANDIDATE},
    {reject, 1u << PSA_FWU_STAGED | 1u << PSA_FWU_TRIAL},
    {psa_fwu_accept, 1u << PSA_FWU_TRIAL},
};

#define CALLS (sizeof calls / sizeof calls[0])

static void functions__in_a_wrong_state__are_bad_state(void)
{
    for (uint8_t state = PSA_FWU_READY; state <= PSA_FWU_UPDATED; state++) {
        device_make_any();
        device_reach(state);
        for (size_t i = 0; i < CALLS; i++) {
            test_context("state and function", state * 10u + i);
            if ((calls[i].states >> state & 1u) == 0) {
                EXPECT(PSA_ERROR_BAD_STATE, calls[i].call());
                CHECK(device_state() == state);
            }
        }
    }
    test_context(NULL, 0);
}

static void functions__without_power__are_storage_failure(void)
{
    for (size_t i = 0; i < CALLS; i++) {
        uint8_t state = 0;

        while ((calls[i].states >> state & 1u) == 0) {
            state++;
        }
        device_make_any();
        device_reach(state);
        flash_model_cut(1, FLASH_MODEL_NOTHING);
        test_context("function", i);
        EXPECT(PSA_ERROR_STORAGE_FAILURE, calls[i].call());
        EXPECT(PSA_ERROR_STORAGE_FAILURE, calls[i].call());
    }
    psa_fwu_component_info_t info;
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_fwu_query(0, &info));
    test_context(NULL, 0);
}

static void component__that_does_not_exist__is_said(void)
{
    psa_fwu_component_info_t info;

    device_make_any();
    memset(&info, 0x77, sizeof info);
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_fwu_query(1, &info));
    CHECK(test_all((const uint8_t *)&info, sizeof info, 0x77));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_fwu_start(1, NULL, 0));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_fwu_write(255, 0, image_first.bytes, 32));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_fwu_finish(1));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_fwu_cancel(1));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_fwu_clean(1));
}

static void manifest__that_is_detached__is_invalid(void)
{
    device_make_any();
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_fwu_start(0, image_newer.bytes, 32));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_fwu_start(0, image_newer.bytes, 0));
    CHECK(device_state() == PSA_FWU_READY);
}

static void reboot__of_an_emulated_board__is_not_supported(void)
{
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_fwu_request_reboot());
}

static const struct test_case tests[] = {
    TEST(query__of_a_new_device__reports_the_image_and_the_limits),
    TEST(query__of_a_slot_without_image__has_no_version),
    TEST(update__that_accepts_itself__stays),
    TEST(update__that_does_not_accept_itself__is_taken_back),
    TEST(update__that_is_rejected_on_trial__is_taken_back_with_its_error),
    TEST(update__that_is_rejected_before_the_reset__is_not_installed),
    TEST(candidate__after_a_reset__is_still_there),
    TEST(incomplete_image__after_a_reset__is_erased),
    TEST(incomplete_image__on_a_page_that_is_worn__does_not_stop_the_active_one),
    TEST(staged_image__without_a_slot_for_the_key__stays_staged),
    TEST(cancel__of_a_candidate__lets_another_update_begin),
    TEST(functions__in_a_wrong_state__are_bad_state),
    TEST(functions__without_power__are_storage_failure),
    TEST(component__that_does_not_exist__is_said),
    TEST(manifest__that_is_detached__is_invalid),
    TEST(reboot__of_an_emulated_board__is_not_supported),
};

TEST_SUITE(states, tests);
