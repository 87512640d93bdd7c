/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that inputs are read once, byte for byte, and that outputs are not read at all. Another
 * thread may write to that memory during a call, so that a second reading is of other bytes.
 *
 * With CORRAL_TEST_READS each function of the API (statuses.py makes what is in front of it) gets
 * its inputs and outputs in pages without access. Each instruction that accesses them is executed
 * by itself, and its bytes are recorded. Copies and comparisons of the C library are recorded as a
 * whole. When the program ends it prints lines `KIND psa_x parameter 0x... n`, with the algorithm,
 * and the number of bytes of one call at most. KIND is `read once` for each input that was watched,
 * `written` for each output, `read again` for an input that was not read once, `read back` for an
 * output that was read. An output in which an input lies is not watched.
 * With CORRAL_TEST_READS=trace a sanitizer also prints where that happens. Linux on x86-64.
 */
#ifndef TEST_READS_H
#define TEST_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A call of a function begins. False: it is not watched. */
bool reads_begin(const char *function);
/* Its algorithm, or 0. False: that was watched often enough. */
bool reads_about(uint32_t about);
/* Memory that the call may write to, named before inputs: those that are in it stay there. */
void reads_output(const void *data, size_t size);
/* An input: where the call is to find it. */
const void *reads_input(const char *parameter, const void *data, size_t size);
/* An output, named after inputs: where the call is to write it. */
void *reads_placed(const char *parameter, void *data, size_t size);
/* All is named, and the call is next. */
void reads_call(void);
/* The call is over. */
void reads_end(void);

#endif
