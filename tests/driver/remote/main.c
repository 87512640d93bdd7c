/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A core of the application's with keys on the trusted side of a wall. Power fails at every step of
 * the application's flash and at every call over the wall, while keys are created and destroyed;
 * afterwards each key is wholly there or wholly gone, and no key is left on the other side.
 */
#include <stdio.h>
#include <string.h>

#include <corral/board.h>
#include <corral/locations.h>
#include <corral/remote.h>

#include "../../persistent/device.h"

#define TRUSTED(persistence)                                                                       \
    PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(persistence, CORRAL_LOCATION_TRUSTED)
#define CONFIRMED 1u /* a key that is there before, during and after */
#define AT_WORK 2u
#define LAST 60u /* of the identifiers that the tests use */
#define MAC_SIZE 16u
#define LONG_SIZE (3u * CORRAL_REMOTE_BUFFER_SIZE + 7u)

struct corral_wall_call;

psa_status_t __real_corral_wall_enter(struct corral_wall_call *message);
psa_status_t __wrap_corral_wall_enter(struct corral_wall_call *message);

static const struct corral_flash_geometry geometry = {4096, 3, 8, false};
static uint8_t macs[AT_WORK + 1][MAC_SIZE];
static uint32_t all_cuts, call_cuts;

/* A call is a step like those of the flash: power fails before the other side carries it out, or
 * after that and before its answer arrives. */
psa_status_t __wrap_corral_wall_enter(struct corral_wall_call *message)
{
    if (!flash_model_is_on()) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    const enum flash_model_tear tear = flash_model_step();
    if (tear == FLASH_MODEL_NOTHING) {
        call_cuts++;
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    const psa_status_t status = __real_corral_wall_enter(message);
    if (tear != FLASH_MODEL_TEARS) {
        call_cuts++;
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    return status;
}

static psa_status_t create(psa_key_id_t id)
{
    psa_key_attributes_t attributes =
        device_attributes(id, PSA_KEY_TYPE_AES, 128, PSA_ALG_CMAC, PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_key_id_t key;

    psa_set_key_lifetime(&attributes, TRUSTED(PSA_KEY_PERSISTENCE_DEFAULT));
    return psa_generate_key(&attributes, &key);
}

static psa_status_t mac_of(psa_key_id_t id, uint8_t mac[MAC_SIZE])
{
    size_t length;

    return psa_mac_compute(id, PSA_ALG_CMAC, (const uint8_t *)"abc", 3, mac, MAC_SIZE, &length);
}

/* A key that is there is the one that it was. */
static bool works(psa_key_id_t id, const uint8_t *known)
{
    uint8_t mac[MAC_SIZE];

    return mac_of(id, mac) == PSA_SUCCESS && (known == NULL || memcmp(mac, known, MAC_SIZE) == 0);
}

static bool exists(psa_key_id_t id)
{
    psa_key_attributes_t attributes;

    return psa_get_key_attributes(id, &attributes) == PSA_SUCCESS;
}

/* How many more keys the other side stores: it counts them. */
static unsigned room_there(void)
{
    psa_key_id_t id = AT_WORK + 1;
    unsigned count;

    while (id <= LAST && create(id) == PSA_SUCCESS) {
        id++;
    }
    count = id - (AT_WORK + 1);
    while (id > AT_WORK + 1) {
        EXPECT(PSA_SUCCESS, psa_destroy_key(--id));
    }
    return count;
}

/* Only the application has lost its memory: the other side still has its keys. */
static void start_again(void)
{
    device_off();
    NEED(psa_crypto_init());
}

static void empty(void)
{
    start_again();
    for (psa_key_id_t id = 1; id <= LAST; id++) {
        (void)psa_destroy_key(id);
    }
    device_new(&geometry);
    start_again();
}

/* One confirmed key, and another one if `with_key`; nothing else is on either side. */
static void prepare(bool with_key)
{
    empty();
    NEED(create(CONFIRMED));
    NEED(mac_of(CONFIRMED, macs[CONFIRMED]));
    if (with_key) {
        NEED(create(AT_WORK));
        NEED(mac_of(AT_WORK, macs[AT_WORK]));
    }
}

static unsigned whole_room;

/* `was_there`: key AT_WORK existed before the call that was cut off. */
static void check_all(bool was_there)
{
    const bool is_there = exists(AT_WORK);

    CHECK(works(CONFIRMED, macs[CONFIRMED]));
    CHECK(!is_there || works(AT_WORK, was_there ? macs[AT_WORK] : NULL));
    CHECK(room_there() == whole_room - (is_there ? 2 : 1));
}

static psa_status_t operate(bool destroys)
{
    return destroys ? psa_destroy_key(AT_WORK) : create(AT_WORK);
}

/* Cuts power at one step and starts again; false if there was no such step. */
static bool cut(bool destroys, uint32_t step, enum flash_model_tear tear)
{
    prepare(destroys);
    flash_model_cut(step, tear);
    const psa_status_t status = operate(destroys);
    if (!flash_model_power_on()) {
        CHECK(status == PSA_SUCCESS);
        return false;
    }
    all_cuts++;
    CHECK(status != PSA_SUCCESS);
    start_again();
    check_all(destroys);
    return true;
}

static void cut_everywhere(bool destroys)
{
    for (unsigned tear = 0; tear < FLASH_MODEL_TEARS; tear++) {
        uint32_t step = 1;
        while (cut(destroys, step, (enum flash_model_tear)tear)) {
            step++;
        }
    }
}

static void room__without_keys__is_what_the_other_side_has(void)
{
    empty();
    whole_room = room_there();
    CHECK(whole_room > 2 && whole_room < LAST - AT_WORK);
}

static void creation__cut_at_every_step__is_whole_or_gone(void)
{
    cut_everywhere(false);
}

static void destruction__cut_at_every_step__is_whole_or_gone(void)
{
    cut_everywhere(true);
}

static void count__of_all_cuts__is_said(void)
{
    char text[100];

    (void)snprintf(text, sizeof text, "cuts with a trusted side: %lu, %lu of them of calls\n",
                   (unsigned long)all_cuts, (unsigned long)call_cuts);
    corral_board_print(text);
    CHECK(all_cuts > 60 && call_cuts >= 9);
}

static void keys__on_the_trusted_side__survive_a_restart(void)
{
    prepare(true);
    for (unsigned i = 0; i < 3; i++) {
        start_again();
        check_all(true);
    }
    EXPECT(PSA_ERROR_ALREADY_EXISTS, create(AT_WORK));
    EXPECT(PSA_SUCCESS, psa_destroy_key(AT_WORK));
    start_again();
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(AT_WORK));
    check_all(false);
}

static void full__trusted_side__refuses_and_stores_nothing(void)
{
    psa_key_id_t id = 1;

    empty();
    while (id <= LAST && create(id) == PSA_SUCCESS) {
        id++;
    }
    REQUIRE(id <= LAST);
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, create(id));
    start_again();
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(id));
    CHECK(works(id - 1, NULL));
}

