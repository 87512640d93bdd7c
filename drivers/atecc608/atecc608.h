/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry points of the ATECC608 driver. Dispatch calls them for the mechanisms of driver.json only,
 * with location, key type and algorithm matched; sizes are in bytes. *..._length is written on
 * success only. PSA_ERROR_BUFFER_TOO_SMALL and PSA_ERROR_NOT_SUPPORTED mean that nothing was
 * written and nothing was changed in the chip.
 *
 * Statuses that every function which talks to a chip can return:
 *   PSA_ERROR_COMMUNICATION_FAILURE  no chip at the address, or no intact answer from it; other
 *                                    chips are not affected, and the next call starts afresh
 *   PSA_ERROR_HARDWARE_FAILURE       the chip reports a fault of its arithmetic or self test
 *   PSA_ERROR_INSUFFICIENT_ENTROPY   its generator failed the health test
 *   PSA_ERROR_NOT_PERMITTED          the configuration of slot or chip forbids the command
 * and every function that is given a key in the chip:
 *   PSA_ERROR_COMMUNICATION_FAILURE  also when another chip answers than the one that holds the key
 *   PSA_ERROR_INVALID_HANDLE         the slot was given to another key
 */
#ifndef ATECC608_H
#define ATECC608_H

#include <psa/crypto.h>

#include "atecc608_contexts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- keys --- */

/*
 * Find a slot of the kind that the key needs and write the key's context. The chip is read, at its
 * first use, and not changed.
 *   PSA_ERROR_INSUFFICIENT_STORAGE  every slot of this kind is taken, or the chip has none because
 *                                   its zones are not locked or its configuration is another one
 */
psa_status_t atecc608_allocate_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                   size_t key_buffer_size);

/*
 * Take the slot of a key that was stored in an earlier run. The chip is not asked. A context that
 * was allocated and not created counts as written from here on.
 *   PSA_ERROR_INVALID_HANDLE  the slot has another key
 *   PSA_ERROR_DATA_INVALID    no context of this driver
 */
psa_status_t atecc608_restore_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                  size_t key_buffer_size);

/*
 * Make the key unusable and give its slot back: a P-256 key is replaced by a new one that nobody
 * can name, a symmetric key by zeros. An attached key is only let go, which needs no chip.
 * On failure the key is still there and can be destroyed later, unless its creation had failed:
 * then the slot is given back in any case, and what may be in it has no name. The slot of a
 * persistent key is kept until the chip has answered.
 */
psa_status_t atecc608_destroy_key(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  size_t key_buffer_size);

/*
 * Give a key object to a key that is in the chip already.
 *   attributes  in: type and lifetime asked for; out: bits and usage as the slot permits them
 *   label       one byte, the number of the slot
 *   PSA_ERROR_INVALID_ARGUMENT  the label is not one byte from 0 to 15
 *   PSA_ERROR_DOES_NOT_EXIST    the slot holds no key, or one of another type
 *   PSA_ERROR_NOT_PERMITTED     another key object has this slot, or it holds the write key
 */
psa_status_t atecc608_attach_key(psa_key_attributes_t *attributes, const uint8_t *label,
                                 size_t label_length, uint8_t *key_buffer, size_t key_buffer_size,
                                 size_t *key_buffer_length);

/* Let the chip generate a P-256 pair in the allocated slot. The private key never leaves it. */
psa_status_t atecc608_generate_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                   size_t key_buffer_size, size_t *key_buffer_length);

/*
 * Write a P-256 private key (32 bytes, big-endian) into the allocated slot, encrypted under the
 * write key that the board declares and corral_port_element_key() knows. *bits: 256.
 *   PSA_ERROR_NOT_SUPPORTED         the board declares no write key for this chip
 *   PSA_ERROR_INVALID_ARGUMENT      not a private key of the curve; nothing was sent
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  also when corral_random() fails
 *   PSA_ERROR_NOT_PERMITTED         the chip refused: its write key is another one, or it lost its
 *                                   state on the way
 *   statuses of corral_port_element_key()
 */
psa_status_t atecc608_import_private_key(const psa_key_attributes_t *attributes,
                                         const uint8_t *data, size_t data_length,
                                         uint8_t *key_buffer, size_t key_buffer_size,
                                         size_t *key_buffer_length, size_t *bits);

/*
 * Write the P-256 public key of a pair (the chip computes it) or of a public key: 65 bytes,
 * 0x04 || X || Y.
 */
psa_status_t atecc608_export_public_key(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        uint8_t *data, size_t data_size, size_t *data_length);

/*
 * Take in a P-256 public key: 65 bytes, 0x04 || X || Y. It stays in the context; the chip is not
 * asked. *bits: 256.
 *   PSA_ERROR_INVALID_ARGUMENT  not of this form, or not a point of the curve
 */
psa_status_t atecc608_import_public_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                        size_t data_length, uint8_t *key_buffer,
                                        size_t key_buffer_size, size_t *key_buffer_length,
                                        size_t *bits);

/* Copy a public key within its location. */
psa_status_t atecc608_copy_public_key(const psa_key_attributes_t *attributes,
                                      const uint8_t *source_key_buffer,
                                      size_t source_key_buffer_size, uint8_t *key_buffer,
                                      size_t key_buffer_size, size_t *key_buffer_length);

/*
 * Write an AES-128 key (16 bytes) or an HMAC key (1 to 32 bytes) into the allocated slot. It
 * crosses the bus in clear. *bits: of the key as given.
 *   PSA_ERROR_NOT_SUPPORTED     AES of 192 or 256 bits, HMAC key of more than 32 bytes
 *   PSA_ERROR_INVALID_ARGUMENT  no size of an AES key
 */
