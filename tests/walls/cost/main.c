/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long calls take by a counter of the board, which follows instructions where an emulator does
 * (QEMU: -icount). COUNTER is its address; a RISC-V has a register.
 */
#include <stdint.h>
#include <stdio.h>

#include <psa/crypto.h>

#define HMAC PSA_ALG_HMAC(PSA_ALG_SHA_256)
#define ECDSA PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)

static const uint8_t material[32] = {1, 2, 3};
static psa_key_id_t hmac_key;
static psa_key_id_t pair;
static uint8_t output[64];
static size_t length;

#if defined(__riscv)
static uint32_t now(void)
{
    uint32_t time;

    __asm__ volatile("rdtime %0" : "=r"(time));
    return time;
}
#else
static uint32_t now(void)
{
    return *(const volatile uint32_t *)COUNTER;
}
#endif

static psa_status_t nothing(void)
{
    return PSA_SUCCESS;
}

static psa_status_t mac_compute(void)
{
    return psa_mac_compute(hmac_key, HMAC, material, sizeof material, output, 32, &length);
}

static psa_status_t sign_hash(void)
{
    return psa_sign_hash(pair, ECDSA, material, sizeof material, output, 64, &length);
}

static psa_status_t hash_compute(void)
{
    return psa_hash_compute(PSA_ALG_SHA_256, material, sizeof material, output, 32, &length);
}

static psa_status_t import(psa_key_type_t type, psa_algorithm_t alg, psa_key_usage_t usage,
                           psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, usage);
    return psa_import_key(&attributes, material, sizeof material, key);
}

/* The first call of a sort may be longer. */
static void measure(const char *name, psa_status_t (*call)(void))
{
    psa_status_t status = call();
    const uint32_t begin = now();

    status = status == PSA_SUCCESS ? call() : status;
    const uint32_t end = now();
    printf("%s: %ld, %lu ticks\n", name, (long)status, (unsigned long)(end - begin));
}

int main(void)
{
    const psa_key_type_t type = PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1);

    if (psa_crypto_init() != PSA_SUCCESS ||
        import(PSA_KEY_TYPE_HMAC, HMAC, PSA_KEY_USAGE_SIGN_MESSAGE, &hmac_key) != PSA_SUCCESS ||
        import(type, ECDSA, PSA_KEY_USAGE_SIGN_HASH, &pair) != PSA_SUCCESS) {
        return 1;
    }
    measure("nothing", nothing);
    measure("hash_compute", hash_compute);
    measure("mac_compute", mac_compute);
    measure("sign_hash", sign_hash);
    return 0;
}
