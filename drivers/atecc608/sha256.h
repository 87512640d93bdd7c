/* SPDX-License-Identifier: Apache-2.0 */
/* The chip's SHA-256 engine, plain or keyed. It holds one computation, for one session. */
#ifndef ATECC608_SHA256_H
#define ATECC608_SHA256_H

#include "transport.h"

#define ATECC608_SHA256_SIZE 32u
#define ATECC608_SHA256_BLOCK_SIZE 64u

/* Modes of the command SHA. */
#define ATECC608_SHA256_START 0x00
#define ATECC608_SHA256_UPDATE 0x01
#define ATECC608_HMAC_START 0x04
#define ATECC608_SHA256_READ_CONTEXT 0x06 /* not of an HMAC: its key would come along */
#define ATECC608_SHA256_WRITE_CONTEXT 0x07
#define ATECC608_SHA256_END 0xC2 /* result only to the output buffer */

/*
 * One step of a computation: `input` of at most ATECC608_INPUT_SIZE bytes in, `output_length` bytes
 * out to atecc608_output(). A later step that is refused means that the chip lost its
 * state.
 */
psa_status_t atecc608_sha256_step(struct atecc608_session *session, uint8_t mode,
                                  const uint8_t *input, size_t input_length, size_t output_length);

/*
 * Compute a digest or HMAC of `input`; 32 bytes in atecc608_output().
 *   mode    ATECC608_SHA256_START or ATECC608_HMAC_START
 *   slot    where the HMAC key is; 0 for a digest
 */
psa_status_t atecc608_sha256(struct atecc608_session *session, uint8_t mode, uint8_t slot,
                             const uint8_t *input, size_t input_length);

#endif
