/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers of the tests on a PC: one heap block each, so that AddressSanitizer knows its ends. */
#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "harness.h"

#define MAX_BUFFERS 4096u

static uint8_t *buffers[MAX_BUFFERS];
static size_t buffer_count;

uint8_t *test_buffer(size_t size)
{
    REQUIRE(buffer_count < MAX_BUFFERS);
    uint8_t *buffer = malloc(size);
    REQUIRE(buffer != NULL);
    memset(buffer, 0xa5, size);
    buffers[buffer_count++] = buffer;
    return buffer;
}

bool test_buffers_release(void)
{
    while (buffer_count > 0) {
        free(buffers[--buffer_count]);
    }
    return true;
}

size_t test_buffers_skip(const volatile uint8_t *address)
{
    (void)address;
    return 0;
}
