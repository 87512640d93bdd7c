/* SPDX-License-Identifier: Apache-2.0 */
/* Instead of tests/api/pake/forced.c: a test that comes here is missing among the local tests. */
#include "../../api/pake/forced.h"

#include "../../harness/harness.h"

static void fail(void)
{
    REQUIRE(!"random numbers of the test's choice can be had here");
}

void test_force_random(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
    fail();
}

void test_force_randoms(const uint8_t *data, size_t size, size_t count)
{
    (void)data;
    (void)size;
    (void)count;
    fail();
}

size_t test_forced_left(void)
{
    fail();
    return 0;
}
