/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constructions over primitives that other drivers serve. Every function keeps the contract of the
 * entry point that it is named after (dispatch/entry_points.toml); statuses not listed here are
 * those of the driver below.
 */
#ifndef COMPOSE_H
#define COMPOSE_H

#include <psa/crypto.h>

#include "cbc.h"
#include "ccm.h"
#include "cmac.h"
#include "drbg.h"
#include "hmac.h"
#include "stream.h"

/*
 * Sign a message by hashing it and signing the hash, wherever the key lives (Driver Interface 1.0,
 * sign_message).
 *   PSA_ERROR_NOT_SUPPORTED  the build lacks the hash, or nobody signs hashes with this key
 */
psa_status_t compose_sign_message(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                  size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *input,
                                  size_t input_length, uint8_t *signature, size_t signature_size,
                                  size_t *signature_length);

/*
 * Verify the signature of a message by hashing it and verifying the signature of the hash.
 *   PSA_ERROR_INVALID_SIGNATURE  it is not that key's signature of this message
 *   PSA_ERROR_NOT_SUPPORTED      as above
 */
psa_status_t compose_verify_message(const psa_key_attributes_t *attributes,
                                    const uint8_t *key_buffer, size_t key_buffer_size,
                                    psa_algorithm_t alg, const uint8_t *input, size_t input_length,
                                    const uint8_t *signature, size_t signature_length);

#endif
