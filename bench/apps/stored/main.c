/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys of 32 bytes in the storage.
 *   fill FIRST LAST  import the keys of these numbers
 *   measure COUNT    start with so many keys, then import, use and destroy 10 more.
 * Prints "stored START IMPORT USE DESTROY". Figures are nanoseconds of processor time of a call, in
 * the mean of the ten. After "stored full N" no further key fits: the storage has N of them.
 */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <psa/crypto.h>

#define KEYS 10u
#define KEY_SIZE 32u

/* Measured keys are between the others in the order of numbers. */
#define STEP 16u

static uint64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static psa_status_t import(psa_key_id_t id)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t data[KEY_SIZE];
    psa_key_id_t made;

    memset(data, (int)(id & 0xffu), sizeof data);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_HMAC);
    psa_set_key_algorithm(&attributes, PSA_ALG_HMAC(PSA_ALG_SHA_256));
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_set_key_id(&attributes, id);
    return psa_import_key(&attributes, data, sizeof data, &made);
}

static psa_status_t use(psa_key_id_t id)
{
    static const uint8_t message[64];
    uint8_t mac[32];
    size_t length;

    return psa_mac_compute(id, PSA_ALG_HMAC(PSA_ALG_SHA_256), message, sizeof message, mac,
                           sizeof mac, &length);
}

static int fill(unsigned first, unsigned last)
{
    if (psa_crypto_init() != PSA_SUCCESS) {
        return 1;
    }
    for (unsigned i = first; i <= last; i++) {
        const psa_status_t status = import(i * STEP);
        if (status == PSA_ERROR_INSUFFICIENT_STORAGE) {
            printf("stored full %u\n", i - 1u);
            return 0;
        }
        if (status != PSA_SUCCESS) {
            return 1;
        }
    }
    return 0;
}

/* The mean time of a call with each of the keys; 0: one failed. */
static uint64_t mean(psa_status_t call(psa_key_id_t id), unsigned count)
{
    const uint64_t before = now();

    for (unsigned i = 0; i < KEYS; i++) {
        if (call((count * (i + 1u) / (KEYS + 2u)) * STEP + 1u + i) != PSA_SUCCESS) {
            return 0;
        }
    }
    return (now() - before) / KEYS;
}

static int measure(unsigned count)
{
    const uint64_t before = now();
    const psa_status_t status = psa_crypto_init();
    const uint64_t start = now() - before;

    if (status != PSA_SUCCESS) {
        return 1;
    }
    const uint64_t imported = mean(import, count);
    const uint64_t used = mean(use, count);
    const uint64_t destroyed = mean(psa_destroy_key, count);
    printf("stored %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", start, imported, used,
           destroyed);
    return imported == 0 || used == 0 || destroyed == 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "fill") == 0) {
        return fill((unsigned)strtoul(argv[2], NULL, 10), (unsigned)strtoul(argv[3], NULL, 10));
    }
    return argc == 3 ? measure((unsigned)strtoul(argv[2], NULL, 10)) : 2;
}