/* The identifier that the other side knows a key by, from its record. */
static psa_key_id_t id_there(psa_key_id_t id)
{
    struct corral_key_record record;

    NEED(device_record_read(id, &record));
    NEED(record.length == 4 ? PSA_SUCCESS : PSA_ERROR_CORRUPTION_DETECTED);
    return record.data[0] | (psa_key_id_t)record.data[1] << 8 | (psa_key_id_t)record.data[2] << 16 |
           (psa_key_id_t)record.data[3] << 24;
}

/* A program that goes past its own core. */
static void key__over_the_wall__does_no_more_than_it_is_for(void)
{
    uint8_t output[48];
    size_t length;

    prepare(false);
    const psa_key_id_t there = id_there(CONFIRMED);
    EXPECT(PSA_SUCCESS, corral_remote_mac_compute(there, PSA_ALG_CMAC, (const uint8_t *)"abc", 3,
                                                  output, MAC_SIZE, &length));
    CHECK_BYTES(output, length, macs[CONFIRMED], MAC_SIZE);
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           corral_remote_cipher_encrypt(there, PSA_ALG_ECB_NO_PADDING, macs[CONFIRMED], MAC_SIZE,
                                        output, sizeof output, &length));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           corral_remote_export_key(there, output, sizeof output, &length));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_export_key(CONFIRMED, output, sizeof output, &length));
}

