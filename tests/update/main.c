/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware update on emulated flash. */
#include "../../update/record.h"
#include "device.h"

static const struct corral_flash_geometry geometry = {256, 2, 8, false};

/* Here, because these are before initialisation. */
static void staged_image__before_initialisation__stays_staged(void)
{
    struct corral_update_record staged = {0, PSA_FWU_STAGED, 0, PSA_SUCCESS};
    struct corral_update_image image;

    flash_model_reset(&geometry);
    device_program(0, &image_first);
    device_program(1, &image_newer);
    NEED(corral_update_store(&staged));
    EXPECT(PSA_ERROR_BAD_STATE, corral_update_boot(&image));
    CHECK(device_state() == PSA_FWU_STAGED);
}

static void verification__before_initialisation__is_bad_state(void)
{
    struct corral_update_image image;

    flash_model_reset(&geometry);
    device_program(0, &image_first);
    EXPECT(PSA_ERROR_BAD_STATE, corral_update_boot(&image));
    NEED(psa_fwu_start(0, NULL, 0));
    NEED(device_write(&image_newer));
    EXPECT(PSA_ERROR_BAD_STATE, psa_fwu_finish(0));
    CHECK(device_state() == PSA_FWU_WRITING);
    NEED(psa_crypto_init());
    NEED(psa_fwu_finish(0));
}

static const struct test_case tests[] = {
    TEST(staged_image__before_initialisation__stays_staged),
    TEST(verification__before_initialisation__is_bad_state),
};

TEST_SUITE_APART(before, tests);

int main(void)
{
    static const struct test_suite *suites[8] = {&suite_before};

    for (size_t i = 0; i < test_suite_count; i++) {
        suites[1 + i] = test_suites[i];
    }
    return test_run(suites, 1 + test_suite_count);
}
