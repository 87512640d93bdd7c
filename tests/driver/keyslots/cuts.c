/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each transfer fails once, in each way. Calls report it, nothing stays in the engine
 * that a later call does not drop, confirmed keys are there, and no slot is lost.
 */
#include "rig.h"

#include <stdio.h>
#include <string.h>

#include <corral/board.h>

#include "../../persistent/device.h"

#define CONFIRMED 1u /* a key that is there before, during and after */
#define AT_WORK 2u
#define TEXT_SIZE 150u

static const char *const faults[] = {"silence", "power", "power-during", "power-after"};
#define FAULTS (sizeof faults / sizeof faults[0])

static const uint8_t key_data[32] = "what makes a key of AES-256 bits";
static uint8_t text[TEXT_SIZE];
static uint8_t expected[TEXT_SIZE];
static uint8_t confirmed[16];
static unsigned cuts;

/* Failures that a fault explains. */
static void check_failed(psa_status_t status)
{
    CHECK(status == PSA_SUCCESS || status == PSA_ERROR_COMMUNICATION_FAILURE);
}

static psa_status_t encrypt(psa_key_id_t key, uint8_t output[TEXT_SIZE])
{
    static const uint8_t iv[16] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                   0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFD};
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    size_t first = 0;
    size_t second = 0;

    psa_status_t status = psa_cipher_encrypt_setup(&operation, key, PSA_ALG_CTR);
    if (status == PSA_SUCCESS) {
        status = psa_cipher_set_iv(&operation, iv, sizeof iv);
    }
    if (status == PSA_SUCCESS) {
        status = psa_cipher_update(&operation, text, 21, output, TEXT_SIZE, &first);
    }
    if (status == PSA_SUCCESS) {
        status = psa_cipher_update(&operation, text + 21, TEXT_SIZE - 21, output + first,
                                   TEXT_SIZE - first, &second);
    }
    EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
    return status;
}

static psa_status_t create(psa_key_lifetime_t lifetime, psa_key_id_t id, psa_algorithm_t alg,
                           psa_key_id_t *key)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 256, alg,
                        alg == PSA_ALG_CTR ? PSA_KEY_USAGE_ENCRYPT : PSA_KEY_USAGE_SIGN_MESSAGE);

    psa_set_key_lifetime(&attributes, lifetime);
    if (!PSA_KEY_LIFETIME_IS_VOLATILE(lifetime)) {
        psa_set_key_id(&attributes, id);
    }
    return psa_import_key(&attributes, key_data, sizeof key_data, key);
}

/* All slots that no persistent key has can be had. */
static void check_slots(unsigned persistent)
{
    psa_key_id_t keys[KEY_SLOTS + 1];
    unsigned count = 0;

    while (count <= KEY_SLOTS &&
           create(VOLATILE_KEY, 0, PSA_ALG_CTR, &keys[count]) == PSA_SUCCESS) {
        count++;
    }
    CHECK(count == KEY_SLOTS - persistent);
    while (count > 0) {
        EXPECT(PSA_SUCCESS, psa_destroy_key(keys[--count]));
    }
    CHECK(!keyslots_sim_has_pushed(part));
}

/* A key that is made, used in two ways and destroyed. Whether all of it succeeded. */
static bool live(void)
{
    psa_key_id_t key = PSA_KEY_ID_NULL;
    uint8_t output[TEXT_SIZE] = {0};
    bool is_well = true;

    psa_status_t status = create(VOLATILE_KEY, 0, PSA_ALG_CTR, &key);
    check_failed(status);
    if (status != PSA_SUCCESS) {
        return false;
    }
    for (unsigned round = 0; round < 2; round++) { /* at most one of them fails */
        status = encrypt(key, output);
        check_failed(status);
        CHECK(status != PSA_SUCCESS || memcmp(output, expected, sizeof output) == 0);
        is_well = is_well && status == PSA_SUCCESS;
    }
    status = psa_destroy_key(key);
    check_failed(status);
    if (status != PSA_SUCCESS) {
        EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    }
    return is_well && status == PSA_SUCCESS;
}

