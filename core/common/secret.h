/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Choices between secrets without a branch and without an address that depends on one: whether a
 * padding is right, and how long the text before it is. Masks go through volatile variables, so
 * that no compiler turns them back into branches. Sizes are below half of SIZE_MAX.
 */
#ifndef CORRAL_CORE_COMMON_SECRET_H
#define CORRAL_CORE_COMMON_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

/* All ones if a < b, else 0. */
static inline size_t corral_secret_less(size_t a, size_t b)
{
    const volatile size_t mask = (size_t)0 - ((a - b) >> (8u * sizeof(size_t) - 1u));

    return mask;
}

/* `status` under a mask of corral_secret_less(), which may be shorter than a status. */
static inline psa_status_t corral_secret_status_if(size_t mask, psa_status_t status)
{
    return status & -(psa_status_t)(mask & 1u);
}

/* All ones if a status is an error, else 0. */
static inline psa_status_t corral_secret_failed(psa_status_t status)
{
    const uint32_t bits = (uint32_t)status;
    const volatile psa_status_t mask = -(psa_status_t)((bits | (0u - bits)) >> 31);

    return mask;
}

/*
 * Whether a status is another one than PSA_SUCCESS and PSA_ERROR_INVALID_PADDING, between which no
 * branch may be: all others are public.
 */
static inline bool corral_secret_is_other(psa_status_t status)
{
    return (corral_secret_failed(status) &
            corral_secret_failed(status ^ PSA_ERROR_INVALID_PADDING)) != 0;
}

/*
 * Write `length` bytes of `text` to `output`, and zeros up to its end. The time depends on `size`,
 * and on the `room` in `text`, of which `length` are text. `text` may be `output`.
 */
void corral_secret_write(uint8_t *output, size_t size, const uint8_t *text, size_t room,
                         size_t length);

#endif
