/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers of the tests on a board: pieces of one array, with guard bytes before and after each. */
#include <string.h>

#include "buffers.h"
#include "harness.h"

#define ARENA_SIZE 65536u
#define MAX_BUFFERS 512u
#define GUARD_SIZE 16u
#define GUARD 0xee

static uint8_t arena[ARENA_SIZE];
static size_t used;
static struct {
    uint8_t *start;
    size_t size;
} buffers[MAX_BUFFERS];
static size_t buffer_count;

uint8_t *test_buffer(size_t size)
{
    REQUIRE(buffer_count < MAX_BUFFERS && size + 2 * GUARD_SIZE <= ARENA_SIZE - used);
    uint8_t *buffer = arena + used + GUARD_SIZE;
    memset(buffer - GUARD_SIZE, GUARD, GUARD_SIZE);
    memset(buffer, 0xa5, size);
    memset(buffer + size, GUARD, GUARD_SIZE);
    buffers[buffer_count].start = buffer;
    buffers[buffer_count].size = size;
    buffer_count++;
    used += size + 2 * GUARD_SIZE;
    return buffer;
}

bool test_buffers_release(void)
{
    bool is_clean = true;

    while (buffer_count > 0) {
        buffer_count--;
        const uint8_t *start = buffers[buffer_count].start;
        is_clean = is_clean && test_all(start - GUARD_SIZE, GUARD_SIZE, GUARD) &&
                   test_all(start + buffers[buffer_count].size, GUARD_SIZE, GUARD);
    }
    used = 0;
    return is_clean;
}

size_t test_buffers_skip(const volatile uint8_t *address)
{
    return address >= arena && address < arena + ARENA_SIZE ? (size_t)(arena + ARENA_SIZE - address)
                                                            : 0;
}
