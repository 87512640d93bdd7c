/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common part of all proofs. A proof is a program that CBMC runs for all values of its
 * inputs at once: a function named any_...() and without a body gives every value of its type.
 */
#ifndef CORRAL_TESTS_PROOFS_PROOF_H
#define CORRAL_TESTS_PROOFS_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

/* The claim, and its assumption. */
#define CLAIM(condition, text) __CPROVER_assert(condition, text)
#define GIVEN(condition) __CPROVER_assume(condition)

bool nondet_bool(void);
uint8_t nondet_uint8(void);
uint16_t nondet_uint16(void);
uint32_t nondet_uint32(void);
uint64_t nondet_uint64(void);
size_t nondet_size(void);
psa_status_t nondet_status(void);
psa_key_attributes_t nondet_attributes(void);

/* Locks that are neither taken twice nor left taken: locks.c counts them. */
bool proof_no_lock_is_held(void);
bool proof_lock_is_held(unsigned lock);

#endif
