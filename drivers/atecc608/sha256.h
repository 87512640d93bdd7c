/* SPDX-License-Identifier: Apache-2.0 */
/* The chip's SHA-256 engine, plain or keyed. It holds one computation, for one session. */
#ifndef ATECC608_SHA256_H
#define ATECC608_SHA256_H

#include "transport.h"

#define ATECC608_SHA256_SIZE 32u
#define ATECC608_SHA256_START 0x00
#define ATECC608_HMAC_START 0x04

/*
 * Compute a digest or HMAC of `input`; 32 bytes in atecc608_output().
 *   mode    ATECC608_SHA256_START or ATECC608_HMAC_START
 *   slot    where the HMAC key is; 0 for a digest
 */
psa_status_t atecc608_sha256(struct atecc608_session *session, uint8_t mode, uint8_t slot,
                             const uint8_t *input, size_t input_length);

#endif