/* A key of the other side with this policy, under the identifier AT_WORK. */
static psa_key_id_t key_for(psa_algorithm_t alg, psa_key_usage_t usage)
{
    psa_key_attributes_t attributes = device_attributes(AT_WORK, PSA_KEY_TYPE_AES, 128, alg, usage);
    psa_key_id_t key;

    psa_set_key_lifetime(&attributes, TRUSTED(PSA_KEY_PERSISTENCE_DEFAULT));
    NEED(psa_generate_key(&attributes, &key));
    return key;
}

/* One that computes nothing here computes nothing there, although a MAC has to be made there for
 * those that are only compared here. */
static void key__without_a_use__has_none_over_the_wall(void)
{
    uint8_t output[MAC_SIZE];
    size_t length;

    prepare(false);
    psa_key_id_t key = key_for(PSA_ALG_CMAC, PSA_KEY_USAGE_CACHE);
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           corral_remote_mac_compute(id_there(AT_WORK), PSA_ALG_CMAC, (const uint8_t *)"abc", 3,
                                     output, sizeof output, &length));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    key = key_for(PSA_ALG_CMAC, PSA_KEY_USAGE_VERIFY_MESSAGE);
    EXPECT(PSA_SUCCESS,
           corral_remote_mac_compute(id_there(AT_WORK), PSA_ALG_CMAC, (const uint8_t *)"abc", 3,
                                     output, sizeof output, &length));
    EXPECT(PSA_SUCCESS,
           psa_mac_verify(key, PSA_ALG_CMAC, (const uint8_t *)"abc", 3, output, length));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

/* The same bytes as a key in this memory and as one behind the wall. */
static void two_keys(psa_algorithm_t alg, psa_key_usage_t usage, psa_key_id_t keys[2])
{
    psa_key_attributes_t attributes = test_attributes(PSA_KEY_TYPE_AES, 0, alg, usage);
    uint8_t bytes[16];

    test_fill(bytes, sizeof bytes, 5);
    NEED(psa_import_key(&attributes, bytes, sizeof bytes, &keys[0]));
    psa_set_key_lifetime(&attributes, TRUSTED(PSA_KEY_PERSISTENCE_VOLATILE));
    NEED(psa_import_key(&attributes, bytes, sizeof bytes, &keys[1]));
    EXPECT(PSA_SUCCESS, psa_get_key_attributes(keys[1], &attributes));
    CHECK(psa_get_key_bits(&attributes) == 128);
}

static uint8_t text[LONG_SIZE];
static uint8_t encrypted[2][LONG_SIZE + MAC_SIZE];

static void texts__longer_than_the_buffer__cross_in_pieces(void)
{
    uint8_t tags[2][MAC_SIZE];
    psa_key_id_t keys[2];
    size_t length;

    test_fill(text, sizeof text, 9);
    two_keys(PSA_ALG_CMAC, PSA_KEY_USAGE_SIGN_MESSAGE, keys);
    for (unsigned i = 0; i < 2; i++) {
        EXPECT(PSA_SUCCESS, psa_mac_compute(keys[i], PSA_ALG_CMAC, text, sizeof text, tags[i],
                                            MAC_SIZE, &length));
        EXPECT(PSA_SUCCESS, psa_destroy_key(keys[i]));
    }
    CHECK_BYTES(tags[1], MAC_SIZE, tags[0], MAC_SIZE);
    two_keys(PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT, keys);
    for (unsigned i = 0; i < 2; i++) {
        psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
        uint8_t iv[16] = {1, 2, 3};

        NEED(psa_cipher_encrypt_setup(&operation, keys[i], PSA_ALG_CTR));
        NEED(psa_cipher_set_iv(&operation, iv, sizeof iv));
        EXPECT(PSA_SUCCESS, psa_cipher_update(&operation, text, sizeof text, encrypted[i],
                                              sizeof encrypted[i], &length));
        CHECK(length == sizeof text);
        EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
        EXPECT(PSA_SUCCESS, psa_destroy_key(keys[i]));
    }
    CHECK(memcmp(encrypted[0], encrypted[1], sizeof text) == 0);
}

#define USAGE (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
static const uint8_t nonce[12] = {1, 2, 3};

