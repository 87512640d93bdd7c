/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chip that answers with anything: a right answer, a status, a packet with right count and
 * CRC and any content, bytes without either, or nothing. Calls of every family of its driver
 * never touch memory beyond their buffers, leave no stray bytes in an output, hold no slot and
 * keep no lock. Once the chip answers normally again, its keys can be destroyed.
 */
#include <corral/devices.h>
#include <corral/drivers/atecc608/entry_points.h>
#include <corral/port.h>

#include "../../../core/keys/pool.h"
#include "../../../drivers/atecc608/session.h"
#include "../../../drivers/atecc608/slots.h"
#include "../../harness/material.h"
#include "../../harness/slots.h"
#include "../common/fuzz.h"

#define KEYS 4u
#define ROOM 80u
#define READ_CONFIG 0x02
#define GENKEY 0x40
#define LIFETIME                                                                                   \
    PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(PSA_KEY_PERSISTENCE_VOLATILE,                   \
                                                   CORRAL_LOCATION_SE0)

psa_status_t __wrap_corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data,
                                          size_t length);
psa_status_t __wrap_corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data,
                                         size_t length);
void __wrap_corral_port_delay_us(uint32_t microseconds);

/* --- the chip --- */

static struct fuzz_input replies;
static bool is_itself;         /* the chip answers as it should, whatever the input says */
static bool lied_about_itself; /* the driver may have taken it for another chip */
static uint8_t opcode;         /* of the command at work; 0: woken */
static uint8_t parameter;
static uint8_t config[128];

/* A chip that suits the board: both zones locked, its slots as they are declared. */
static void make_config(void)
{
    const struct atecc608_device *device = &corral_atecc608_devices[0];

    config[ATECC608_CONFIG_AES_ENABLE] = 1;
    config[ATECC608_CONFIG_SLOT_LOCKED] = config[ATECC608_CONFIG_SLOT_LOCKED + 1] = 0xff;
    for (uint8_t slot = 0; slot < ATECC608_SLOT_COUNT; slot++) {
        const struct atecc608_kind *kind = &atecc608_kinds[device->slots[slot]];
        const uint16_t more = atecc608_private_write(device, slot);
        const uint16_t word = (uint16_t)(kind->slot_config | more);
        config[ATECC608_CONFIG_SLOT_CONFIG + 2 * slot] = (uint8_t)word;
        config[ATECC608_CONFIG_SLOT_CONFIG + 2 * slot + 1] = (uint8_t)(word >> 8);
        config[ATECC608_CONFIG_KEY_CONFIG + 2 * slot] = (uint8_t)kind->key_config;
        config[ATECC608_CONFIG_KEY_CONFIG + 2 * slot + 1] = (uint8_t)(kind->key_config >> 8);
    }
}

psa_status_t __wrap_corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data,
                                          size_t length)
{
    (void)bus;
    (void)address;
    opcode = length > 2 ? data[2] : 0;
    parameter = length > 4 ? data[4] : 0;
    return !is_itself && fuzz_byte(&replies) == 0xff ? PSA_ERROR_COMMUNICATION_FAILURE
                                                     : PSA_SUCCESS;
}

static void close_packet(uint8_t *data, size_t count)
{
    data[0] = (uint8_t)count;
    const uint16_t crc = atecc608_crc(data, count - 2);
    data[count - 2] = (uint8_t)crc;
    data[count - 1] = (uint8_t)(crc >> 8);
}

static void say_status(uint8_t *data, uint8_t status)
{
    data[1] = status;
    close_packet(data, 4);
}

/* The answer of a chip; the content of secret or random values does not matter. */
static void say_right(uint8_t *data, size_t length)
{
    if (length == 4) {
        say_status(data, opcode == 0 ? 0x11 : 0);
        return;
    }
    memset(data, 0x5a, length);
    if (opcode == READ_CONFIG) {
        memcpy(data + 1, config + parameter * 4u % sizeof config, length - 3);
    } else if (opcode == GENKEY && length == 67) {
        memcpy(data + 1, p256_public + 1, 64);
    }
    close_packet(data, length);
}

static void say_anything(uint8_t *data, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        data[i] = fuzz_byte(&replies);
    }
}

