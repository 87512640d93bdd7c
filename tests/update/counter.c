/* SPDX-License-Identifier: Apache-2.0 */
/* The security counter: an image that was accepted keeps those with a lower one from starting. */
#include <string.h>

#include "../../ports/common/update_counter.h"
#include "device.h"

static void image__that_was_accepted__raises_the_counter_at_the_next_reset(void)
{
    device_make_any();
    CHECK(device_counter() == 0);
    device_reach(PSA_FWU_UPDATED);
    CHECK(device_counter() == 0);
    NEED(device_reset());
    CHECK(device_counter() == COUNTER_NEWER);
    NEED(device_reset());
    CHECK(device_counter() == COUNTER_NEWER && device_version() == VERSION_NEWER);
}

static void image__on_trial__leaves_the_way_back(void)
{
    device_make_any();
    device_reach(PSA_FWU_TRIAL);
    CHECK(device_counter() == 0);
    NEED(device_reset());
    CHECK(device_version() == VERSION_FIRST && device_counter() == 0);
}

static void image__with_a_lower_counter__does_not_start(void)
{
    struct corral_update_image image;

    device_make_any();
    update_counter_set(1);
    memset(&image, 0x77, sizeof image);
    EXPECT(PSA_ERROR_NOT_PERMITTED, corral_update_boot(&image));
    CHECK(test_all((const uint8_t *)&image, sizeof image, 0x77));
    update_counter_set(0);
    NEED(device_reset());
}

static void image__of_the_factory__raises_the_counter(void)
{
    static const struct corral_flash_geometry geometry = {256, 2, 8, false};
    struct corral_update_image image;

    flash_model_reset(&geometry);
    update_counter_set(0);
    device_program(0, &image_counted);
    NEED(corral_update_boot(&image));
    CHECK(image.security_counter == 0x80000000u && device_counter() == 0x80000000u);
}

static void newer_version__with_a_lower_counter__is_not_permitted(void)
{
    device_make_any();
    update_counter_set(COUNTER_NEWER);
    NEED(psa_fwu_start(0, NULL, 0));
    NEED(device_write(&image_lower));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_fwu_finish(0));
    CHECK(device_state() == PSA_FWU_FAILED && device_error() == PSA_ERROR_NOT_PERMITTED);
}

static void same_counter__is_permitted(void)
{
    device_make_any();
    update_counter_set(COUNTER_NEWER - 1u);
    NEED(psa_fwu_start(0, NULL, 0));
    NEED(device_write(&image_lower));
    NEED(psa_fwu_finish(0));
}

static void counter__that_cannot_be_raised__does_not_stop_the_image(void)
{
    struct corral_update_image image;

    device_make_any();
    device_reach(PSA_FWU_UPDATED);
    flash_model_cut(1, FLASH_MODEL_NOTHING);
    NEED(corral_update_boot(&image));
    CHECK(image.version.minor == VERSION_NEWER);
    NEED(device_reset());
    CHECK(device_counter() == COUNTER_NEWER);
}

static void signed_area__that_is_damaged__is_no_image(void)
{
    static const struct image *const images[] = {
        &image_counted_twice,
        &image_counted_in_three_bytes,
        &image_beyond_its_area,
        &image_with_half_an_entry,
    };

    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
        test_context("image", i);
        device_make_any();
        NEED(psa_fwu_start(0, NULL, 0));
        NEED(device_write(images[i]));
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_fwu_finish(0));
    }
    test_context(NULL, 0);
}

/* Each read in turn differs from all before and after it. */
static void counter__in_flash_that_changes_between_reads__is_the_signed_one(void)
{
    static const uint8_t lowest_bit[72] = {1};
    struct corral_update_image image;
    uint32_t reads = 1;

    for (uint32_t i = 1; i <= reads; i++) {
        device_make_any();
        device_reach(PSA_FWU_UPDATED);
        const uint32_t before = flash_model_reads();
        flash_model_disturb_read(i, lowest_bit);
        test_context("read", i);
        const psa_status_t status = corral_update_boot(&image);
        CHECK(status != PSA_SUCCESS || image.security_counter == COUNTER_NEWER ||
              image.version.minor == VERSION_FIRST);
        CHECK(device_counter() == 0 || device_counter() == COUNTER_NEWER);
        reads = flash_model_reads() - before > reads ? flash_model_reads() - before : reads;
    }
    test_context(NULL, 0);
    CHECK(reads > 10);
}

static const struct test_case tests[] = {
    TEST(image__that_was_accepted__raises_the_counter_at_the_next_reset),
    TEST(image__on_trial__leaves_the_way_back),
    TEST(image__with_a_lower_counter__does_not_start),
    TEST(image__of_the_factory__raises_the_counter),
    TEST(newer_version__with_a_lower_counter__is_not_permitted),
    TEST(same_counter__is_permitted),
    TEST(counter__that_cannot_be_raised__does_not_stop_the_image),
    TEST(signed_area__that_is_damaged__is_no_image),
    TEST(counter__in_flash_that_changes_between_reads__is_the_signed_one),
};

TEST_SUITE(counter, tests);