/* Whole messages with additional data, which go in parts where they do not fit. */
static void authenticated_text__longer_than_the_buffer__crosses_in_pieces(void)
{
    const size_t sizes[] = {CORRAL_REMOTE_BUFFER_SIZE / 2 - MAC_SIZE,
                            CORRAL_REMOTE_BUFFER_SIZE - MAC_SIZE, LONG_SIZE};
    psa_key_id_t keys[2];
    size_t length;

    test_fill(text, sizeof text, 9);
    two_keys(PSA_ALG_GCM, USAGE, keys);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t size = sizes[i];
        for (unsigned side = 0; side < 2; side++) {
            EXPECT(PSA_SUCCESS,
                   psa_aead_encrypt(keys[side], PSA_ALG_GCM, nonce, sizeof nonce, text, size, text,
                                    size, encrypted[side], sizeof encrypted[side], &length));
            CHECK(length == size + MAC_SIZE);
        }
        CHECK(memcmp(encrypted[0], encrypted[1], size + MAC_SIZE) == 0);
        /* In place; then, with a bit of the tag changed, of the text nothing is left. */
        EXPECT(PSA_SUCCESS,
               psa_aead_decrypt(keys[1], PSA_ALG_GCM, nonce, sizeof nonce, text, size, encrypted[1],
                                size + MAC_SIZE, encrypted[1], sizeof encrypted[1], &length));
        CHECK_BYTES(encrypted[1], length, text, size);
        encrypted[0][size] ^= 1;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE,
               psa_aead_decrypt(keys[1], PSA_ALG_GCM, nonce, sizeof nonce, text, size, encrypted[0],
                                size + MAC_SIZE, encrypted[1], size, &length));
        CHECK(length == 0 && test_all(encrypted[1], size, 0));
    }
    EXPECT(PSA_SUCCESS, psa_destroy_key(keys[0]));
    EXPECT(PSA_SUCCESS, psa_destroy_key(keys[1]));
}

static void begin_decryption(psa_key_id_t key, psa_aead_operation_t *operation)
{
    size_t length;

    NEED(psa_aead_decrypt_setup(operation, key, PSA_ALG_GCM));
    NEED(psa_aead_set_nonce(operation, nonce, sizeof nonce));
    EXPECT(PSA_SUCCESS, psa_aead_update(operation, encrypted[0], LONG_SIZE, encrypted[1],
                                        sizeof encrypted[1], &length));
    CHECK_BYTES(encrypted[1], length, text, sizeof text);
}

static void decryption__in_parts__has_its_tag_compared_on_the_other_side(void)
{
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    uint8_t plaintext[1];
    psa_key_id_t keys[2];
    size_t length;

    test_fill(text, sizeof text, 9);
    two_keys(PSA_ALG_GCM, USAGE, keys);
    uint8_t *const tag = encrypted[0] + LONG_SIZE;
    NEED(psa_aead_encrypt(keys[0], PSA_ALG_GCM, nonce, sizeof nonce, NULL, 0, text, sizeof text,
                          encrypted[0], sizeof encrypted[0], &length));
    begin_decryption(keys[1], &operation);
    EXPECT(PSA_SUCCESS,
           psa_aead_verify(&operation, plaintext, sizeof plaintext, &length, tag, MAC_SIZE));
    /* It is over, and another one may begin. */
    begin_decryption(keys[1], &operation);
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_aead_verify(&operation, plaintext, sizeof plaintext, &length, tag, MAC_SIZE - 1));
    EXPECT(PSA_ERROR_BAD_STATE, psa_aead_update_ad(&operation, text, 1));
    EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
    /* Longer than the wall's buffer: no driver is asked. */
    begin_decryption(keys[1], &operation);
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_aead_verify(&operation, plaintext, sizeof plaintext, &length, encrypted[0],
                           sizeof encrypted[0]));
    EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
    begin_decryption(keys[1], &operation);
    tag[MAC_SIZE - 1] ^= 0x80;
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_aead_verify(&operation, plaintext, sizeof plaintext, &length, tag, MAC_SIZE));
    EXPECT(PSA_SUCCESS, psa_aead_abort(&operation));
    EXPECT(PSA_SUCCESS, psa_destroy_key(keys[0]));
    EXPECT(PSA_SUCCESS, psa_destroy_key(keys[1]));
}

