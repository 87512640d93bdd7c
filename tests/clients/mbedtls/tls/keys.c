/* SPDX-License-Identifier: Apache-2.0 */
#include "keys.h"

#include <stdio.h>
#include <string.h>

#include <corral/builtin_keys.h>
#include <corral/locations.h>
#include <psa/crypto.h>

#define CERTIFICATE_SIZE 2000

static psa_status_t generate(const char *place, psa_key_id_t *id)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    if (strcmp(place, "builtin") == 0) {
        *id = CORRAL_KEY_IDENTITY;
        return PSA_SUCCESS;
    }
    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_bits(&attributes, 256);
    psa_set_key_algorithm(&attributes, PSA_ALG_ECDSA(PSA_ALG_ANY_HASH));
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_HASH);
    if (strcmp(place, "element") == 0) {
        psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                              PSA_KEY_PERSISTENCE_VOLATILE, CORRAL_LOCATION_SE0));
    }
    return psa_generate_key(&attributes, id);
}

int tls_key_make(const char *place, mbedtls_pk_context *key)
{
    psa_key_id_t id;
    const psa_status_t status = generate(place, &id);

    return status == PSA_SUCCESS ? mbedtls_pk_setup_opaque(key, id) : (int)status;
}

static int draw(void *context, unsigned char *output, size_t size)
{
    (void)context;
    return psa_generate_random(output, size) == PSA_SUCCESS ? 0
                                                            : MBEDTLS_ERR_PK_FEATURE_UNAVAILABLE;
}

static int sign(mbedtls_x509write_cert *writer, mbedtls_pk_context *key, char *pem)
{
    unsigned char serial[] = {1};
    int result;

    mbedtls_x509write_crt_set_version(writer, MBEDTLS_X509_CRT_VERSION_3);
    mbedtls_x509write_crt_set_md_alg(writer, MBEDTLS_MD_SHA256);
    mbedtls_x509write_crt_set_subject_key(writer, key);
    mbedtls_x509write_crt_set_issuer_key(writer, key);
    result = mbedtls_x509write_crt_set_serial_raw(writer, serial, sizeof serial);
    if (result == 0) {
        result = mbedtls_x509write_crt_set_validity(writer, "20200101000000", "20991231235959");
    }
    if (result == 0) {
        result = mbedtls_x509write_crt_set_subject_name(writer, "CN=localhost");
    }
    if (result == 0) {
        result = mbedtls_x509write_crt_set_issuer_name(writer, "CN=localhost");
    }
    if (result == 0) {
        result = mbedtls_x509write_crt_set_basic_constraints(writer, 1, 0);
    }
    return result == 0 ? mbedtls_x509write_crt_pem(writer, (unsigned char *)pem, CERTIFICATE_SIZE,
                                                   draw, NULL)
                       : result;
}

int tls_certificate_make(mbedtls_pk_context *key, const char *file, mbedtls_x509_crt *certificate)
{
    char pem[CERTIFICATE_SIZE] = "";
    mbedtls_x509write_cert writer;
    FILE *output;
    int result;

    mbedtls_x509write_crt_init(&writer);
    result = sign(&writer, key, pem);
    mbedtls_x509write_crt_free(&writer);
    if (result == 0) {
        result = mbedtls_x509_crt_parse(certificate, (const unsigned char *)pem, strlen(pem) + 1);
    }
    output = fopen(file, "w");
    if (output == NULL || fputs(pem, output) < 0) {
        result = MBEDTLS_ERR_PK_FILE_IO_ERROR;
    }
    if (output != NULL) {
        fclose(output);
    }
    return result;
}
