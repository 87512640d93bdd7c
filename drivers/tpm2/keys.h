/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys as the core stores them: the name of the storage key that wraps them, the public part, and
 * the wrapped private part. The TPM keeps nothing of them between two calls.
 */
#ifndef TPM2_KEYS_H
#define TPM2_KEYS_H

#include "tpm.h"

/*
 * Make a key, or wrap one that is given in `sensitive`, and write it into `key_buffer`.
 *   PSA_ERROR_NOT_SUPPORTED  the TPM lacks its type or size, or wraps it in more bytes than fit
 */
psa_status_t tpm2_create(struct tpm2_call *call, const TPM2B_SENSITIVE_CREATE *sensitive,
                         const TPM2B_PUBLIC *template, uint8_t *key_buffer, size_t key_buffer_size,
                         size_t *key_buffer_length);

/* tpm2_open(), and load a key into `call->key`. tpm2_close() ends this call, too.
 *   PSA_ERROR_DATA_CORRUPT  it is no key of this TPM, or the TPM was cleared
 */
psa_status_t tpm2_open_key(struct tpm2_call *call, const psa_key_attributes_t *attributes,
                           const uint8_t *key_buffer, size_t key_buffer_size);

/* Read the public part. PSA_ERROR_DATA_CORRUPT: there is none. */
psa_status_t tpm2_read_public(const uint8_t *key_buffer, size_t key_buffer_size,
                              TPM2B_PUBLIC *found);

#endif