psa_status_t __wrap_corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data, size_t length)
{
    static const uint8_t codes[] = {0, 1, 3, 5, 7, 8, 0x0f, 0x11, 0xee, 0xff, 0x80, 0x81};
    const uint8_t choice = is_itself ? 0 : fuzz_byte(&replies);

    (void)bus;
    (void)address;
    if (choice < 200) {
        say_right(data, length);
    } else if (choice < 220) {
        say_status(data, codes[choice % sizeof codes]);
    } else if (choice < 240 && length > 4) {
        say_anything(data, length);
        close_packet(data, length);
        lied_about_itself = lied_about_itself || opcode == READ_CONFIG;
    } else if (choice < 250) {
        say_anything(data, length);
        lied_about_itself = lied_about_itself || opcode == READ_CONFIG;
    } else {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    return PSA_SUCCESS;
}

void __wrap_corral_port_delay_us(uint32_t microseconds)
{
    (void)microseconds;
}

/* --- the calls --- */

static const struct kind {
    psa_key_type_t type;
    psa_algorithm_t alg;
    psa_key_usage_t usage;
    size_t bits;
    const uint8_t *data;
} kinds[] = {
    {PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), PSA_ALG_ECDSA(PSA_ALG_SHA_256),
     PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH, 256, p256_private},
    {PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE, 256,
     p256_private},
    {PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1), PSA_ALG_ECDSA(PSA_ALG_SHA_256),
     PSA_KEY_USAGE_VERIFY_HASH, 256, p256_public},
    {PSA_KEY_TYPE_AES, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, 128, aes_key},
    {PSA_KEY_TYPE_AES, PSA_ALG_CBC_PKCS7, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, 128,
     aes_key},
    {PSA_KEY_TYPE_AES, PSA_ALG_CCM, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, 128, aes_key},
    {PSA_KEY_TYPE_AES, PSA_ALG_CMAC, PSA_KEY_USAGE_SIGN_MESSAGE, 128, aes_key},
    {PSA_KEY_TYPE_AES, PSA_ALG_KW, PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP, 128, aes_key},
    {PSA_KEY_TYPE_HMAC, PSA_ALG_HMAC(PSA_ALG_SHA_256), PSA_KEY_USAGE_SIGN_MESSAGE, 128, aes_key},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static struct {
    psa_key_id_t id;
    const struct kind *kind;
} keys[KEYS];

static uint8_t *output;
static size_t length;

/* After each call: a failed one has left nothing, and nothing is held. */
static void check(psa_status_t status, size_t most)
{
    FUZZ_CHECK(status != PSA_ERROR_GENERIC_ERROR);
    FUZZ_CHECK(length <= most && (status == PSA_SUCCESS || length == 0));
    for (size_t i = 0; status != PSA_SUCCESS && i < most; i++) {
        FUZZ_CHECK(output[i] == 0);
    }
    FUZZ_CHECK(corral_holds() == 0);
    memset(output, 0, ROOM);
    length = 0;
}

static void create(unsigned row, const struct kind *kind, unsigned way)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    const uint8_t label = (uint8_t)(way % ATECC608_SLOT_COUNT);
    psa_key_id_t id = 1;
    psa_status_t status;

    psa_set_key_type(&attributes, kind->type);
    psa_set_key_bits(&attributes, kind->bits);
    psa_set_key_algorithm(&attributes, kind->alg);
    psa_set_key_usage_flags(&attributes, kind->usage);
    psa_set_key_lifetime(&attributes, LIFETIME);
    if (way >= 0xe0) {
        status = psa_attach_key(&attributes, &label, 1, &id);
    } else if (way >= 0x70 || PSA_KEY_TYPE_IS_PUBLIC_KEY(kind->type)) {
        status = psa_import_key(&attributes, kind->data,
                                PSA_KEY_TYPE_IS_PUBLIC_KEY(kind->type) ? 65 : kind->bits / 8, &id);
    } else {
        status = psa_generate_key(&attributes, &id);
    }
    FUZZ_CHECK((status == PSA_SUCCESS) == (id != PSA_KEY_ID_NULL));
    keys[row].id = id;
    keys[row].kind = kind;
    length = 0;
    check(status, 0);
}

static void use_pair(psa_key_id_t id, unsigned what)
{
    switch (what % 4) {
    case 0:
        check(psa_sign_hash(id, PSA_ALG_ECDSA(PSA_ALG_SHA_256), p256_hash, 32, output, 64, &length),
              64);
        break;
    case 1:
        (void)psa_verify_hash(id, PSA_ALG_ECDSA(PSA_ALG_SHA_256), p256_hash, 32, p256_signature,
                              64);
        break;
    case 2:
        check(psa_export_public_key(id, output, 65, &length), 65);
        break;
    default:
        check(psa_raw_key_agreement(PSA_ALG_ECDH, id, p256_public, 65, output, 32, &length), 32);
        break;
    }
}

