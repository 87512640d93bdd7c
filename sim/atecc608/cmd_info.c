/* SPDX-License-Identifier: Apache-2.0 */
/* Info, Counter, UpdateExtra, SelfTest. */
#include "chip.h"

#include "crypto.h"

#include <string.h>

/* --- Info --- */

enum { INFO_REVISION, INFO_KEY_VALID, INFO_STATE, INFO_GPIO, INFO_VOLATILE_KEY };
enum { LATCH_WRITE = 0x0002, LATCH_VALUE = 0x0001, LATCH_ENABLED = 0x80 };

/* Whether a slot holds a key that can be used: a valid private key, or a public key that is
 * validated or needs no validation. */
static uint8_t info_key_valid(const struct atecc608_sim_chip *chip, unsigned int slot,
                              uint8_t *valid)
{
    struct slot_rules rules = permissions_of(chip, slot);
    const uint8_t *data = zones_slot_const(chip, slot);

    if (rules.key_type != KEY_TYPE_P256) {
        return STATUS_EXECUTION;
    }
    if (rules.is_private) {
        *valid = crypto_p256_scalar_valid(data + 4) ? 1 : 0;
    } else {
        *valid = !rules.pub_info || data[0] >> 4 == 0x5 ? 1 : 0;
    }
    return STATUS_OK;
}

static void info_state(const struct atecc608_sim_chip *chip, uint8_t output[4])
{
    const struct volatile_state *ram = &chip->ram;

    output[0] = tempkey_flags(&ram->tempkey);
    output[1] = (uint8_t)((ram->authorized ? 0x04u : 0u) | (ram->authorizing_key & 0x0Fu) << 3 |
                          (ram->tempkey.valid ? 0x80u : 0u));
}

/* Read or set the persistent latch. */
static uint8_t info_latch(struct atecc608_sim_chip *chip, uint16_t param2, uint8_t *value)
{
    uint8_t permission = chip->nvm.config[CONFIG_VOLATILE_KEY_PERMISSION];
    bool authorized = chip->ram.authorized && chip->ram.authorizing_key == (permission & 0x0F);

    if ((permission & LATCH_ENABLED) == 0) {
        return STATUS_EXECUTION;
    }
    if ((param2 & LATCH_WRITE) != 0) {
        bool set = (param2 & LATCH_VALUE) != 0;

        if (set && !authorized) {
            return STATUS_EXECUTION; /* clearing is always allowed */
        }
        chip->latch = set;
    }
    *value = chip->latch ? 1 : 0;
    return STATUS_OK;
}

uint8_t cmd_info(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                 size_t *output_length)
{
    uint8_t status = STATUS_OK;

    if (command->length != 0) {
        return STATUS_PARSE;
    }
    memset(output, 0, 4);
    switch (command->param1) {
    case INFO_REVISION:
        memcpy(output, chip->nvm.config + 4, 4);
        break;
    case INFO_KEY_VALID:
        if (command->param2 >= SLOT_COUNT) {
            return STATUS_PARSE;
        }
        status = info_key_valid(chip, command->param2, output);
        break;
    case INFO_STATE:
        info_state(chip, output);
        break;
    case INFO_GPIO:
        return STATUS_EXECUTION; /* on I2C the pin is SCL */
    case INFO_VOLATILE_KEY:
        if (command->param2 > (LATCH_WRITE | LATCH_VALUE)) {
            return STATUS_PARSE;
        }
        status = info_latch(chip, command->param2, output);
        break;
    default:
        return STATUS_PARSE;
    }
    *output_length = status == STATUS_OK ? 4 : 0;
    return status;
}

/* --- Counter --- */

uint8_t cmd_counter(struct atecc608_sim_chip *chip, const struct command *command, uint8_t *output,
                    size_t *output_length)
{
    uint32_t *counter;

    if (command->length != 0 || command->param1 > 1 || command->param2 > 1) {
        return STATUS_PARSE;
    }
    counter = &chip->nvm.counter[command->param2];
    if (command->param1 == 1) {
        if (!zones_config_locked(chip) || *counter >= COUNTER_MAX) {
            return STATUS_EXECUTION;
        }
        (*counter)++;
    }
    for (unsigned int i = 0; i < 4; i++) {
        output[i] = (uint8_t)(*counter >> 8 * i);
    }
    *output_length = 4;
    return STATUS_OK;
}

