/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that are longer than one message across the wall. */
#ifndef REMOTE_PIECES_H
#define REMOTE_PIECES_H

#include <stddef.h>

#include <corral/remote.h>

/* Of AES, and no more than that of any other cipher with blocks. */
#define REMOTE_BLOCK_SIZE 16u
/* Whole blocks, which have room on the other side as input and output. */
#define REMOTE_PIECE_SIZE (CORRAL_REMOTE_BUFFER_SIZE / 2 / REMOTE_BLOCK_SIZE * REMOTE_BLOCK_SIZE)

/* One piece over the wall, of an operation with this handle. */
typedef psa_status_t remote_cross(uint32_t *handle, const uint8_t *input, size_t input_length,
                                  uint8_t *output, size_t output_size, size_t *output_length);

/*
 * All of a text, of which as much comes out as goes in. On failure part of the output may be
 * written.
 *   PSA_ERROR_BUFFER_TOO_SMALL  output_size is less than the input; nothing was sent
 *   other                       those of the first piece that failed
 */
static inline psa_status_t remote_in_pieces(remote_cross *cross, uint32_t *handle,
                                            const uint8_t *input, size_t input_length,
                                            uint8_t *output, size_t output_size,
                                            size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    for (size_t done = 0; done < input_length;) {
        const size_t left = input_length - done;
        const size_t piece = left < REMOTE_PIECE_SIZE ? left : REMOTE_PIECE_SIZE;
        size_t written = 0;

        const psa_status_t status =
            cross(handle, input + done, piece, output + done, piece, &written);
        if (status != PSA_SUCCESS) {
            return status;
        }
        if (written != piece) {
            return PSA_ERROR_CORRUPTION_DETECTED;
        }
        done += piece;
    }
    *output_length = input_length;
    return PSA_SUCCESS;
}

#endif
