/* SPDX-License-Identifier: Apache-2.0 */
/* An end of a session that is measured: its key where BENCH_LOCATION says, and its certificate. */
#ifndef BENCH_CERTIFICATE_H
#define BENCH_CERTIFICATE_H

#include <mbedtls/x509_crt.h>

#include "steps.h"

#define BENCH_CERTIFICATE_SIZE 700u

/* Random bytes, as Mbed TLS asks for them. */
static inline int bench_draw(void *context, unsigned char *output, size_t size)
{
    (void)context;
    return psa_generate_random(output, size) == PSA_SUCCESS ? 0 : -1;
}

/* Have a key sign a certificate of itself. Returns 0, or what Mbed TLS returned. */
static inline int bench_sign_certificate(mbedtls_pk_context *key, mbedtls_x509_crt *certificate)
{
    unsigned char serial[] = {1};
    unsigned char der[BENCH_CERTIFICATE_SIZE];
    mbedtls_x509write_cert writer;

    mbedtls_x509write_crt_init(&writer);
    mbedtls_x509write_crt_set_md_alg(&writer, MBEDTLS_MD_SHA256);
    mbedtls_x509write_crt_set_subject_key(&writer, key);
    mbedtls_x509write_crt_set_issuer_key(&writer, key);
    int result = mbedtls_x509write_crt_set_serial_raw(&writer, serial, sizeof serial) |
                 mbedtls_x509write_crt_set_validity(&writer, "20200101000000", "20991231235959") |
                 mbedtls_x509write_crt_set_subject_name(&writer, "CN=bench") |
                 mbedtls_x509write_crt_set_issuer_name(&writer, "CN=bench") |
                 mbedtls_x509write_crt_set_basic_constraints(&writer, 1, 0);
    if (result == 0) {
        result = mbedtls_x509write_crt_der(&writer, der, sizeof der, bench_draw, NULL);
    }
    mbedtls_x509write_crt_free(&writer);
    return result <= 0
               ? result
               : mbedtls_x509_crt_parse_der(certificate, der + sizeof der - result, (size_t)result);
}

/* Make a key on P-256 and its certificate. Returns 0, or what Mbed TLS returned, or -1. */
static inline int bench_certify(mbedtls_pk_context *key, mbedtls_x509_crt *certificate)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t id;

    bench_place(&attributes, BENCH_LOCATION);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_bits(&attributes, 256);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_HASH);
    psa_set_key_algorithm(&attributes, PSA_ALG_ECDSA(PSA_ALG_ANY_HASH));
    if (psa_generate_key(&attributes, &id) != PSA_SUCCESS) {
        return -1;
    }
    const int result = mbedtls_pk_setup_opaque(key, id);
    return result == 0 ? bench_sign_certificate(key, certificate) : result;
}

#endif
