/* SPDX-License-Identifier: Apache-2.0 */
#include "own.h"

#include <stdio.h>
#include <string.h>

#include <corral/builtin_keys.h>
#include <psa/crypto.h>

#include <mbedtls/x509_crt.h>

static mbedtls_pk_context key;
static mbedtls_x509_crt certificate;
static mbedtls_x509_crt authority;

static int draw(void *context, unsigned char *output, size_t size)
{
    (void)context;
    return psa_generate_random(output, size) == PSA_SUCCESS ? 0 : -1;
}

static int write_certificate(const char *file)
{
    unsigned char serial[] = {1};
    char pem[2000];
    mbedtls_x509write_cert writer;

    mbedtls_x509write_crt_init(&writer);
    mbedtls_x509write_crt_set_md_alg(&writer, MBEDTLS_MD_SHA256);
    mbedtls_x509write_crt_set_subject_key(&writer, &key);
    mbedtls_x509write_crt_set_issuer_key(&writer, &key);
    int result = mbedtls_x509write_crt_set_serial_raw(&writer, serial, sizeof serial) |
                 mbedtls_x509write_crt_set_validity(&writer, "20200101000000", "20991231235959") |
                 mbedtls_x509write_crt_set_subject_name(&writer, "CN=localhost") |
                 mbedtls_x509write_crt_set_issuer_name(&writer, "CN=localhost") |
                 mbedtls_x509write_crt_set_basic_constraints(&writer, 1, 0);
    if (result == 0) {
        result = mbedtls_x509write_crt_pem(&writer, (unsigned char *)pem, sizeof pem, draw, NULL);
    }
    mbedtls_x509write_crt_free(&writer);
    FILE *const output = result == 0 ? fopen(file, "w") : NULL;
    if (output == NULL || fputs(pem, output) < 0 || fclose(output) != 0) {
        return result != 0 ? result : MBEDTLS_ERR_X509_FILE_IO_ERROR;
    }
    return mbedtls_x509_crt_parse_file(&certificate, file);
}

int own_configure(mbedtls_ssl_config *config, int endpoint, const char *own, const char *trusted)
{
    mbedtls_pk_init(&key);
    mbedtls_x509_crt_init(&certificate);
    mbedtls_x509_crt_init(&authority);
    int result = mbedtls_pk_setup_opaque(&key, CORRAL_KEY_IDENTITY);
    if (result == 0) {
        result = write_certificate(own);
    }
    if (result == 0) {
        result = mbedtls_x509_crt_parse_file(&authority, trusted);
    }
    if (result == 0) {
        result = mbedtls_ssl_config_defaults(config, endpoint, MBEDTLS_SSL_TRANSPORT_STREAM,
                                             MBEDTLS_SSL_PRESET_DEFAULT);
    }
    mbedtls_ssl_conf_rng(config, draw, NULL);
    mbedtls_ssl_conf_min_tls_version(config, MBEDTLS_SSL_VERSION_TLS1_3);
    mbedtls_ssl_conf_authmode(config, MBEDTLS_SSL_VERIFY_REQUIRED);
    mbedtls_ssl_conf_ca_chain(config, &authority, NULL);
    return result == 0 ? mbedtls_ssl_conf_own_cert(config, &certificate, &key) : result;
}
