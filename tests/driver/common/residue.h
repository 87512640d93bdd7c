/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Secrets that calls leave behind, in any form: tests/driver/ residue runs a test twice
 * from the same memory, with other random numbers in the second run, and compares. A
 * difference, on the stack below a call that returned or in static memory or on the
 * heap after the test, depends on a secret. In other programs a test runs once.
 */
#ifndef TEST_RESIDUE_H
#define TEST_RESIDUE_H

#include <stddef.h>
#include <stdint.h>

#include "subject.h"

/*
 * Run a test that draws its secrets (keys, and random numbers of its calls), takes all else
 * from constants, keeps its own copies in test buffers and ends without a key in use.
 */
void residue_run(void (*test)(const struct subject_row *row), const struct subject_row *row);

/* subject_for_each() by residue_run(). */
void residue_for_each(const struct subject_kind *kind, void (*test)(const struct subject_row *row));

/* Which of the two runs this is: 0 or 1. */
unsigned residue_number(void);

/*
 * After an agreement: neither the private key `secret` nor what was agreed on is on the stack, and
 * when `key` is destroyed, neither is anywhere. Both have `size` bytes.
 */
void residue_of_agreement(psa_key_id_t key, const uint8_t *secret, const uint8_t *shared,
                          size_t size);

/* Say what of the results is no secret: copies of it may stay. */
void residue_public(const uint8_t *data, size_t size);

#endif
