/* SPDX-License-Identifier: Apache-2.0 */
/* Key pairs that the TPM makes. No private part ever leaves it unwrapped. */
#include <string.h>

#include <corral/drivers/tpm2/entry_points.h>

#include <corral/rsa.h>

#include "keys.h"

#define UNCOMPRESSED 0x04u

/* What the TPM lets a key be used for. The core enforces the rest of its policy. */
static TPMA_OBJECT uses_of(const psa_key_attributes_t *attributes)
{
    const TPMA_OBJECT always = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT |
                               TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_USERWITHAUTH |
                               TPMA_OBJECT_NODA;
    const bool derives = (attributes->usage & PSA_KEY_USAGE_DERIVE) != 0;
    const bool agrees = PSA_ALG_IS_KEY_AGREEMENT(attributes->algorithm);

    if (PSA_KEY_TYPE_IS_ECC(attributes->type) && derives) {
        return agrees ? always | TPMA_OBJECT_DECRYPT
                      : always | TPMA_OBJECT_DECRYPT | TPMA_OBJECT_SIGN_ENCRYPT;
    }
    return always | TPMA_OBJECT_SIGN_ENCRYPT; /* a TPM wants one of both */
}

static psa_status_t generate(const psa_key_attributes_t *attributes, const TPM2B_PUBLIC *template,
                             uint8_t *key_buffer, size_t key_buffer_size, size_t *key_buffer_length)
{
    static const TPM2B_SENSITIVE_CREATE sensitive = {0};
    struct tpm2_call call;

    psa_status_t status = tpm2_open(&call, corral_tpm2_device_index(attributes));
    if (status == PSA_SUCCESS) {
        status = tpm2_create(&call, &sensitive, template, key_buffer, key_buffer_size,
                             key_buffer_length);
    }
    return tpm2_close(&call, status);
}

static TPM2_ECC_CURVE curve_of(const psa_key_attributes_t *attributes)
{
    return attributes->bits == 256   ? TPM2_ECC_NIST_P256
           : attributes->bits == 384 ? TPM2_ECC_NIST_P384
                                     : TPM2_ECC_NIST_P521;
}

psa_status_t tpm2_generate_ec_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                  size_t key_buffer_size, size_t *key_buffer_length)
{
    const TPM2B_PUBLIC template = {
        .publicArea =
            {
                .type = TPM2_ALG_ECC,
                .nameAlg = TPM2_ALG_SHA256,
                .objectAttributes = uses_of(attributes),
                .parameters.eccDetail =
                    {
                        .symmetric.algorithm = TPM2_ALG_NULL,
                        .scheme.scheme = TPM2_ALG_NULL,
                        .curveID = curve_of(attributes),
                        .kdf.scheme = TPM2_ALG_NULL,
                    },
            },
    };

    return generate(attributes, &template, key_buffer, key_buffer_size, key_buffer_length);
}

/* The public exponent is 65537. */
psa_status_t tpm2_generate_rsa_key(const psa_key_attributes_t *attributes, uint8_t *key_buffer,
                                   size_t key_buffer_size, size_t *key_buffer_length)
{
    const TPM2B_PUBLIC template = {
        .publicArea =
            {
                .type = TPM2_ALG_RSA,
                .nameAlg = TPM2_ALG_SHA256,
                .objectAttributes = uses_of(attributes),
                .parameters.rsaDetail =
                    {
                        .symmetric.algorithm = TPM2_ALG_NULL,
                        .scheme.scheme = TPM2_ALG_NULL,
                        .keyBits = attributes->bits,
                    },
            },
    };

    return generate(attributes, &template, key_buffer, key_buffer_size, key_buffer_length);
}

psa_status_t tpm2_export_ec_public_key(const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       uint8_t *data, size_t data_size, size_t *data_length)
{
    TPM2B_PUBLIC found = {0};
    const size_t size = CORRAL_BITS_TO_BYTES(attributes->bits);
    const TPMS_ECC_POINT *point = &found.publicArea.unique.ecc;

    if (data_size < 1 + 2 * size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const psa_status_t status = tpm2_read_public(key_buffer, key_buffer_size, &found);
    if (status != PSA_SUCCESS) {
        return status;
    }
    data[0] = UNCOMPRESSED;
    *data_length = 1 + 2 * size;
    return found.publicArea.type == TPM2_ALG_ECC &&
                   found.publicArea.parameters.eccDetail.curveID == curve_of(attributes) &&
                   tpm2_number(data + 1, size, point->x.buffer, point->x.size) == PSA_SUCCESS &&
                   tpm2_number(data + 1 + size, size, point->y.buffer, point->y.size) == PSA_SUCCESS
               ? PSA_SUCCESS
               : PSA_ERROR_DATA_CORRUPT;
}

psa_status_t tpm2_export_rsa_public_key(const psa_key_attributes_t *attributes,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        uint8_t *data, size_t data_size, size_t *data_length)
{
    static const uint8_t exponent[] = {1, 0, 1};
    TPM2B_PUBLIC found = {0};
    struct corral_rsa_key key = {0};

    const psa_status_t status = tpm2_read_public(key_buffer, key_buffer_size, &found);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (found.publicArea.type != TPM2_ALG_RSA ||
        found.publicArea.unique.rsa.size != CORRAL_BITS_TO_BYTES(attributes->bits)) {
        return PSA_ERROR_DATA_CORRUPT;
    }
    key.numbers[CORRAL_RSA_MODULUS] = (struct corral_rsa_field){found.publicArea.unique.rsa.buffer,
                                                                found.publicArea.unique.rsa.size};
    key.numbers[CORRAL_RSA_PUBLIC_EXPONENT] = (struct corral_rsa_field){exponent, sizeof exponent};
    return corral_rsa_write_public(&key, data, data_size, data_length);
}