static void cipher_in_parts(psa_key_id_t id, psa_algorithm_t alg, unsigned what)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    psa_status_t status = what % 2 == 0 ? psa_cipher_encrypt_setup(&operation, id, alg)
                                        : psa_cipher_decrypt_setup(&operation, id, alg);

    if (status == PSA_SUCCESS) {
        (void)psa_cipher_set_iv(&operation, aes_iv, 16);
        check(psa_cipher_update(&operation, aes_text, 48, output, 64, &length), 64);
        check(psa_cipher_finish(&operation, output, 16, &length), 16);
    }
    FUZZ_CHECK(psa_cipher_abort(&operation) == PSA_SUCCESS);
}

static void use_symmetric(psa_key_id_t id, psa_algorithm_t alg, unsigned what)
{
    psa_mac_operation_t mac = PSA_MAC_OPERATION_INIT;
    psa_key_id_t made;

    if (alg == PSA_ALG_CCM) {
        check(psa_aead_encrypt(id, alg, aes_iv, 12, abc, 3, aes_text, 40, output, 56, &length), 56);
        check(psa_aead_decrypt(id, alg, aes_iv, 12, abc, 3, aes_text, 56, output, 40, &length), 40);
    } else if (alg == PSA_ALG_KW) {
        psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
        psa_set_key_type(&attributes, PSA_KEY_TYPE_HMAC);
        FUZZ_CHECK(psa_unwrap_key(&attributes, id, alg, aes_text, 24, &made) != PSA_SUCCESS);
    } else if (PSA_ALG_IS_CIPHER(alg)) {
        check(psa_cipher_encrypt(id, alg, aes_text, 20, output, 48, &length), 48);
        check(psa_cipher_decrypt(id, alg, aes_text, 48, output, 48, &length), 48);
        cipher_in_parts(id, alg, what);
    } else {
        check(psa_mac_compute(id, alg, abc, 3, output, 32, &length), 32);
        if (psa_mac_sign_setup(&mac, id, alg) == PSA_SUCCESS) {
            (void)psa_mac_update(&mac, aes_text, 40);
            check(psa_mac_sign_finish(&mac, output, 32, &length), 32);
        }
        FUZZ_CHECK(psa_mac_abort(&mac) == PSA_SUCCESS);
    }
}

static void use(unsigned row, unsigned what)
{
    if (PSA_KEY_TYPE_IS_ASYMMETRIC(keys[row].kind->type)) {
        use_pair(keys[row].id, what);
    } else {
        use_symmetric(keys[row].id, keys[row].kind->alg, what);
    }
}

static void destroy(unsigned row)
{
    const psa_status_t status = psa_destroy_key(keys[row].id);

    FUZZ_CHECK(!is_itself || lied_about_itself || status == PSA_SUCCESS);
    FUZZ_CHECK(corral_holds() == 0);
    if (status == PSA_SUCCESS) {
        keys[row].id = PSA_KEY_ID_NULL;
    }
}

/* The host begins anew: nothing is known of chip and keys. */
static void start(void)
{
    slots_lose_power();
    for (size_t i = 0; i < CORRAL_ATECC608_DEVICE_COUNT; i++) {
        struct atecc608_session session = {.device = &corral_atecc608_devices[i]};
        memset(atecc608_state(&session), 0, sizeof(struct atecc608_state));
    }
    memset(keys, 0, sizeof keys);
    lied_about_itself = false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* The first part says what is called, and the rest what the chip answers. */
    struct fuzz_input calls = {data, size < 24 ? size : 24};

    make_config();
    start();
    is_itself = false;
    replies = (struct fuzz_input){data + calls.size, size - calls.size};
    output = fuzz_room(ROOM);
    memset(output, 0, ROOM);
    while (calls.size > 0) {
        const unsigned row = fuzz_below(&calls, KEYS);
        const unsigned what = fuzz_byte(&calls);
        if (keys[row].id == PSA_KEY_ID_NULL) {
            create(row, &kinds[what % KINDS], fuzz_byte(&calls));
        } else if (what >= 0xe0) {
            destroy(row);
        } else {
            use(row, what);
        }
    }
    is_itself = true;
    for (unsigned row = 0; row < KEYS; row++) {
        destroy(row);
    }
    free(output);
    return 0;
}
