/* SPDX-License-Identifier: Apache-2.0 */
#include "keys.h"

#include <stdio.h>
#include <string.h>

#include <wolfssl/wolfcrypt/asn_public.h>
#include <wolfssl/wolfcrypt/ecc.h>

#define HALF 32u
#define POINT (2u * HALF + 1u)
#define SIZE 1500

static int sign(const byte *in, word32 length, byte *out, word32 *out_length, int algorithm,
                int type, void *context)
{
    uint8_t raw[2 * HALF];
    size_t raw_length;

    (void)algorithm;
    (void)type;
    if (psa_sign_hash(*(psa_key_id_t *)context, PSA_ALG_ECDSA(PSA_ALG_SHA_256), in, length, raw,
                      sizeof raw, &raw_length) != PSA_SUCCESS) {
        return WC_HW_E;
    }
    return wc_ecc_rs_raw_to_sig(raw, HALF, raw + HALF, HALF, out, out_length);
}

static int write_certificate(psa_key_id_t key, ecc_key *public_key, WC_RNG *rng, const char *file)
{
    byte der[SIZE];
    byte pem[SIZE];
    Cert certificate;

    int length = wc_InitCert(&certificate);
    if (length != 0) {
        return length;
    }
    strcpy(certificate.subject.commonName, "localhost");
    certificate.sigType = CTC_SHA256wECDSA;
    certificate.isCA = 1;
    length = wc_MakeCert(&certificate, der, sizeof der, NULL, public_key, rng);
    if (length > 0) {
        length = wc_SignCert_cb(certificate.bodySz, CTC_SHA256wECDSA, der, sizeof der, ECC_TYPE,
                                sign, &key, rng);
    }
    if (length > 0) {
        length = wc_DerToPem(der, (word32)length, pem, sizeof pem, CERT_TYPE);
    }
    FILE *const output = length > 0 ? fopen(file, "w") : NULL;
    if (output == NULL) {
        return length < 0 ? length : -1;
    }
    const size_t written = fwrite(pem, 1, (size_t)length, output);
    return fclose(output) == 0 && written == (size_t)length ? 0 : -1;
}

int tls_certificate_make(psa_key_id_t key, const char *file)
{
    uint8_t point[POINT];
    size_t length;
    ecc_key public_key;
    WC_RNG rng;

    if (psa_export_public_key(key, point, sizeof point, &length) != PSA_SUCCESS) {
        return -1;
    }
    int result = wc_ecc_init(&public_key);
    if (result != 0) {
        return result;
    }
    result = wc_InitRng(&rng);
    if (result != 0) {
        wc_ecc_free(&public_key);
        return result;
    }
    result = wc_ecc_import_x963(point, (word32)length, &public_key);
    if (result == 0) {
        result = write_certificate(key, &public_key, &rng, file);
    }
    wc_ecc_free(&public_key);
    wc_FreeRng(&rng);
    return result;
}

/* The key as PSA Crypto takes it, from the form that certificates have. */
static int import(const byte *key, word32 key_length, psa_key_id_t *id)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t point[POINT];
    word32 length = sizeof point;
    word32 at = 0;
    ecc_key decoded;

    int result = wc_ecc_init(&decoded);
    if (result == 0) {
        result = wc_EccPublicKeyDecode(key, &at, &decoded, key_length);
    }
    if (result == 0) {
        result = wc_ecc_export_x963(&decoded, point, &length);
    }
    wc_ecc_free(&decoded);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_VERIFY_HASH);
    psa_set_key_algorithm(&attributes, PSA_ALG_ECDSA(PSA_ALG_ANY_HASH));
    if (result == 0 && psa_import_key(&attributes, point, length, id) != PSA_SUCCESS) {
        result = WC_HW_E;
    }
    return result;
}

int tls_verify(WOLFSSL *ssl, const unsigned char *signature, unsigned signature_length,
               const unsigned char *hash, unsigned hash_length, const unsigned char *key,
               unsigned key_length, int *is_right, void *context)
{
    uint8_t halves[2][HALF];
    uint8_t raw[2 * HALF] = {0};
    word32 lengths[2] = {HALF, HALF};
    psa_key_id_t id = PSA_KEY_ID_NULL;

    (void)ssl;
    (void)context;
    *is_right = 0;
    int result = wc_ecc_sig_to_rs(signature, signature_length, halves[0], &lengths[0], halves[1],
                                  &lengths[1]);
    if (result == 0) {
        result = import(key, key_length, &id);
    }
    if (result != 0) {
        return result;
    }
    memcpy(raw + HALF - lengths[0], halves[0], lengths[0]);
    memcpy(raw + 2 * HALF - lengths[1], halves[1], lengths[1]);
    *is_right = psa_verify_hash(id, PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash, hash_length, raw,
                                sizeof raw) == PSA_SUCCESS;
    (void)psa_destroy_key(id);
    return 0;
}
