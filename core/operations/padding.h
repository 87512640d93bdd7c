/* SPDX-License-Identifier: Apache-2.0 */
/* PKCS #7 padding of a last block (RFC 5652, 6.3), in constant time where the bytes are secret. */
#ifndef CORRAL_CORE_OPERATIONS_PADDING_H
#define CORRAL_CORE_OPERATIONS_PADDING_H

#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

/* Fill `block` from `used` (< block_length) to its end. */
void corral_padding_add(uint8_t *block, size_t used, size_t block_length);

/*
 * Find out how many bytes of the decrypted last block are text, in a time that does not depend on
 * its content.
 *   *used                      text bytes, 0 to block_length - 1; 0 after a failure
 *   PSA_ERROR_INVALID_PADDING  the block does not end in a padding
 */
psa_status_t corral_padding_check(const uint8_t *block, size_t block_length, size_t *used);

#endif
