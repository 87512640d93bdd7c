/* SPDX-License-Identifier: Apache-2.0 */
/* Only the checks of pointers: behind each, the linker puts a function that does nothing. */
#include <string.h>

#include "../../harness/harness.h"
#include "rows.h"

uint8_t *room;

static void check_rows(bool is_refused)
{
    size_t count = 0;

    room = test_buffer(ROOM_SIZE);
    for (size_t i = 0; i < row_count; i++) {
        if (rows[i].is_refused == is_refused) {
            test_context(rows[i].title, i);
            EXPECT(is_refused ? PSA_ERROR_INVALID_ARGUMENT : BEHIND, rows[i].call());
            count++;
        }
    }
    test_context(NULL, 0);
    CHECK(test_all(room, ROOM_SIZE, 0xa5));
    CHECK(count > 100);
}

static void pointer__null__is_refused_and_nothing_is_written(void)
{
    check_rows(true);
}

static void pointer__null_to_no_bytes__is_passed_on(void)
{
    check_rows(false);
}

static const struct test_case tests[] = {
    TEST(pointer__null__is_refused_and_nothing_is_written),
    TEST(pointer__null_to_no_bytes__is_passed_on),
};

static TEST_SUITE(pointers, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_pointers};

    return test_run(suites, 1);
}
