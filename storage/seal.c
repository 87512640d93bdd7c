/* SPDX-License-Identifier: Apache-2.0 */
#include "seal.h"

#include <string.h>

#include <corral/dispatch/cipher.h>
#include <corral/dispatch/mac.h>
#include <corral/driver.h>
#include <corral/port.h>
#include <psa/crypto.h>

#define BLOCK 16u
#define HALF (CORRAL_DEVICE_KEY_SIZE / 2u)

static psa_key_attributes_t key_attributes(void)
{
    psa_key_attributes_t attributes = psa_key_attributes_init();

    attributes.type = PSA_KEY_TYPE_AES;
    attributes.bits = 8 * HALF;
    return attributes;
}

static psa_status_t cmac(const uint8_t *key, const uint8_t *data, size_t size, uint8_t mac[BLOCK])
{
    const psa_key_attributes_t attributes = key_attributes();
    size_t length;

    return corral_dispatch_mac_compute(&attributes, key, HALF, PSA_ALG_CMAC, data, size, mac, BLOCK,
                                       &length);
}

/* Multiplication by x in the field of CMAC, in constant time (RFC 5297, 2.3). */
static void doubled(uint8_t block[BLOCK])
{
    const uint8_t carry = (uint8_t)(0u - (block[0] >> 7));

    for (size_t i = 0; i < BLOCK - 1; i++) {
        block[i] = (uint8_t)(block[i] << 1 | block[i + 1] >> 7);
    }
    block[BLOCK - 1] = (uint8_t)(block[BLOCK - 1] << 1 ^ (0x87 & carry));
}

static void add(uint8_t *to, const uint8_t block[BLOCK])
{
    for (size_t i = 0; i < BLOCK; i++) {
        to[i] ^= block[i];
    }
}

/* S2V of a header and of data (RFC 5297, 2.4). `data` is changed and changed back. */
psa_status_t corral_siv_tag(const uint8_t key[16], const uint8_t *header, size_t header_size,
                            uint8_t *data, size_t size, uint8_t tag[CORRAL_SEAL_TAG_SIZE])
{
    uint8_t d[BLOCK] = {0};
    uint8_t part[BLOCK];

    psa_status_t status = cmac(key, d, sizeof d, d);
    doubled(d);
    if (status == PSA_SUCCESS) {
        status = cmac(key, header, header_size, part);
        add(d, part);
    }
    if (status == PSA_SUCCESS && size >= BLOCK) {
        add(data + size - BLOCK, d);
        status = cmac(key, data, size, tag);
        add(data + size - BLOCK, d);
    } else if (status == PSA_SUCCESS) {
        memset(part, 0, sizeof part);
        memcpy(part, data, size);
        part[size] = 0x80;
        doubled(d);
        add(d, part);
        status = cmac(key, d, sizeof d, tag);
    }
    corral_wipe(d, sizeof d);
    corral_wipe(part, sizeof part);
    return status;
}

/* CTR, from the tag without the two bits that a 32-bit counter might carry into (2.5). */
psa_status_t corral_siv_crypt(const uint8_t key[16], const uint8_t tag[CORRAL_SEAL_TAG_SIZE],
                              uint8_t *data, size_t size)
{
    const psa_key_attributes_t attributes = key_attributes();
    uint8_t counter[BLOCK];
    size_t length;

    if (size == 0) {
        return PSA_SUCCESS;
    }
    memcpy(counter, tag, sizeof counter);
    counter[8] &= 0x7f;
    counter[12] &= 0x7f;
    return corral_dispatch_cipher_encrypt(&attributes, key, HALF, PSA_ALG_CTR, counter,
                                          sizeof counter, data, size, data, size, &length);
}

/* Nothing stays of the key, and of the data only what succeeded. */
static psa_status_t end(psa_status_t status, uint8_t key[CORRAL_DEVICE_KEY_SIZE], uint8_t *data,
                        size_t size)
{
    if (status != PSA_SUCCESS) {
        corral_wipe(data, size);
    }
    corral_wipe(key, CORRAL_DEVICE_KEY_SIZE);
    return status;
}

psa_status_t corral_seal(const uint8_t *header, size_t header_size, uint8_t *data, size_t size,
                         uint8_t tag[CORRAL_SEAL_TAG_SIZE])
{
    uint8_t key[CORRAL_DEVICE_KEY_SIZE];

    psa_status_t status = corral_port_device_key(key);
    if (status == PSA_SUCCESS) {
        status = corral_siv_tag(key, header, header_size, data, size, tag);
    }
    if (status == PSA_SUCCESS) {
        status = corral_siv_crypt(key + HALF, tag, data, size);
    }
    return end(status, key, data, size);
}

psa_status_t corral_unseal(const uint8_t *header, size_t header_size, uint8_t *data, size_t size,
                           const uint8_t tag[CORRAL_SEAL_TAG_SIZE])
{
    uint8_t key[CORRAL_DEVICE_KEY_SIZE];
    uint8_t computed[CORRAL_SEAL_TAG_SIZE];

    psa_status_t status = corral_port_device_key(key);
    if (status == PSA_SUCCESS) {
        status = corral_siv_crypt(key + HALF, tag, data, size);
    }
    if (status == PSA_SUCCESS) {
        status = corral_siv_tag(key, header, header_size, data, size, computed);
    }
    if (status == PSA_SUCCESS && !corral_equal(computed, tag, sizeof computed)) {
        status = PSA_ERROR_DATA_CORRUPT;
    }
    return end(status, key, data, size);
}

psa_status_t corral_seal_digest(const uint8_t *header, size_t header_size,
                                const uint8_t data[CORRAL_SEAL_TAG_SIZE],
                                uint8_t digest[CORRAL_SEAL_TAG_SIZE])
{
    uint8_t key[CORRAL_DEVICE_KEY_SIZE];
    uint8_t copy[CORRAL_SEAL_TAG_SIZE];

    memcpy(copy, data, sizeof copy);
    psa_status_t status = corral_port_device_key(key);
    if (status == PSA_SUCCESS) {
        status = corral_siv_tag(key, header, header_size, copy, sizeof copy, digest);
    }
    corral_wipe(key, sizeof key);
    return status;
}
