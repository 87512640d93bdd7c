/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_BUFFERS_H
#define TEST_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Free all buffers that test_buffer() gave. Returns false if something was written beyond the end
 * of one (only where no sanitizer stops the program at that write).
 */
bool test_buffers_release(void);

/*
 * Bytes from `address` to the end of the static memory that buffers come from; 0 if the address is
 * not in it. A scan for secrets steps over them: tests keep their own copies there.
 */
size_t test_buffers_skip(const volatile uint8_t *address);

#endif
