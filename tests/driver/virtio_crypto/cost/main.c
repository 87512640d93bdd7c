/* SPDX-License-Identifier: Apache-2.0 */
/* How many instructions calls take, by the processor's own counter, and how many of them in the
 * port, which waits for the device: those depend on the host. */
#include <stdio.h>

#include <psa/crypto.h>

#include "../../../harness/virtio.h"

/* The first may find a place that was never used. */
#define CALLS 3

static const uint8_t material[16] = {1, 2, 3};
static psa_key_id_t cbc_key;
static psa_key_id_t cmac_key;
static psa_cipher_operation_t operation;
static uint8_t text[1024];
static uint8_t output[1024];
static size_t length;
static uint32_t waited;
static unsigned requests;

static uint32_t now(void)
{
    uint32_t count;

    __asm__ volatile("csrr %0, minstret" : "=r"(count));
    return count;
}

bool __wrap_corral_port_virtio_ask(struct corral_virtio *device, uint16_t queue,
                                   const struct corral_virtio_part *parts, size_t to_read,
                                   size_t to_write)
{
    const uint32_t before = now();
    const bool is_answered = __real_corral_port_virtio_ask(device, queue, parts, to_read, to_write);

    waited += now() - before;
    requests++;
    return is_answered;
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
    uint32_t least_waited = UINT32_MAX;
    psa_status_t status = PSA_SUCCESS;

    for (unsigned i = 0; i < CALLS && status == PSA_SUCCESS; i++) {
        waited = 0;
        requests = 0;
        const uint32_t before = now();
        status = call();
        const uint32_t taken = now() - before - waited;
        least = taken < least ? taken : least;
        least_waited = waited < least_waited ? waited : least_waited;
    }
    printf("%s: %ld, %lu, %u, %lu\n", name, (long)status, (unsigned long)least, requests,
           (unsigned long)least_waited);
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
