/* SPDX-License-Identifier: Apache-2.0 */
#include "sign.h"

TPM2_ALG_ID tpm2_hash_of(size_t length)
{
    return length == 32 ? TPM2_ALG_SHA256 : length == 48 ? TPM2_ALG_SHA384 : TPM2_ALG_SHA512;
}

psa_status_t tpm2_sign(struct tpm2_call *call, const TPM2B_DIGEST *digest,
                       const TPMT_SIG_SCHEME *scheme, TPMT_SIGNATURE **signature)
{
    /* The digest may be of data that the TPM has not seen: its keys are not restricted. */
    static const TPMT_TK_HASHCHECK no_ticket = {.tag = TPM2_ST_HASHCHECK,
                                                .hierarchy = TPM2_RH_NULL};

    *signature = NULL;
    const psa_status_t status =
        tpm2_status(call, Esys_Sign(call->esys, call->key, call->session, ESYS_TR_NONE,
                                    ESYS_TR_NONE, digest, scheme, &no_ticket, signature));
    if (status == PSA_SUCCESS && (*signature)->sigAlg != scheme->scheme) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    return status;
}