/* Here a driver only takes whole messages, there they come in parts. */
static void nonce_and_text__in_the_output__are_taken_of_keys_on_either_side(void)
{
    static const psa_key_lifetime_t lifetimes[] = {PSA_KEY_LIFETIME_VOLATILE,
                                                   TRUSTED(PSA_KEY_PERSISTENCE_VOLATILE)};
    const psa_key_usage_t both = PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT;
    uint8_t data[32];
    uint8_t expected[sizeof data + MAC_SIZE];
    uint8_t buffer[sizeof nonce + sizeof expected];
    size_t length;

    test_fill(data, sizeof data, 5);
    for (unsigned i = 0; i < 2; i++) {
        psa_key_attributes_t attributes =
            device_attributes(0, PSA_KEY_TYPE_CHACHA20, 256, PSA_ALG_CHACHA20_POLY1305, both);
        psa_key_id_t key;
        psa_set_key_lifetime(&attributes, lifetimes[i]);
        NEED(psa_import_key(&attributes, data, sizeof data, &key));
        NEED(psa_aead_encrypt(key, PSA_ALG_CHACHA20_POLY1305, nonce, sizeof nonce, NULL, 0, data,
                              sizeof data, expected, sizeof expected, &length));
        memcpy(buffer, nonce, sizeof nonce);
        memcpy(buffer + sizeof nonce, data, sizeof data);
        EXPECT(PSA_SUCCESS, psa_aead_encrypt(key, PSA_ALG_CHACHA20_POLY1305, buffer, sizeof nonce,
                                             NULL, 0, buffer + sizeof nonce, sizeof data, buffer,
                                             sizeof buffer, &length));
        CHECK_BYTES(buffer, length, expected, sizeof expected);
        memmove(buffer + sizeof nonce, buffer, sizeof expected);
        memcpy(buffer, nonce, sizeof nonce);
        EXPECT(PSA_SUCCESS, psa_aead_decrypt(key, PSA_ALG_CHACHA20_POLY1305, buffer, sizeof nonce,
                                             NULL, 0, buffer + sizeof nonce, sizeof expected,
                                             buffer, sizeof buffer, &length));
        CHECK_BYTES(buffer, length, data, sizeof data);
        EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    }
}

static void key_of_a_mode__over_the_wall__is_no_block_cipher(void)
{
    uint8_t output[16];
    size_t length;

    prepare(false);
    const psa_key_id_t key = key_for(PSA_ALG_GCM, USAGE);
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           corral_remote_cipher_encrypt(id_there(AT_WORK), PSA_ALG_ECB_NO_PADDING, text, 16, output,
                                        sizeof output, &length));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
}

/* Here are none, and a mode without an IV asks for none. */
static void block_cipher__in_one_call__needs_no_random_numbers(void)
{
    uint8_t outputs[2][16];
    psa_key_id_t keys[2];
    size_t length;

    two_keys(PSA_ALG_ECB_NO_PADDING, USAGE, keys);
    for (unsigned i = 0; i < 2; i++) {
        EXPECT(PSA_SUCCESS, psa_cipher_encrypt(keys[i], PSA_ALG_ECB_NO_PADDING, text, 16,
                                               outputs[i], 16, &length));
        EXPECT(PSA_SUCCESS, psa_destroy_key(keys[i]));
    }
    CHECK_BYTES(outputs[1], length, outputs[0], 16);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_generate_random(outputs[0], 16));
}

static const struct test_case tests[] = {
    TEST(room__without_keys__is_what_the_other_side_has),
    TEST(keys__on_the_trusted_side__survive_a_restart),
    TEST(full__trusted_side__refuses_and_stores_nothing),
    TEST(creation__cut_at_every_step__is_whole_or_gone),
    TEST(destruction__cut_at_every_step__is_whole_or_gone),
    TEST(count__of_all_cuts__is_said),
    TEST(key__over_the_wall__does_no_more_than_it_is_for),
    TEST(key__without_a_use__has_none_over_the_wall),
    TEST(texts__longer_than_the_buffer__cross_in_pieces),
    TEST(authenticated_text__longer_than_the_buffer__crosses_in_pieces),
    TEST(decryption__in_parts__has_its_tag_compared_on_the_other_side),
    TEST(nonce_and_text__in_the_output__are_taken_of_keys_on_either_side),
    TEST(key_of_a_mode__over_the_wall__is_no_block_cipher),
    TEST(block_cipher__in_one_call__needs_no_random_numbers),
};
TEST_SUITE(remote, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_remote};

    return test_initialise_and_run(suites, 1);
}
