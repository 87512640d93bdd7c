/* SPDX-License-Identifier: Apache-2.0 */
/* Looking for key material that should be gone. */
#ifndef TEST_SCAN_H
#define TEST_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether keys are in memory of the test: not if they are behind a wall (harness/program.py). */
#if !defined(TEST_KEYS_ARE_HERE)
#define TEST_KEYS_ARE_HERE true
#endif

/*
 * Whether any 8 bytes of `secret` (of at least 8) are found in the writable static memory of the
 * program, or in the 32 KB of stack below the caller, where the frames of finished calls were (not
 * under AddressSanitizer). Words of four and eight bytes are also looked for in the processor's
 * order, as hashes and ciphers keep them. The secret itself must be in constant memory or on the
 * heap.
 */
bool test_memory_holds(const uint8_t *secret, size_t size);

/*
 * The same only in the stack, while the secret still has its place elsewhere: to be called after
 * each call that works with it. Also finds the secret under the inner and outer pads of HMAC.
 */
bool test_stack_holds(const uint8_t *secret, size_t size);

#endif
