/* SPDX-License-Identifier: Apache-2.0 */
/* PKCS #7 padding against a plain reading of RFC 5652, 6.3. */
#include <string.h>

#include "../../core/operations/padding.h"
#include "../harness/harness.h"

/* The length of the block's text, or -1. */
static int text_length(const uint8_t *block, size_t size)
{
    const size_t padding = block[size - 1];

    if (padding == 0 || padding > size) {
        return -1;
    }
    for (size_t i = size - padding; i < size; i++) {
        if (block[i] != padding) {
            return -1;
        }
    }
    return (int)(size - padding);
}

static void compare(const uint8_t *block, size_t size)
{
    const int wanted = text_length(block, size);
    size_t used = 99;

    EXPECT(wanted < 0 ? PSA_ERROR_INVALID_PADDING : PSA_SUCCESS,
           corral_padding_check(block, size, &used));
    CHECK(used == (wanted < 0 ? 0 : (size_t)wanted));
}

static void padding__added__is_found_again(void)
{
    for (size_t size = 8; size <= 16; size += 8) {
        for (size_t used = 0; used < size; used++) {
            uint8_t *block = test_buffer(size);
            size_t found;
            corral_padding_add(block, used, size);
            CHECK(test_all(block, used, 0xa5));
            EXPECT(PSA_SUCCESS, corral_padding_check(block, size, &found));
            CHECK(found == used);
        }
    }
}

static void padding__every_last_byte_over_every_filling__is_judged_right(void)
{
    for (unsigned filling = 0; filling < 256; filling++) {
        for (unsigned last = 0; last < 256; last++) {
            uint8_t block[16];
            memset(block, (int)filling, sizeof block);
            block[15] = (uint8_t)last;
            compare(block, 16);
            compare(block + 8, 8);
        }
    }
}

static void padding__one_byte_wrong_anywhere__is_judged_right(void)
{
    for (size_t used = 0; used < 16; used++) {
        for (size_t at = 0; at < 16; at++) {
            uint8_t block[16];
            test_fill(block, sizeof block, 0x77);
            corral_padding_add(block, used, 16);
            for (unsigned bit = 0; bit < 8; bit++) {
                block[at] ^= (uint8_t)(1u << bit);
                compare(block, 16);
                block[at] ^= (uint8_t)(1u << bit);
            }
        }
    }
}

static const struct test_case tests[] = {
    TEST(padding__added__is_found_again),
    TEST(padding__every_last_byte_over_every_filling__is_judged_right),
    TEST(padding__one_byte_wrong_anywhere__is_judged_right),
};

TEST_SUITE(padding, tests);
