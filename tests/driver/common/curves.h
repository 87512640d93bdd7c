/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_CURVES_H
#define TEST_CURVES_H

#include "subject.h"

/* Bytes of the largest order. */
#define CURVE_MAX_SIZE 72u

/* Write the order of the row's curve, as long as a private key. The row must have one. */
void curve_order(const struct subject_row *row, uint8_t order[CURVE_MAX_SIZE]);

#endif
