/* SPDX-License-Identifier: Apache-2.0 */
/* One block of AES-128 in the chip, and how multi-part operations find their key again. */
#ifndef ATECC608_BLOCK_H
#define ATECC608_BLOCK_H

#include "transport.h"

#include <stdbool.h>

#include <psa/crypto_types.h>

#include "atecc608_contexts.h"

/* Encrypt or decrypt 16 bytes with the key in session->slot. `output` may be `input`; it is not
 * written on failure. */
psa_status_t atecc608_block(struct atecc608_session *session, bool is_encrypt, const uint8_t *input,
                            uint8_t *output);

/* a = a xor b, 16 bytes. */
void atecc608_xor_block(uint8_t *a, const uint8_t *b);

/* Remember the key of an operation. */
void atecc608_refer(atecc608_key_reference_t *reference, const psa_key_attributes_t *attributes,
                    const uint8_t *key_buffer);

/* atecc608_open_key() for a key remembered so. */
psa_status_t atecc608_open_reference(struct atecc608_session *session,
                                     const atecc608_key_reference_t *reference);

#endif
