/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run several times with one storage: generates a key or finds it, counts the runs in an entry, and
 * destroys both in the fourth. Prints the count and whether the key is the one of the first run.
 */
#include <stdio.h>
#include <string.h>

#include <psa/crypto.h>
#include <psa/internal_trusted_storage.h>

#define KEY 17u
#define COUNT 1u
#define PUBLIC 2u

static int fail(const char *what, psa_status_t status)
{
    printf("%s: %d\n", what, (int)status);
    return 1;
}

static psa_status_t generate(uint8_t public_key[65])
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;
    size_t length;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_bits(&attributes, 256);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_HASH);
    psa_set_key_algorithm(&attributes, PSA_ALG_ECDSA(PSA_ALG_SHA_256));
    psa_set_key_id(&attributes, KEY);
    psa_status_t status = psa_generate_key(&attributes, &key);
    if (status == PSA_SUCCESS) {
        status = psa_export_public_key(KEY, public_key, 65, &length);
    }
    return status == PSA_SUCCESS ? psa_its_set(PUBLIC, 65, public_key, PSA_STORAGE_FLAG_NONE)
                                 : status;
}

static int end(void)
{
    printf("destroyed %d %d %d\n", (int)psa_destroy_key(KEY), (int)psa_its_remove(COUNT),
           (int)psa_its_remove(PUBLIC));
    return 0;
}

int main(void)
{
    uint8_t now[65];
    uint8_t first[65] = {0};
    uint8_t count = 0;
    size_t length;

    psa_status_t status = psa_crypto_init();
    if (status != PSA_SUCCESS) {
        return fail("init", status);
    }
    status = psa_its_get(COUNT, 0, 1, &count, &length);
    if (status == PSA_ERROR_DOES_NOT_EXIST) {
        status = generate(now);
    }
    if (status == PSA_SUCCESS) {
        status = psa_export_public_key(KEY, now, sizeof now, &length);
    }
    if (status == PSA_SUCCESS) {
        status = psa_its_get(PUBLIC, 0, sizeof first, first, &length);
    }
    count++;
    if (status == PSA_SUCCESS) {
        status = psa_its_set(COUNT, 1, &count, PSA_STORAGE_FLAG_NONE);
    }
    if (status != PSA_SUCCESS) {
        return fail("run", status);
    }
    printf("run %d same %d\n", count, memcmp(now, first, sizeof now) == 0);
    return count == 4 ? end() : 0;
}
