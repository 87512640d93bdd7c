/* SPDX-License-Identifier: Apache-2.0 */
/* The prefix of message or hash: a domain, the context, and the hash's identifier. */
#ifndef MLDSA_NATIVE_PREFIX_H
#define MLDSA_NATIVE_PREFIX_H

#include <psa/crypto_families.h>

#define MLDSA_NATIVE_DRIVER_MESSAGE_PREFIX 2
#define MLDSA_NATIVE_DRIVER_HASH_PREFIX 13
#define MLDSA_NATIVE_DRIVER_CONTEXT_MAX 255

/* Write the prefix of a message, or of a hash; `context_length` more bytes than the above. Returns
 * the length; 0: the hash of the algorithm has no identifier. */
size_t mldsa_native_driver_message_prefix(const uint8_t *context, size_t context_length,
                                          uint8_t *prefix);
size_t mldsa_native_driver_hash_prefix(psa_algorithm_t alg, const uint8_t *context,
                                       size_t context_length, uint8_t *prefix);

#endif
