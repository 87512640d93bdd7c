/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signs with a key of each kind, and prints the functions of the core that run meanwhile. Each
 * entry has a line ("+", and its distance from main()), and so has each return ("-").
 * tools/checks/rooms.py compiles the core to call the two functions below, and reads the output.
 */
#include <stdint.h>
#include <stdio.h>

#include <psa/crypto.h>

#define EVENTS 65536u /* libraries wipe their numbers by a function of ours */

void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);
int main(void);

static intptr_t events[EVENTS]; /* the function that was entered; 0: a return */
static size_t count;
static int is_watching;

static void note(intptr_t event)
{
    if (is_watching && count < EVENTS) {
        events[count++] = event;
    }
}

void __cyg_profile_func_enter(void *function, void *site)
{
    (void)site;
    note((intptr_t)function);
}

void __cyg_profile_func_exit(void *function, void *site)
{
    (void)function;
    (void)site;
    note(0);
}

static int watch(const char *kind, psa_key_id_t key)
{
    static const uint8_t hash[32] = {1};
    uint8_t signature[64];
    size_t length;

    count = 0;
    is_watching = 1;
    psa_status_t status = psa_sign_hash(key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash, sizeof hash,
                                        signature, sizeof signature, &length);
    is_watching = 0;
    if (status != PSA_SUCCESS || count == EVENTS) {
        return 1;
    }
    printf("key %s\n", kind);
    for (size_t i = 0; i < count; i++) {
        if (events[i] != 0) {
            printf("+ %ld\n", (long)(events[i] - (intptr_t)main));
        } else {
            puts("-");
        }
    }
    return 0;
}

static psa_status_t generate(psa_key_id_t id, psa_key_usage_t usage, psa_key_id_t *key)
{
    psa_key_attributes_t attributes = psa_key_attributes_init();

    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_bits(&attributes, 256);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_HASH | usage);
    psa_set_key_algorithm(&attributes, PSA_ALG_ECDSA(PSA_ALG_SHA_256));
    if (id != PSA_KEY_ID_NULL) {
        psa_set_key_id(&attributes, id);
    }
    return psa_generate_key(&attributes, key);
}

int main(void)
{
    psa_key_id_t key;

    if (psa_crypto_init() != PSA_SUCCESS) {
        return 1;
    }
    if (generate(PSA_KEY_ID_NULL, 0, &key) != PSA_SUCCESS || watch("volatile", key) != 0) {
        return 1;
    }
    (void)psa_destroy_key(1);
    if (generate(1, PSA_KEY_USAGE_CACHE, &key) != PSA_SUCCESS || watch("persistent", key) != 0 ||
        psa_purge_key(key) != PSA_SUCCESS || watch("loaded", key) != 0) {
        return 1;
    }
    return psa_destroy_key(key) == PSA_SUCCESS ? 0 : 1;
}