static void expect_text(void)
{
    rig_fresh();
    test_fill(text, sizeof text, 3);
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT, key_data, 32);
    NEED(encrypt(key, expected));
}

static void transfer__that_fails_once__spoils_one_call(void)
{
    expect_text();
    for (size_t i = 0; i < FAULTS; i++) {
        for (unsigned number = 1;; number++) {
            rig_cut(faults[i], number, false);
            const bool is_well = live();
            if (!rig_mend()) {
                REQUIRE(is_well);
                REQUIRE(number > 20);
                break;
            }
            cuts++;
            CHECK(live());
            if (number % 8 == 0) {
                check_slots(0);
            }
        }
        check_slots(0);
    }
}

static void part__that_is_silent__fails_for_its_keys_alone(void)
{
    psa_key_id_t key = PSA_KEY_ID_NULL;
    psa_key_id_t other = PSA_KEY_ID_NULL;
    uint8_t output[TEXT_SIZE];

    expect_text();
    NEED(create(VOLATILE_KEY, 0, PSA_ALG_CTR, &key));
    CHECK(keyslots_sim_fault(part, "silence"));
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, encrypt(key, output));
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, create(VOLATILE_KEY, 0, PSA_ALG_CTR, &other));
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, psa_destroy_key(key));
    const psa_key_id_t local =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT, key_data, 32);
    EXPECT(PSA_SUCCESS, encrypt(local, output));
    (void)rig_mend();
    EXPECT(PSA_SUCCESS, encrypt(key, output));
    CHECK(!keyslots_sim_has_pushed(part));
    CHECK_BYTES(output, sizeof output, expected, sizeof expected);
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    check_slots(0);
}

/* From any transfer on, so that nothing can be put right in the part either. */
static void creation__that_fails_for_good__leaves_its_slot(void)
{
    psa_key_id_t key;

    rig_fresh();
    for (unsigned number = 1; number <= 6; number++) {
        char fault[20];

        (void)snprintf(fault, sizeof fault, "silence@%u+", number);
        CHECK(keyslots_sim_fault(part, fault));
        EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, create(VOLATILE_KEY, 0, PSA_ALG_CTR, &key));
        (void)rig_mend();
    }
    check_slots(0);
}

/* An import that is refused for its size, by a part that then cannot be told to forget it. */
static void import__of_another_size_than_asked_for__leaves_its_slot(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
    psa_key_id_t key;

    rig_fresh();
    psa_set_key_lifetime(&attributes, VOLATILE_KEY);
    for (unsigned number = 1; number <= 8; number++) {
        char fault[20];

        (void)snprintf(fault, sizeof fault, "silence@%u+", number);
        CHECK(keyslots_sim_fault(part, fault));
        EXPECT(number <= 4 ? PSA_ERROR_COMMUNICATION_FAILURE : PSA_ERROR_INVALID_ARGUMENT,
               psa_import_key(&attributes, key_data, sizeof key_data, &key));
        (void)rig_mend();
    }
    check_slots(0);
}

static bool works(psa_key_id_t id)
{
    uint8_t mac[16];
    size_t length;

    return psa_mac_compute(id, PSA_ALG_CMAC, text, sizeof text, mac, sizeof mac, &length) ==
               PSA_SUCCESS &&
           memcmp(mac, confirmed, sizeof mac) == 0;
}

static bool exists(psa_key_id_t id)
{
    psa_key_attributes_t attributes;

    return psa_get_key_attributes(id, &attributes) == PSA_SUCCESS;
}

/* One confirmed key, and another one if `with_key`; nothing else is in the part. */
static void prepare(bool with_key)
{
    psa_key_id_t key;
    size_t length;

    rig_fresh();
    NEED(create(PERSISTENT_KEY, CONFIRMED, PSA_ALG_CMAC, &key));
    NEED(psa_mac_compute(key, PSA_ALG_CMAC, text, sizeof text, confirmed, 16, &length));
    if (with_key) {
        NEED(create(PERSISTENT_KEY, AT_WORK, PSA_ALG_CMAC, &key));
    }
}

