/* SPDX-License-Identifier: Apache-2.0 */
#include "keys.h"

#include <string.h>

#include <tss2/tss2_mu.h>

psa_status_t tpm2_create(struct tpm2_call *call, const TPM2B_SENSITIVE_CREATE *sensitive,
                         const TPM2B_PUBLIC *template, uint8_t *key_buffer, size_t key_buffer_size,
                         size_t *key_buffer_length)
{
    static const TPM2B_DATA outside = {0};
    static const TPML_PCR_SELECTION registers = {0};
    TPM2B_PRIVATE *wrapped = NULL;
    TPM2B_PUBLIC *made = NULL;
    size_t length = TPM2_NAME_SIZE;

    if (key_buffer_size < TPM2_NAME_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const psa_status_t status =
        tpm2_status(call, Esys_Create(call->esys, call->storage, call->session, ESYS_TR_NONE,
                                      ESYS_TR_NONE, sensitive, template, &outside, &registers,
                                      &wrapped, &made, NULL, NULL, NULL));
    if (status != PSA_SUCCESS) {
        return status;
    }
    memcpy(key_buffer, call->name, TPM2_NAME_SIZE);
    const bool fits = Tss2_MU_TPM2B_PUBLIC_Marshal(made, key_buffer, key_buffer_size, &length) ==
                          TSS2_RC_SUCCESS &&
                      Tss2_MU_TPM2B_PRIVATE_Marshal(wrapped, key_buffer, key_buffer_size,
                                                    &length) == TSS2_RC_SUCCESS;
    Esys_Free(made);
    Esys_Free(wrapped);
    *key_buffer_length = length;
    return fits ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED;
}

/* Read both parts. */
static bool read_parts(const uint8_t *key_buffer, size_t key_buffer_size, TPM2B_PUBLIC *public_part,
                       TPM2B_PRIVATE *wrapped)
{
    size_t offset = TPM2_NAME_SIZE;

    public_part->size = 0;
    return key_buffer_size >= offset &&
           Tss2_MU_TPM2B_PUBLIC_Unmarshal(key_buffer, key_buffer_size, &offset, public_part) ==
               TSS2_RC_SUCCESS &&
           Tss2_MU_TPM2B_PRIVATE_Unmarshal(key_buffer, key_buffer_size, &offset, wrapped) ==
               TSS2_RC_SUCCESS &&
           offset == key_buffer_size;
}

psa_status_t tpm2_read_public(const uint8_t *key_buffer, size_t key_buffer_size,
                              TPM2B_PUBLIC *found)
{
    TPM2B_PRIVATE wrapped = {0};

    return read_parts(key_buffer, key_buffer_size, found, &wrapped) ? PSA_SUCCESS
                                                                    : PSA_ERROR_DATA_CORRUPT;
}

psa_status_t tpm2_open_key(struct tpm2_call *call, const psa_key_attributes_t *attributes,
                           const uint8_t *key_buffer, size_t key_buffer_size)
{
    TPM2B_PUBLIC public_part = {0};
    TPM2B_PRIVATE wrapped = {0};

    psa_status_t status = tpm2_open(call, corral_tpm2_device_index(attributes));
    if (status == PSA_SUCCESS &&
        (!read_parts(key_buffer, key_buffer_size, &public_part, &wrapped) ||
         memcmp(key_buffer, call->name, TPM2_NAME_SIZE) != 0)) {
        status = PSA_ERROR_DATA_CORRUPT;
    }
    if (status == PSA_SUCCESS) {
        const TSS2_RC result = Esys_Load(call->esys, call->storage, call->session, ESYS_TR_NONE,
                                         ESYS_TR_NONE, &wrapped, &public_part, &call->key);
        status = tpm2_status_of_data(call, result, PSA_ERROR_DATA_CORRUPT);
        call->key = status == PSA_SUCCESS ? call->key : ESYS_TR_NONE;
    }
    return status;
}
