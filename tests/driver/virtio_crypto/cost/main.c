/* SPDX-License-Identifier: Apache-2.0 */
/* How many instructions calls take, by the processor's own counter: the least of some calls, since
 * a device is waited for. */
#include <stdio.h>

#include <psa/crypto.h>

#define CALLS 20

static const uint8_t material[16] = {1, 2, 3};
static psa_key_id_t cbc_key;
static psa_key_id_t cmac_key;
static psa_cipher_operation_t operation;
static uint8_t text[1024];
static uint8_t output[1024];
static size_t length;

static uint32_t now(void)
{
    uint32_t count;

    __asm__ volatile("csrr %0, minstret" : "=r"(count));
    return count;
}

static psa_status_t begin(void)
{
    const psa_status_t status =
        psa_cipher_encrypt_setup(&operation, cbc_key, PSA_ALG_CBC_NO_PADDING);

    return status == PSA_SUCCESS ? psa_cipher_set_iv(&operation, material, 16) : status;
}

static psa_status_t setup(void)
{
    const psa_status_t status = begin();

    (void)psa_cipher_abort(&operation);
    return status;
}

static psa_status_t part(void)
{
    return psa_cipher_update(&operation, text, 16, output, sizeof output, &length);
}

static psa_status_t long_part(void)
{
    return psa_cipher_update(&operation, text, sizeof text, output, sizeof output, &length);
}

static psa_status_t decrypt(void)
{
    return psa_cipher_decrypt(cbc_key, PSA_ALG_CBC_NO_PADDING, text, sizeof text, output,
                              sizeof output, &length);
}

static psa_status_t mac(void)
{
    return psa_mac_compute(cmac_key, PSA_ALG_CMAC, text, 64, output, 16, &length);
}

static psa_status_t import(psa_algorithm_t alg, psa_key_usage_t usage, psa_key_id_t *key)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, usage);
    return psa_import_key(&attributes, material, sizeof material, key);
}

static void measure(const char *name, psa_status_t (*call)(void))
{
    uint32_t least = UINT32_MAX;
    psa_status_t status = PSA_SUCCESS;

    for (unsigned i = 0; i < CALLS && status == PSA_SUCCESS; i++) {
        const uint32_t before = now();
        status = call();
        const uint32_t taken = now() - before;
        least = taken < least ? taken : least;
    }
    printf("%s: %ld, %lu\n", name, (long)status, (unsigned long)least);
}

int main(void)
{
    if (psa_crypto_init() != PSA_SUCCESS ||
        import(PSA_ALG_CBC_NO_PADDING, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, &cbc_key) !=
            PSA_SUCCESS ||
        import(PSA_ALG_CMAC, PSA_KEY_USAGE_SIGN_MESSAGE, &cmac_key) != PSA_SUCCESS) {
        return 1;
    }
    measure("setup", setup);
    if (begin() != PSA_SUCCESS) {
        return 1;
    }
    measure("part", part);
    measure("long_part", long_part);
    (void)psa_cipher_abort(&operation);
    measure("decrypt", decrypt);
    measure("mac", mac);
    return 0;
}
