/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of the heap is in use, as asked for. Where frames.h can look at a driver the linker
 * (--wrap) leads malloc(), calloc() and free() here; elsewhere nothing is counted.
 */
#ifndef TEST_HEAP_H
#define TEST_HEAP_H

#include <stddef.h>

/* Bytes of the blocks that are there. */
size_t heap_in_use(void);

/* The most bytes since this was asked the last time. */
size_t heap_most(void);

#endif