psa_status_t atecc608_import_symmetric_key(const psa_key_attributes_t *attributes,
                                           const uint8_t *data, size_t data_length,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length, size_t *bits);

/*
 * Draw a key of the size in the attributes from the chip's generator and write it into the
 * allocated slot. It crosses the bus in clear, twice. Statuses as for import.
 */
psa_status_t atecc608_generate_symmetric_key(const psa_key_attributes_t *attributes,
                                             uint8_t *key_buffer, size_t key_buffer_size,
                                             size_t *key_buffer_length);

/* --- signatures and agreement --- */

/*
 * ECDSA with a key in the chip. `hash` of another length than 32 is cut or filled up as FIPS 186-5,
 * 6.4.1, says. The signature is r || s, 64 bytes.
 */
psa_status_t atecc608_sign_hash(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *hash,
                                size_t hash_length, uint8_t *signature, size_t signature_size,
                                size_t *signature_length);

/*
 * Verify an ECDSA signature in the chip, with a public key or with the public key of a pair.
 *   PSA_ERROR_INVALID_SIGNATURE  it is wrong: length, range of r or s, or value
 */
psa_status_t atecc608_verify_hash(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *hash,
                                  size_t hash_length, const uint8_t *signature,
                                  size_t signature_length);

/*
 * ECDH with a key in the chip. `peer_key` is 65 bytes, 0x04 || X || Y; the output is the shared
 * X coordinate, 32 bytes, which crosses the bus in clear.
 *   PSA_ERROR_INVALID_ARGUMENT  the peer's key is not a point of the curve; nothing was sent
 */
psa_status_t atecc608_key_agreement(psa_algorithm_t alg, const psa_key_attributes_t *attributes,
                                    const uint8_t *key_buffer, size_t key_buffer_size,
                                    const uint8_t *peer_key, size_t peer_key_length,
                                    uint8_t *output, size_t output_size, size_t *output_length);

/* --- symmetric operations --- */

/* AES-128 in ECB, CBC (whole blocks, no padding) or CTR: one command of the chip for each block. */
psa_status_t atecc608_cipher_encrypt_setup(atecc608_cipher_operation_t *operation,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key_buffer, size_t key_buffer_size,
                                           psa_algorithm_t alg);
psa_status_t atecc608_cipher_decrypt_setup(atecc608_cipher_operation_t *operation,
                                           const psa_key_attributes_t *attributes,
                                           const uint8_t *key_buffer, size_t key_buffer_size,
                                           psa_algorithm_t alg);
/* 16 bytes.   PSA_ERROR_INVALID_ARGUMENT  another length */
psa_status_t atecc608_cipher_set_iv(atecc608_cipher_operation_t *operation, const uint8_t *iv,
                                    size_t iv_length);
/* Output as long as the input, at the same place or apart from it; on failure part of it may be
 * written. */
psa_status_t atecc608_cipher_update(atecc608_cipher_operation_t *operation, const uint8_t *input,
                                    size_t input_length, uint8_t *output, size_t output_size,
                                    size_t *output_length);
psa_status_t atecc608_cipher_abort(atecc608_cipher_operation_t *operation);

/* AES-128-CMAC (RFC 4493): one command for each block, and one for the subkeys. */
psa_status_t atecc608_cmac_setup(atecc608_cmac_operation_t *operation,
                                 const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                 size_t key_buffer_size, psa_algorithm_t alg);
psa_status_t atecc608_cmac_update(atecc608_cmac_operation_t *operation, const uint8_t *input,
                                  size_t input_length);
psa_status_t atecc608_cmac_finish(atecc608_cmac_operation_t *operation, uint8_t *mac,
                                  size_t mac_size, size_t *mac_length);
psa_status_t atecc608_cmac_abort(atecc608_cmac_operation_t *operation);

/* HMAC-SHA-256 with a key in the chip: 32 bytes. */
psa_status_t atecc608_hmac_compute(const psa_key_attributes_t *attributes,
                                   const uint8_t *key_buffer, size_t key_buffer_size,
                                   psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                                   uint8_t *mac, size_t mac_size, size_t *mac_length);

/* --- without a key: served by the chip that the configuration names --- */

/* SHA-256: 32 bytes. */
psa_status_t atecc608_hash_compute(psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                                   uint8_t *hash, size_t hash_size, size_t *hash_length);

/*
 * The same in parts: one session for each update that completes a block.
 *   PSA_ERROR_NOT_SUPPORTED  more than 512 MB in one operation; a part of them may be hashed
 */
psa_status_t atecc608_hash_setup(atecc608_hash_operation_t *operation, psa_algorithm_t alg);
psa_status_t atecc608_hash_update(atecc608_hash_operation_t *operation, const uint8_t *input,
                                  size_t input_length);
psa_status_t atecc608_hash_finish(atecc608_hash_operation_t *operation, uint8_t *hash,
                                  size_t hash_size, size_t *hash_length);
psa_status_t atecc608_hash_abort(atecc608_hash_operation_t *operation);

/*
 * Random bytes of the chip.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  also from a chip whose zones are not locked: it answers with a
 *                                   fixed pattern
 */
psa_status_t atecc608_get_random(atecc608_random_context_t *context, uint8_t *output,
                                 size_t output_size, size_t *output_length);

#ifdef __cplusplus
}
#endif

#endif
