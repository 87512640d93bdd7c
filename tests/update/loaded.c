/* SPDX-License-Identifier: Apache-2.0 */
/* The boot loader loads the image: the verified code is in memory, or the call fails. */
#include <string.h>

#include "device.h"

#define HEADER_SIZE 32u
#define CODE_SIZE 64u
#define READ_MAX_SIZE 72u /* of a signature */
#define UNUSED 0xa5

static uint8_t memory[CODE_SIZE + 8u];
static struct corral_update_image loaded;

/* Load the active image into so many bytes of memory. */
static psa_status_t load(size_t size)
{
    memset(memory, UNUSED, sizeof memory);
    memset(&loaded, 0, sizeof loaded);
    return corral_update_boot_into(memory, size, &loaded);
}

/* Whether the code of this image is in memory, and nothing behind it. */
static bool has(const struct image *image)
{
    return loaded.size == CODE_SIZE && memcmp(memory, image->bytes + HEADER_SIZE, CODE_SIZE) == 0 &&
           test_all(memory + CODE_SIZE, sizeof memory - CODE_SIZE, UNUSED);
}

static void image__of_either_slot__is_loaded(void)
{
    device_make_any();
    NEED(load(sizeof memory));
    CHECK(has(&image_first));
    device_reach(PSA_FWU_STAGED);
    NEED(load(sizeof memory));
    CHECK(has(&image_newer));
}

static void image__that_fills_the_memory__is_loaded(void)
{
    device_make_any();
    NEED(load(CODE_SIZE));
    CHECK(has(&image_first));
}

static void image__larger_than_the_memory__is_not_loaded(void)
{
    device_make_any();
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, load(CODE_SIZE - 1u));
    CHECK(test_all(memory, sizeof memory, UNUSED) && loaded.size == 0);
}

static void staged_image__larger_than_the_memory__has_failed(void)
{
    device_make_any();
    device_reach(PSA_FWU_STAGED);
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, load(CODE_SIZE - 1u)); /* the active one is as large */
    CHECK(test_all(memory, sizeof memory, UNUSED) && loaded.size == 0);
    CHECK(device_state() == PSA_FWU_FAILED && device_error() == PSA_ERROR_BUFFER_TOO_SMALL);
    NEED(load(CODE_SIZE));
    CHECK(has(&image_first));
}

static void image__that_is_forged__is_no_image(void)
{
    device_make_any();
    device_change(0, HEADER_SIZE, 1);
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, load(sizeof memory));
    CHECK(loaded.size == 0);
}

/* Each read in turn is another one than all before and after it. */
static void expect_verified_in_memory(const uint8_t *bits)
{
    device_make_any();
    const uint32_t before = flash_model_reads();
    NEED(load(sizeof memory));
    const uint32_t reads = flash_model_reads() - before;
    uint32_t failures = 0;

    for (uint32_t i = 1; i <= reads; i++) {
        device_make_any();
        flash_model_disturb_read(i, bits);
        test_context("read", i);
        const psa_status_t status = load(sizeof memory);
        CHECK(status != PSA_SUCCESS || has(&image_first));
        failures += status != PSA_SUCCESS ? 1u : 0u;
    }
    test_context(NULL, 0);
    CHECK(failures > 0);
}

static void load__from_flash_that_changes_between_reads__verifies_what_it_loads(void)
{
    static const uint8_t first[READ_MAX_SIZE] = {1};
    /* A header of 36 bytes before code of 60 has the same signed data as 32 before 64. */
    static const uint8_t sizes[READ_MAX_SIZE] = {[8] = 32 ^ 36, [12] = 64 ^ 60};

    expect_verified_in_memory(first);
    expect_verified_in_memory(sizes);
}

static const struct test_case tests[] = {
    TEST(image__of_either_slot__is_loaded),
    TEST(image__that_fills_the_memory__is_loaded),
    TEST(image__larger_than_the_memory__is_not_loaded),
    TEST(staged_image__larger_than_the_memory__has_failed),
    TEST(image__that_is_forged__is_no_image),
    TEST(load__from_flash_that_changes_between_reads__verifies_what_it_loads),
};

TEST_SUITE(loaded, tests);
