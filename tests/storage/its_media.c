/* SPDX-License-Identifier: Apache-2.0 */
/* Internal trusted storage on flash that is damaged, or has no power. */
#include <string.h>

#include <psa/internal_trusted_storage.h>

#include "../harness/harness.h"
#include "media.h"

static const uint8_t text[] = "an entry";

static void begin(void)
{
    const struct corral_flash_geometry geometry = {512, 3, 4, true};

    media_fresh(&geometry);
}

/* A bit of each copy of the text is another. */
static void damage_texts(void)
{
    uint8_t *const content = flash_model_content();
    const struct corral_flash_geometry *const geometry = flash_model_geometry();
    const size_t size = (size_t)geometry->page_size * geometry->page_count;

    for (size_t i = 0; i + sizeof text <= size; i++) {
        content[i] ^= memcmp(content + i, text, sizeof text) == 0 ? 1 : 0;
    }
    media_restart();
}

static void write_once__damaged__is_neither_read_nor_replaced_nor_removed(void)
{
    uint8_t got[20];
    size_t length;

    begin();
    EXPECT(PSA_SUCCESS, psa_its_set(1, sizeof text, text, PSA_STORAGE_FLAG_WRITE_ONCE));
    EXPECT(PSA_SUCCESS, psa_its_set(2, sizeof text, text, PSA_STORAGE_FLAG_NONE));
    damage_texts();
    for (unsigned i = 0; i < 2; i++) {
        EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get(1, 0, sizeof got, got, &length));
        EXPECT(PSA_ERROR_NOT_PERMITTED, psa_its_set(1, 1, text, PSA_STORAGE_FLAG_NONE));
        EXPECT(PSA_ERROR_NOT_PERMITTED, psa_its_remove(1));
        media_restart();
    }
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get(2, 0, sizeof got, got, &length));
    EXPECT(PSA_SUCCESS, psa_its_set(2, 1, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_its_get(2, 0, sizeof got, got, &length));
}

static void flash__without_power__is_a_storage_failure(void)
{
    struct psa_storage_info_t info;
    uint8_t got[4];
    size_t length;

    begin();
    EXPECT(PSA_SUCCESS, psa_its_set(1, 4, text, PSA_STORAGE_FLAG_NONE));
    flash_model_cut(1, FLASH_MODEL_NOTHING);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_set(1, 4, text, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get(1, 0, 4, got, &length));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get_info(1, &info));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_remove(1));
    CHECK(media_restart());
    EXPECT(PSA_SUCCESS, psa_its_get(1, 0, 4, got, &length));
}

static const struct test_case tests[] = {
    TEST(write_once__damaged__is_neither_read_nor_replaced_nor_removed),
    TEST(flash__without_power__is_a_storage_failure),
};

TEST_SUITE(its_media, tests);
