/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TPM2_SIGN_H
#define TPM2_SIGN_H

#include "keys.h"

/* The TPM's number for the hash of SHA-2 whose result has this many bytes. */
TPM2_ALG_ID tpm2_hash_of(size_t length);

/*
 * Sign a digest. The signature is freed by Esys_Free().
 *   PSA_ERROR_COMMUNICATION_FAILURE  the TPM signed by another scheme
 */
psa_status_t tpm2_sign(struct tpm2_call *call, const TPM2B_DIGEST *digest,
                       const TPMT_SIG_SCHEME *scheme, TPMT_SIGNATURE **signature);

#endif
