/* SPDX-License-Identifier: Apache-2.0 */
#include "keys.h"

#include <stdio.h>
#include <string.h>

#include <mbedtls/platform_util.h>
#include <psa/crypto.h>

#include "../../own_key.h"

#define CERTIFICATE_SIZE 2000
#define RSA_KEY_SIZE 2000 /* of 2048 bits, with all that its file says: 1193 bytes */

int tls_draw(void *context, unsigned char *output, size_t size)
{
    (void)context;
    return psa_generate_random(output, size) == PSA_SUCCESS ? 0
                                                            : MBEDTLS_ERR_PK_FEATURE_UNAVAILABLE;
}

int tls_configure(mbedtls_ssl_config *config, bool is_server, bool is_datagram,
                  mbedtls_ssl_protocol_version version)
{
    const int result = mbedtls_ssl_config_defaults(
        config, is_server ? MBEDTLS_SSL_IS_SERVER : MBEDTLS_SSL_IS_CLIENT,
        is_datagram ? MBEDTLS_SSL_TRANSPORT_DATAGRAM : MBEDTLS_SSL_TRANSPORT_STREAM,
        MBEDTLS_SSL_PRESET_DEFAULT);

    mbedtls_ssl_conf_rng(config, tls_draw, NULL);
    mbedtls_ssl_conf_min_tls_version(config, version);
    mbedtls_ssl_conf_max_tls_version(config, version);
    mbedtls_ssl_conf_authmode(config, MBEDTLS_SSL_VERIFY_REQUIRED);
    return result;
}

int tls_key_make(const char *place, mbedtls_pk_context *key)
{
    psa_key_id_t id;
    const psa_status_t status = own_key_make(place, &id);

    return status == PSA_SUCCESS ? mbedtls_pk_setup_opaque(key, id) : (int)status;
}

static psa_status_t import_rsa(const char *own, psa_algorithm_t alg, psa_key_id_t *id)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t der[RSA_KEY_SIZE];
    char name[300];
    size_t length;

    snprintf(name, sizeof name, "%s.der", own);
    FILE *const file = fopen(name, "rb");
    if (file == NULL) {
        return PSA_ERROR_DOES_NOT_EXIST;
    }
    length = fread(der, 1, sizeof der, file);
    fclose(file);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_RSA_KEY_PAIR);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_HASH);
    const psa_status_t status = psa_import_key(&attributes, der, length, id);
    mbedtls_platform_zeroize(der, sizeof der);
    return status;
}

int tls_key_read(const char *own, bool is_tls13, mbedtls_pk_context *key,
                 mbedtls_x509_crt *certificates)
{
    psa_key_id_t id;
    const psa_status_t status = import_rsa(own,
                                           is_tls13 ? PSA_ALG_RSA_PSS(PSA_ALG_ANY_HASH)
                                                    : PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_ANY_HASH),
                                           &id);
    const int result = status == PSA_SUCCESS ? mbedtls_pk_setup_opaque(key, id) : (int)status;

    return result == 0 ? mbedtls_x509_crt_parse_file(certificates, own) : result;
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
                                                   tls_draw, NULL)
                       : result;
}

static int save(const char *file, const char *pem)
{
    FILE *const output = fopen(file, "w");
    const bool is_written = output != NULL && fputs(pem, output) >= 0;

    return output != NULL && fclose(output) == 0 && is_written ? 0 : MBEDTLS_ERR_PK_FILE_IO_ERROR;
}

int tls_certificate_make(mbedtls_pk_context *key, const char *file, mbedtls_x509_crt *certificate)
{
    char pem[CERTIFICATE_SIZE] = "";
    mbedtls_x509write_cert writer;
    int result;

    mbedtls_x509write_crt_init(&writer);
    result = sign(&writer, key, pem);
    mbedtls_x509write_crt_free(&writer);
    if (result == 0) {
        result = mbedtls_x509_crt_parse(certificate, (const unsigned char *)pem, strlen(pem) + 1);
    }
    return result == 0 && file != NULL ? save(file, pem) : result;
}
