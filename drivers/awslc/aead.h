/* SPDX-License-Identifier: Apache-2.0 */
/* Lengths of whole messages. */
#ifndef AWSLC_AEAD_H
#define AWSLC_AEAD_H

#include <stdbool.h>
#include <stddef.h>

#include <psa/error.h>

/* Whether `size` bytes hold a text and its tag. */
static inline bool awslc_holds(size_t size, size_t text_length, size_t tag_length)
{
    return size >= tag_length && size - tag_length >= text_length;
}

/*
 * The text in front of the tag.
 *   PSA_ERROR_INVALID_ARGUMENT  there is no whole tag
 *   PSA_ERROR_BUFFER_TOO_SMALL  the text does not fit into `size` bytes
 */
static inline psa_status_t awslc_text_of(size_t message_length, size_t tag_length, size_t size,
                                         size_t *text_length)
{
    if (message_length < tag_length) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *text_length = message_length - tag_length;
    return size < *text_length ? PSA_ERROR_BUFFER_TOO_SMALL : PSA_SUCCESS;
}

#endif
