/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chip that means harm: it answers with anything, often with a valid count and CRC. Whatever it
 * says, the driver writes inside its buffers (which the sanitizers watch), comes back, and gives
 * the lock back. The bytes are pseudo-random and repeat exactly.
 */
#include <corral/devices.h>
#include <corral/drivers/atecc608/entry_points.h>
#include <corral/port.h>
#include <slots.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 3000

const struct atecc608_device corral_atecc608_devices[CORRAL_ATECC608_DEVICE_COUNT] = {
    {.address = 0x60, .slots = {1, 2, 3, 1}, .location = CORRAL_LOCATION_SE0, .index = 0},
    {.address = 0x61, .slots = {1, 2, 3}, .location = CORRAL_LOCATION_SE1, .index = 1},
    {.address = 0x62, .slots = {1, 2, 3}, .location = CORRAL_LOCATION_SE2, .index = 2},
};

static uint32_t seed = 1;
static unsigned held;
static unsigned honesty; /* in percent: how often an answer is one that fits */

static uint32_t draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* --- the chip --- */

static uint8_t last_opcode;
static uint8_t last_parameter; /* low byte of the second */
static uint8_t config[128];    /* of a chip that suits: locked, with the slots of the devices */

static void make_config(void)
{
    config[13] = 1; /* AES_Enable */
    config[88] = config[89] = 0xFF;
    for (size_t slot = 0; slot < 4; slot++) {
        const struct atecc608_kind *kind = &atecc608_kinds[corral_atecc608_devices[0].slots[slot]];

        memcpy(config + 20 + 2 * slot, &kind->slot_config, 2);
        memcpy(config + 96 + 2 * slot, &kind->key_config, 2);
    }
}

psa_status_t corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data, size_t length)
{
    (void)bus;
    (void)address;
    last_opcode = length > 2 ? data[2] : 0;
    last_parameter = length > 4 ? data[4] : 0;
    return draw() % 16 == 0 ? PSA_ERROR_COMMUNICATION_FAILURE : PSA_SUCCESS;
}

/* An answer with count and CRC: of the length asked for, or a status. */
static void fit(uint8_t *data, size_t length)
{
    const bool is_status = length == 4 || draw() % 8 == 0;
    const size_t count = is_status ? 4 : length;
    static const uint8_t codes[] = {0, 0, 0, 0, 0x11, 1, 3, 5, 7, 8, 0x0F, 0xEE, 0xFF, 0x80, 0x81};

    data[0] = (uint8_t)count;
    if (is_status) {
        data[1] = last_opcode == 0 ? 0x11 : codes[draw() % sizeof codes];
    } else if (last_opcode == 0x02 && draw() % 16 != 0) {
        memcpy(data + 1, config + last_parameter * 4 % sizeof config, count - 3);
    }
    const uint16_t crc = atecc608_crc(data, count - 2);
    data[count - 2] = (uint8_t)crc;
    data[count - 1] = (uint8_t)(crc >> 8);
}

psa_status_t corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data, size_t length)
{
    (void)bus;
    (void)address;
    for (size_t i = 0; i < length; i++) {
        data[i] = (uint8_t)draw();
    }
    if (draw() % 100 < honesty) {
        fit(data, length);
    }
    return draw() % 16 == 0 ? PSA_ERROR_COMMUNICATION_FAILURE : PSA_SUCCESS;
}

void corral_port_delay_us(uint32_t microseconds)
{
    (void)microseconds;
}

void corral_port_lock(unsigned lock)
{
    if (held != 0) {
        abort();
    }
    held = lock;
}

void corral_port_unlock(unsigned lock)
{
    if (held != lock) {
        abort();
    }
    held = 0;
}

/* --- the calls --- */

static psa_key_attributes_t attributes_of(psa_key_type_t type, size_t bits)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    attributes.type = type;
    attributes.bits = (uint16_t)bits;
    attributes.lifetime = CORRAL_LOCATION_SE0 << 8;
    return attributes;
}

static void use_pair(uint8_t *context)
{
    psa_key_attributes_t pair =
        attributes_of(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256);
    uint8_t *signature = malloc(64);
    uint8_t *point = malloc(65);
    const uint8_t hash[32] = {1};
    const uint8_t label = (uint8_t)(draw() % 16);
    size_t length = 0;

    if (atecc608_allocate_key(&pair, context, 8) == PSA_SUCCESS) {
        (void)atecc608_generate_key(&pair, context, 8, &length);
        memset(signature, 0, 64);
        signature[31] = signature[63] = 1;
        (void)atecc608_verify_hash(&pair, context, 8, PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash, 32,
                                   signature, 64);
        (void)atecc608_sign_hash(&pair, context, 8, PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash, 32,
                                 signature, 64, &length);
        (void)atecc608_export_public_key(&pair, context, 8, point, 65, &length);
        (void)atecc608_key_agreement(PSA_ALG_ECDH, &pair, context, 8, point, 65, signature, 32,
                                     &length);
        context[0] &= (uint8_t)~0x20; /* given back in any case */
        (void)atecc608_destroy_key(&pair, context, 8);
    }
    if (atecc608_attach_key(&pair, &label, 1, context, 8, &length) == PSA_SUCCESS) {
        (void)atecc608_destroy_key(&pair, context, 8);
    }
    free(signature);
    free(point);
}

static void use_symmetric(uint8_t *context)
{
    psa_key_attributes_t aes = attributes_of(PSA_KEY_TYPE_AES, 128);
    psa_key_attributes_t hmac = attributes_of(PSA_KEY_TYPE_HMAC, 256);
    atecc608_cipher_operation_t operation;
    uint8_t *output = malloc(48);
    const uint8_t text[80] = {1};
    size_t length = 0;
    size_t bits = 0;

    memset(&operation, 0, sizeof operation);
    if (atecc608_allocate_key(&aes, context, 8) == PSA_SUCCESS) {
        (void)atecc608_import_symmetric_key(&aes, text, 16, context, 8, &length, &bits);
        (void)atecc608_cipher_encrypt_setup(&operation, &aes, context, 8, PSA_ALG_CTR);
        (void)atecc608_cipher_update(&operation, text, 48, output, 48, &length);
        (void)atecc608_cipher_abort(&operation);
        context[0] &= (uint8_t)~0x20;
        (void)atecc608_destroy_key(&aes, context, 8);
    }
    if (atecc608_allocate_key(&hmac, context, 8) == PSA_SUCCESS) {
        (void)atecc608_generate_symmetric_key(&hmac, context, 8, &length);
        (void)atecc608_hmac_compute(&hmac, context, 8, PSA_ALG_HMAC(PSA_ALG_SHA_256), text, 80,
                                    output, 32, &length);
        context[0] &= (uint8_t)~0x20;
        (void)atecc608_destroy_key(&hmac, context, 8);
    }
    free(output);
}

static void use_keyless(void)
{
    atecc608_random_context_t random = {0};
    uint8_t *output = malloc(40);
    const uint8_t text[70] = {1};
    size_t length = 0;

    (void)atecc608_hash_compute(PSA_ALG_SHA_256, text, 70, output, 32, &length);
    (void)atecc608_get_random(&random, output, 40, &length);
    free(output);
}

int main(void)
{
    make_config();
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t *context = malloc(8);

        honesty = round % 10 == 0 ? 0 : 100 - round % 10;
        use_pair(context);
        use_symmetric(context);
        use_keyless();
        free(context);
    }
    if (held != 0) {
        printf("a lock is still held\n");
        return 1;
    }
    printf("0 failed\n");
    return 0;
}