/* --- UpdateExtra --- */

uint8_t cmd_update_extra(struct atecc608_sim_chip *chip, const struct command *command,
                         uint8_t *output, size_t *output_length)
{
    uint8_t *byte;

    (void)output;
    (void)output_length;
    if (command->length != 0 || command->param1 > 1 || command->param2 > 0xFF) {
        return STATUS_PARSE;
    }
    byte = chip->nvm.config + CONFIG_USER_EXTRA + command->param1;
    if (zones_config_locked(chip) && *byte != 0) {
        return STATUS_EXECUTION; /* once locked, each byte can be set one time */
    }
    *byte = (uint8_t)command->param2;
    return STATUS_OK;
}

/* --- SelfTest --- */

enum {
    TEST_RNG = 0x01,
    TEST_VERIFY = 0x02,
    TEST_SIGN = 0x04,
    TEST_ECDH = 0x08,
    TEST_AES = 0x10,
    TEST_SHA = 0x20,
    TEST_ALL = 0x3F,
};

static bool test_rng(void)
{
    uint8_t first[32];
    uint8_t second[32];

    return crypto_random(first, 32) && crypto_random(second, 32) && memcmp(first, second, 32) != 0;
}

static bool test_ecdsa(void)
{
    uint8_t private_key[32];
    uint8_t public_key[64];
    uint8_t digest[32] = {1, 2, 3};
    uint8_t signature[64];
    bool ok = crypto_p256_generate(private_key, public_key) &&
              crypto_p256_sign(private_key, digest, signature) &&
              crypto_p256_verify(public_key, digest, signature);

    digest[0] ^= 1;
    return ok && !crypto_p256_verify(public_key, digest, signature);
}

static bool test_ecdh(void)
{
    uint8_t private_a[32];
    uint8_t private_b[32];
    uint8_t public_a[64];
    uint8_t public_b[64];
    uint8_t secret_a[32];
    uint8_t secret_b[32];

    return crypto_p256_generate(private_a, public_a) && crypto_p256_generate(private_b, public_b) &&
           crypto_p256_ecdh(private_a, public_b, secret_a) &&
           crypto_p256_ecdh(private_b, public_a, secret_b) && memcmp(secret_a, secret_b, 32) == 0;
}

/* FIPS 197 appendix B. */
static bool test_aes(void)
{
    static const uint8_t key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                    0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    static const uint8_t input[16] = {0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d,
                                      0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34};
    static const uint8_t expected[16] = {0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb,
                                         0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32};
    uint8_t output[16];

    return crypto_aes128(key, true, input, output) && memcmp(output, expected, 16) == 0;
}

/* FIPS 180-4, "abc". */
static bool test_sha(void)
{
    static const uint8_t expected[4] = {0xba, 0x78, 0x16, 0xbf};
    uint8_t digest[32];

    crypto_sha256((const uint8_t *)"abc", 3, digest);
    return memcmp(digest, expected, sizeof(expected)) == 0;
}

uint8_t cmd_self_test(struct atecc608_sim_chip *chip, const struct command *command,
                      uint8_t *output, size_t *output_length)
{
    uint8_t mode = command->param1;
    uint8_t failed = 0;

    (void)chip;
    if (command->length != 0 || mode == 0 || (mode & ~TEST_ALL) != 0 || command->param2 != 0) {
        return STATUS_PARSE;
    }
    failed |= (mode & TEST_RNG) != 0 && !test_rng() ? TEST_RNG : 0;
    failed |= (mode & (TEST_VERIFY | TEST_SIGN)) != 0 && !test_ecdsa()
                  ? mode & (TEST_VERIFY | TEST_SIGN)
                  : 0;
    failed |= (mode & TEST_ECDH) != 0 && !test_ecdh() ? TEST_ECDH : 0;
    failed |= (mode & TEST_AES) != 0 && !test_aes() ? TEST_AES : 0;
    failed |= (mode & TEST_SHA) != 0 && !test_sha() ? TEST_SHA : 0;
    output[0] = failed;
    *output_length = 1;
    return STATUS_OK;
}
