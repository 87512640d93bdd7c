/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of HMAC, and HMAC. A key that is imported crosses the bus encrypted. */
#include <string.h>

#include <corral/drivers/tpm2/entry_points.h>

#include <corral/driver.h>

#include "keys.h"

#define KEY_SIZE 32u /* as the TPM makes them for SHA-256 */

static psa_status_t create(const psa_key_attributes_t *attributes, const uint8_t *data,
                           size_t data_length, uint8_t *key_buffer, size_t key_buffer_size,
                           size_t *key_buffer_length)
{
    struct tpm2_call call;
    TPM2B_SENSITIVE_CREATE sensitive = {.sensitive.data.size = (UINT16)data_length};
    TPM2B_PUBLIC template = {
        .publicArea =
            {
                .type = TPM2_ALG_KEYEDHASH,
                .nameAlg = TPM2_ALG_SHA256,
                .objectAttributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT |
                                    TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA |
                                    TPMA_OBJECT_SIGN_ENCRYPT,
                .parameters.keyedHashDetail.scheme = {.scheme = TPM2_ALG_HMAC,
                                                      .details.hmac.hashAlg = TPM2_ALG_SHA256},
            },
    };

    if (data == NULL) { /* the TPM makes as many bytes as the hash has */
        template.publicArea.objectAttributes |= TPMA_OBJECT_SENSITIVEDATAORIGIN;
    } else {
        memcpy(sensitive.sensitive.data.buffer, data, data_length);
    }
    psa_status_t status = tpm2_open(&call, corral_tpm2_device_index(attributes));
    if (status == PSA_SUCCESS) {
        status = tpm2_create(&call, &sensitive, &template, key_buffer, key_buffer_size,
                             key_buffer_length);
    }
    corral_wipe(&sensitive, sizeof sensitive);
    return tpm2_close(&call, status);
}

psa_status_t tpm2_import_hmac_key(const psa_key_attributes_t *attributes, const uint8_t *data,
                                  size_t data_length, uint8_t *key_buffer, size_t key_buffer_size,
                                  size_t *key_buffer_length, size_t *bits)
{
    if (data_length != KEY_SIZE) {
        return data_length == 0 ? PSA_ERROR_INVALID_ARGUMENT : PSA_ERROR_NOT_SUPPORTED;
    }
    if (attributes->bits != 0 && attributes->bits != 8 * data_length) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *bits = 8 * data_length;
    return create(attributes, data, data_length, key_buffer, key_buffer_size, key_buffer_length);
}

psa_status_t tpm2_generate_hmac_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                    size_t key_buffer_size, size_t *key_buffer_length)
{
    return create(attributes, NULL, 0, key_buffer, key_buffer_size, key_buffer_length);
}

/* Give the TPM the text in as many pieces as it takes, and take the MAC. */
static psa_status_t compute(struct tpm2_call *call, const uint8_t *input, size_t input_length,
                            uint8_t *mac, size_t size)
{
    static const TPM2B_AUTH no_password = {0};
    TPM2B_MAX_BUFFER piece = {0};
    TPM2B_DIGEST *result = NULL;
    ESYS_TR sequence = ESYS_TR_NONE;

    psa_status_t status =
        tpm2_status(call, Esys_HMAC_Start(call->esys, call->key, call->session, ESYS_TR_NONE,
                                          ESYS_TR_NONE, &no_password, TPM2_ALG_SHA256, &sequence));
    while (status == PSA_SUCCESS && input_length > sizeof piece.buffer) {
        piece.size = sizeof piece.buffer;
        memcpy(piece.buffer, input, sizeof piece.buffer);
        input += sizeof piece.buffer;
        input_length -= sizeof piece.buffer;
        status = tpm2_status(call, Esys_SequenceUpdate(call->esys, sequence, call->session,
                                                       ESYS_TR_NONE, ESYS_TR_NONE, &piece));
    }
    if (status == PSA_SUCCESS) {
        piece.size = (UINT16)input_length;
        corral_copy(piece.buffer, input, input_length);
        status = tpm2_status(call, Esys_SequenceComplete(call->esys, sequence, call->session,
                                                         ESYS_TR_NONE, ESYS_TR_NONE, &piece,
                                                         ESYS_TR_RH_NULL, &result, NULL));
    }
    if (status == PSA_SUCCESS) {
        status = tpm2_number(mac, size, result->buffer, result->size);
        status = result->size == size ? status : PSA_ERROR_COMMUNICATION_FAILURE;
    }
    tpm2_free(result, sizeof *result);
    corral_wipe(&piece, sizeof piece);
    return status;
}

psa_status_t tpm2_hmac_compute(const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                               size_t key_buffer_size, psa_algorithm_t alg, const uint8_t *input,
                               size_t input_length, uint8_t *mac, size_t mac_size,
                               size_t *mac_length)
{
    struct tpm2_call call;
    const size_t size = PSA_HASH_LENGTH(PSA_ALG_GET_HASH(alg));

    if (mac_size < size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = tpm2_open_key(&call, attributes, key_buffer, key_buffer_size);
    if (status == PSA_SUCCESS) {
        status = compute(&call, input, input_length, mac, size);
        *mac_length = size;
    }
    return tpm2_close(&call, status);
}
