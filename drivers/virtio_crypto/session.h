/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to the device: create and end a session, which is a key with a mode and a
 * direction, and run it. No request holds a key beyond its end.
 */
#ifndef VIRTIO_CRYPTO_SESSION_H
#define VIRTIO_CRYPTO_SESSION_H

#include <stddef.h>

#include <psa/crypto_types.h>

#include "virtio_crypto_contexts.h"

#define VIRTIO_CRYPTO_BLOCK_SIZE 16u

/* Modes of AES, by the numbers of the standard (5.9.4). */
#define VIRTIO_CRYPTO_ECB 2u
#define VIRTIO_CRYPTO_CBC 3u
#define VIRTIO_CRYPTO_CTR 4u

/*
 * A text for one request. Input and output lie where the caller has them; beside them one block,
 * the last of the text, can be the driver's own.
 */
struct virtio_crypto_text {
    const uint8_t *input;
    size_t input_length;
    uint8_t *output;
    size_t output_length;
    const uint8_t *last_input; /* VIRTIO_CRYPTO_BLOCK_SIZE bytes; NULL: none */
    bool is_last_taken;        /* the last block of the output is the driver's */
};

/*
 * Hand a key to the device, for the mode and direction of `operation`. The device reads it where it
 * lies: no copy is made.
 *   PSA_ERROR_NOT_SUPPORTED        the device has no such mode or key size
 *   PSA_ERROR_INSUFFICIENT_MEMORY  it has no session left, and says so
 *   PSA_ERROR_HARDWARE_FAILURE     there is no device, or it does not do it, or not answer
 */
psa_status_t virtio_crypto_session_begin(virtio_crypto_cipher_operation_t *operation,
                                         const uint8_t *key, size_t key_size);

/* Have the device forget the key, if it has it.   PSA_ERROR_HARDWARE_FAILURE  it does not say so */
psa_status_t virtio_crypto_session_end(virtio_crypto_cipher_operation_t *operation);

/* The most bytes of a text, whole blocks, that a request may have. After a session began. */
size_t virtio_crypto_longest_text(void);

/*
 * Encrypt or decrypt whole blocks, as many as inputs and outputs have together.
 *   last  the last block of the output, if the driver takes it; a place of the driver's
 *   PSA_ERROR_HARDWARE_FAILURE  the device did not; part of the output may be written
 */
psa_status_t virtio_crypto_session_run(const virtio_crypto_cipher_operation_t *operation,
                                       const struct virtio_crypto_text *text,
                                       uint8_t last[VIRTIO_CRYPTO_BLOCK_SIZE]);

#endif
