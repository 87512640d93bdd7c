/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts of the multi-part operations that mldsa-native supports. This header reaches
 * applications through psa/crypto.h, so it repeats the library's structures member by
 * member instead of including its headers; the sources assert at compile time that it fits.
 * All contexts may be copied byte by byte.
 */
#ifndef MLDSA_NATIVE_CONTEXTS_H
#define MLDSA_NATIVE_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

/* mld_shake128ctx, mld_shake256ctx */
typedef struct {
    uint64_t lanes[25];
    unsigned position; /* byte within the current block */
} mldsa_native_driver_keccak_t;

typedef struct {
    mldsa_native_driver_keccak_t keccak;
    bool is_squeezing; /* the input has ended */
} mldsa_native_driver_shake_operation_t;

#endif