static void cut_persistent(bool destroys, const char *fault, bool with_host)
{
    psa_key_id_t key;

    for (unsigned number = 1;; number++) {
        prepare(destroys);
        rig_cut(fault, number, with_host);
        const psa_status_t status = destroys ? psa_destroy_key(AT_WORK)
                                             : create(PERSISTENT_KEY, AT_WORK, PSA_ALG_CMAC, &key);
        if (!rig_mend()) {
            REQUIRE(status == PSA_SUCCESS);
            REQUIRE(number > 2);
            return;
        }
        cuts++;
        rig_restart();
        CHECK(works(CONFIRMED));
        CHECK(!exists(AT_WORK) || works(AT_WORK));
        check_slots(exists(AT_WORK) ? 2 : 1);
    }
}

static void persistent_key__cut_at_every_transfer__is_whole_or_gone(void)
{
    test_fill(text, sizeof text, 3);
    for (size_t i = 0; i < FAULTS; i++) {
        for (unsigned variant = 0; variant < 4; variant++) {
            test_context(faults[i], variant);
            cut_persistent(variant % 2 != 0, faults[i], variant / 2 != 0);
        }
    }
    test_context(NULL, 0);
}

/* Storage where a key that was destroyed is there again, beside the one that has its slot. */
static void key__brought_back_by_storage__finds_no_other_in_its_slot(void)
{
    struct corral_key_record record;
    const psa_key_id_t later = AT_WORK + 1;
    psa_key_id_t key;

    test_fill(text, sizeof text, 3);
    prepare(true);
    NEED(device_record_read(AT_WORK, &record));
    NEED(psa_destroy_key(AT_WORK));
    rig_restart();
    NEED(create(PERSISTENT_KEY, later, PSA_ALG_CMAC, &key));
    NEED(device_record_mark(&record));
    rig_restart();
    CHECK(works(CONFIRMED) && works(later) && !works(AT_WORK));
    EXPECT(PSA_SUCCESS, psa_destroy_key(AT_WORK));
    CHECK(works(later));
    EXPECT(PSA_SUCCESS, psa_destroy_key(later));
    check_slots(1);
}

/* A destruction was interrupted, and now the part has a fault: the start of others does not
 * fail. */
static void start__with_a_part_that_has_a_fault__serves_all_other_keys(void)
{
    test_fill(text, sizeof text, 3);
    for (uint8_t status = 5; status <= 8; status++) {
        prepare(true);
        CHECK(keyslots_sim_fault(part, "silence"));
        EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, psa_destroy_key(AT_WORK));
        rig_say(status);
        rig_restart();
        rig_say(0);
        CHECK(works(CONFIRMED) && !exists(AT_WORK));
        EXPECT(PSA_SUCCESS, psa_destroy_key(AT_WORK));
        check_slots(1);
    }
}

static void count__of_all_cuts__is_said(void)
{
    char line[60];

    (void)snprintf(line, sizeof line, "cuts of key slots: %u\n", cuts);
    corral_board_print(line);
    CHECK(cuts > 150);
}

static const struct test_case tests[] = {
    TEST(transfer__that_fails_once__spoils_one_call),
    TEST(part__that_is_silent__fails_for_its_keys_alone),
    TEST(creation__that_fails_for_good__leaves_its_slot),
    TEST(import__of_another_size_than_asked_for__leaves_its_slot),
    TEST(persistent_key__cut_at_every_transfer__is_whole_or_gone),
    TEST(key__brought_back_by_storage__finds_no_other_in_its_slot),
    TEST(start__with_a_part_that_has_a_fault__serves_all_other_keys),
    TEST(count__of_all_cuts__is_said),
};
TEST_SUITE(cuts, tests);
