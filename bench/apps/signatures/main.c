/* SPDX-License-Identifier: Apache-2.0 */
/* Signs a message of 127 bytes with one key of one kind, and verifies it: RFC 8387's tables. */
#include <corral/config.h>

#include "../steps/steps.h"

#define MESSAGE_SIZE 127

/* The command line of a measurement names the key, and the configuration wants only that one. */
#ifndef BENCH_FAMILY
#define BENCH_FAMILY PSA_ECC_FAMILY_SECP_R1
#endif
#ifndef BENCH_BITS
#define BENCH_BITS 256
#endif

#if CORRAL_WANT_ALG_RSA_PKCS1V15_SIGN
#include "rsa_key.h"
#define PAIR PSA_KEY_TYPE_RSA_KEY_PAIR
#define PUBLIC PSA_KEY_TYPE_RSA_PUBLIC_KEY
#define ALG PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256)
#else
#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(BENCH_FAMILY)
#define PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(BENCH_FAMILY)
#if CORRAL_WANT_ALG_PURE_EDDSA
#define ALG PSA_ALG_PURE_EDDSA
#elif CORRAL_WANT_ALG_DETERMINISTIC_ECDSA
#define ALG PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)
#else
#define ALG PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#endif
#endif

/* The data from the signer to the verifier. */
static const uint8_t message[MESSAGE_SIZE] = {1, 2, 3};
static uint8_t signature[PSA_SIGN_OUTPUT_SIZE(PAIR, BENCH_BITS, ALG)];
static size_t signature_length;
static uint8_t public_key[PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(PAIR, BENCH_BITS)];
static size_t public_key_length;

static void describe(psa_key_attributes_t *attributes, psa_key_type_t type, psa_key_usage_t usage)
{
    bench_place(attributes, BENCH_LOCATION);
    psa_set_key_type(attributes, type);
    psa_set_key_usage_flags(attributes, usage);
    psa_set_key_algorithm(attributes, ALG);
}

/* RSA keys are imported: generating one takes another time with each one. */
#if CORRAL_WANT_ALG_RSA_PKCS1V15_SIGN
static psa_status_t make(psa_key_attributes_t *attributes, psa_key_id_t *key)
{
    return psa_import_key(attributes, rsa_key, sizeof rsa_key, key);
}
#else
static psa_status_t make(psa_key_attributes_t *attributes, psa_key_id_t *key)
{
    psa_set_key_bits(attributes, BENCH_BITS);
    return psa_generate_key(attributes, key);
}
#endif

static psa_status_t sign(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    describe(&attributes, PAIR, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_status_t status = make(&attributes, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = psa_export_public_key(key, public_key, sizeof public_key, &public_key_length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = psa_sign_message(key, ALG, message, sizeof message, signature, sizeof signature,
                              &signature_length);
    psa_destroy_key(key);
    return status;
}

static psa_status_t verify(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    describe(&attributes, PUBLIC, PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_status_t status = psa_import_key(&attributes, public_key, public_key_length, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return psa_verify_message(key, ALG, message, sizeof message, signature, signature_length);
}

int main(void)
{
    psa_status_t status = psa_crypto_init();

    if (status == PSA_SUCCESS) {
        status = sign();
    }
    if (status == PSA_SUCCESS) {
        status = verify();
    }
    return bench_end(status);
}
