/* SPDX-License-Identifier: Apache-2.0 */
/* As ../main.c, for the functions that wolfCrypt documents as constant-time. */
#include <stdio.h>
#include <string.h>

#include <psa/crypto.h>
#include <valgrind/memcheck.h>

#define TEXT 45
#define TAG 16
#define ED448_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS)
#define BOTH (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define SECRET(place, size) ((void)VALGRIND_MAKE_MEM_UNDEFINED((place), (size)))
#define PUBLIC(place, size) ((void)VALGRIND_MAKE_MEM_DEFINED((place), (size)))
#define NEED(call) check((call) == PSA_SUCCESS, #call)

static unsigned failures;

static void check(int ok, const char *what)
{
    if (!ok) {
        printf("not so: %s\n", what);
        failures++;
    }
}

static psa_key_id_t secret_key(psa_key_type_t type, size_t size, psa_algorithm_t alg,
                               psa_key_usage_t usage)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t data[57];
    psa_key_id_t key = PSA_KEY_ID_NULL;

    memset(data, 0x39, sizeof data);
    SECRET(data, sizeof data);
    psa_set_key_type(&attributes, type);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, usage);
    NEED(psa_import_key(&attributes, data, size, &key));
    return key;
}

static void aead(void)
{
    static const uint8_t nonce[16] = {1};
    const psa_key_id_t key = secret_key(PSA_KEY_TYPE_ASCON, 16, PSA_ALG_ASCON_AEAD128, BOTH);
    uint8_t text[TEXT] = {0};
    uint8_t output[TEXT + TAG];
    size_t length = 0;

    SECRET(text, sizeof text);
    NEED(psa_aead_encrypt(key, PSA_ALG_ASCON_AEAD128, nonce, sizeof nonce, nonce, sizeof nonce,
                          text, sizeof text, output, sizeof output, &length));
    PUBLIC(output, sizeof output);
    NEED(psa_destroy_key(key));
}

static void hash(psa_algorithm_t alg)
{
    uint8_t text[TEXT] = {0};
    uint8_t output[32];
    size_t length = 0;

    SECRET(text, sizeof text);
    NEED(psa_hash_compute(alg, text, sizeof text, output, sizeof output, &length));
}

static void signature(void)
{
    const psa_key_id_t key = secret_key(ED448_PAIR, 57, PSA_ALG_PURE_EDDSA,
                                        PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
    uint8_t text[TEXT] = {0};
    uint8_t point[57];
    uint8_t output[114];
    size_t length = 0;

    NEED(psa_export_public_key(key, point, sizeof point, &length));
    NEED(psa_sign_message(key, PSA_ALG_PURE_EDDSA, text, sizeof text, output, sizeof output,
                          &length));
    PUBLIC(output, sizeof output);
    NEED(psa_destroy_key(key));
}

int main(void)
{
    NEED(psa_crypto_init());
    aead();
    hash(PSA_ALG_ASCON_HASH256);
    hash(PSA_ALG_BLAKE2S_HASH256);
    signature();
    printf("%u failed\n", failures);
    return failures != 0;
}
