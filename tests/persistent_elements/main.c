/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Persistent keys in an element. Power fails at every step of the flash and at every transaction
 * with the chip, while keys are created and destroyed and while that is recovered. Afterwards each
 * key is complete or gone, confirmed keys are the same, and no slot is lost.
 */
#include <stdio.h>
#include <string.h>

#include <corral/board.h>
#include <corral/locations.h>

#include "../../core/keys/record.h"
#include "../persistent/device.h"
#include "chips.h"
#include "start.h"

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define SE0                                                                                        \
    PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(PSA_KEY_PERSISTENCE_DEFAULT, CORRAL_LOCATION_SE0)
#define SE0_VOLATILE                                                                               \
    PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(PSA_KEY_PERSISTENCE_VOLATILE,                   \
                                                   CORRAL_LOCATION_SE0)
#define PAIRS 4u     /* slots of the kind that the board declares */
#define CONFIRMED 1u /* a key that is there before, during and after */
#define AT_WORK 2u

static const struct corral_flash_geometry geometry = {704, 3, 8, false};
static uint8_t public_keys[3][65]; /* of CONFIRMED and AT_WORK */
static struct device_storage saved;
static uint32_t flash_cuts;
static uint32_t chip_cuts;

static psa_status_t create(psa_key_id_t id)
{
    psa_key_attributes_t attributes = device_attributes(
        id, PAIR, 256, ECDSA,
        PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_HASH);
    psa_key_id_t key;

    psa_set_key_lifetime(&attributes, SE0);
    return psa_generate_key(&attributes, &key);
}

static psa_status_t public_key(psa_key_id_t id, uint8_t key[65])
{
    size_t length;

    return psa_export_public_key(id, key, 65, &length);
}

/* A key that is there signs, and is the one that it was. */
static bool works(psa_key_id_t id, const uint8_t *known)
{
    static const uint8_t hash[32] = {1, 2, 3};
    uint8_t signature[64];
    uint8_t key[65];
    size_t length;

    return public_key(id, key) == PSA_SUCCESS && (known == NULL || memcmp(key, known, 65) == 0) &&
           psa_sign_hash(id, ECDSA, hash, 32, signature, sizeof signature, &length) ==
               PSA_SUCCESS &&
           psa_verify_hash(id, ECDSA, hash, 32, signature, length) == PSA_SUCCESS;
}

static bool exists(psa_key_id_t id)
{
    psa_key_attributes_t attributes;

    return psa_get_key_attributes(id, &attributes) == PSA_SUCCESS;
}

/* The context is the slot of the chip, and the new key has the old one's. */
static void operation__key_created_anew_in_its_slot__is_bad_state(void)
{
    uint8_t signature[64];
    size_t length;

    for (unsigned successor = 0; successor < 2; successor++) {
        psa_sign_operation_t operation = PSA_SIGN_OPERATION_INIT;

        device_new(&geometry);
        start_again();
        NEED(create(AT_WORK));
        NEED(psa_sign_setup(&operation, AT_WORK, ECDSA));
        NEED(psa_sign_update(&operation, (const uint8_t *)"abc", 3));
        if (successor == 0) {
            NEED(psa_purge_key(AT_WORK));
            EXPECT(PSA_SUCCESS, psa_sign_update(&operation, (const uint8_t *)"abc", 3));
        }
        NEED(psa_destroy_key(AT_WORK));
        NEED(create(AT_WORK));
        EXPECT(PSA_ERROR_BAD_STATE,
               psa_sign_finish(&operation, signature, sizeof signature, &length));
        EXPECT(PSA_SUCCESS, psa_sign_abort(&operation));
        CHECK(works(AT_WORK, NULL));
    }
}

/* All slots of the chip that no persistent key has can be had. */
static void check_slots(unsigned persistent)
{
    psa_key_attributes_t attributes =
        test_attributes(PAIR, 256, ECDSA, PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH);
    psa_key_id_t keys[PAIRS + 1];
    unsigned count = 0;

    psa_set_key_lifetime(&attributes, SE0_VOLATILE);
    while (count <= PAIRS && psa_generate_key(&attributes, &keys[count]) == PSA_SUCCESS) {
        count++;
    }
    CHECK(count == PAIRS - persistent);
    while (count > 0) {
        EXPECT(PSA_SUCCESS, psa_destroy_key(keys[--count]));
    }
    CHECK(works(CONFIRMED, public_keys[CONFIRMED]));
}

/* `was_there`: key AT_WORK existed before the call that was cut off. */
static void check_all(bool was_there)
{
    const bool is_there = exists(AT_WORK);

    CHECK(works(CONFIRMED, public_keys[CONFIRMED]));
    CHECK(!is_there || works(AT_WORK, was_there ? public_keys[AT_WORK] : NULL));
    check_slots(is_there ? 2 : 1);
}

/* One confirmed key, and another one if `with_key`; nothing else is in the chip. */
static void prepare(bool with_key)
{
    device_new(&geometry);
    start_again();
    NEED(create(CONFIRMED));
    NEED(public_key(CONFIRMED, public_keys[CONFIRMED]));
    if (with_key) {
        NEED(create(AT_WORK));
        NEED(public_key(AT_WORK, public_keys[AT_WORK]));
    }
}

static psa_status_t operate(bool destroys)
{
    return destroys ? psa_destroy_key(AT_WORK) : create(AT_WORK);
}

/* Power fails again while the next start clears up. */
static void cut_recovery(bool was_there, enum flash_model_tear tear)
{
    for (uint32_t step = 1; step < 200; step++) {
        device_restore(&saved);
        start_off();
        flash_model_cut(step, tear);
        (void)psa_crypto_init();
        const bool was_cut = flash_model_power_on();
        start_again();
        check_all(was_there);
        if (!was_cut) {
            return;
        }
        flash_cuts++;
    }
}

static void cut_flash(bool destroys)
{
    for (unsigned tear = 0; tear < FLASH_MODEL_TEARS; tear++) {
        for (uint32_t step = 1;; step++) {
            prepare(destroys);
            flash_model_cut(step, (enum flash_model_tear)tear);
            const psa_status_t status = operate(destroys);
            if (!flash_model_power_on()) {
                REQUIRE(status == PSA_SUCCESS);
                break;
            }
            flash_cuts++;
            CHECK(status != PSA_SUCCESS);
            start_again();
            check_all(destroys);
            if (step % 4 == 0) {
                prepare(destroys);
                flash_model_cut(step, (enum flash_model_tear)tear);
                (void)operate(destroys);
                (void)flash_model_power_on();
                device_save(&saved);
                cut_recovery(destroys, (enum flash_model_tear)tear);
            }
        }
    }
}

/* Cut power in a transaction of an operation. false: it has fewer, and did what it should. */
static bool cut_operation(bool destroys, uint32_t number, bool with_result, bool is_chip_alone,
                          psa_status_t *status)
{
    prepare(destroys);
    chips_cut(number, with_result, is_chip_alone);
    *status = operate(destroys);
    if (!chips_power_on()) {
        REQUIRE(*status == PSA_SUCCESS);
        return false;
    }
    chip_cuts++;
    return true;
}

static void cut_transactions(bool destroys, bool with_result)
{
    psa_status_t status;

    for (uint32_t number = 1; cut_operation(destroys, number, with_result, false, &status);
         number++) {
        start_again();
        check_all(destroys);
    }
}

/* Only the chip loses its power: the host gets no answer, and goes on. */
static void cut_chip_alone(bool destroys)
{
    psa_status_t status;

    for (uint32_t number = 1; cut_operation(destroys, number, false, true, &status); number++) {
        CHECK(works(CONFIRMED, public_keys[CONFIRMED]));
        if (destroys && status != PSA_SUCCESS) {
            EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, status);
            EXPECT(PSA_SUCCESS, psa_destroy_key(AT_WORK));
        }
        CHECK(exists(AT_WORK) == (!destroys && status == PSA_SUCCESS));
        if (!exists(AT_WORK)) {
            EXPECT(PSA_SUCCESS, create(AT_WORK));
        }
        check_all(false);
    }
}

static void creation__cut_at_every_step__is_whole_or_gone(void)
{
    cut_flash(false);
    cut_transactions(false, false);
    cut_transactions(false, true);
    cut_chip_alone(false);
}

static void destruction__cut_at_every_step__is_whole_or_gone(void)
{
    cut_flash(true);
    cut_transactions(true, false);
    cut_transactions(true, true);
    cut_chip_alone(true);
}

static void keys__of_an_element__survive_a_restart_and_keep_their_slots(void)
{
    prepare(true);
    for (unsigned i = 0; i < 3; i++) {
        start_again();
        check_all(true);
    }
    /* Slots that were used and given back before, so that contexts carry another generation. */
    EXPECT(PSA_SUCCESS, psa_destroy_key(AT_WORK));
    EXPECT(PSA_SUCCESS, create(AT_WORK));
    NEED(public_key(AT_WORK, public_keys[AT_WORK]));
    start_again();
    check_all(true);
    EXPECT(PSA_ERROR_ALREADY_EXISTS, create(AT_WORK));
    EXPECT(PSA_SUCCESS, psa_destroy_key(AT_WORK));
    start_again();
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(AT_WORK));
    check_slots(1);
}

/* As another version of the driver might have stored it. */
static void context__of_another_size__is_told_once_and_forgotten(void)
{
    struct corral_key_record record;

    prepare(true);
    NEED(device_record_read(AT_WORK, &record));
    record.length--;
    NEED(device_record_mark(&record));
    start_again();
    EXPECT(PSA_ERROR_DATA_INVALID, psa_destroy_key(AT_WORK));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(AT_WORK));
    CHECK(works(CONFIRMED, public_keys[CONFIRMED]));
    EXPECT(PSA_SUCCESS, create(AT_WORK));
    start_again();
    CHECK(works(AT_WORK, NULL));
}

/* Storage where a key that was destroyed is there again, beside the one that has its slot. */
static void slot__of_two_keys__stops_neither_the_start_nor_their_destruction(void)
{
    struct corral_key_record record;
    const psa_key_id_t later = AT_WORK + 1;

    prepare(true);
    NEED(device_record_read(AT_WORK, &record));
    NEED(psa_destroy_key(AT_WORK));
    NEED(create(later));
    NEED(device_record_mark(&record));
    start_again();
    CHECK(works(CONFIRMED, public_keys[CONFIRMED]));
    CHECK(!works(later, NULL));
    EXPECT(PSA_SUCCESS, psa_destroy_key(later));
    EXPECT(PSA_SUCCESS, psa_destroy_key(AT_WORK));
    check_slots(1);
}

/* The same after a restart, since when nothing tells the old key's context from the new one's. */
static void slot__of_two_keys__made_in_two_runs__is_both_of_them(void)
{
    static const uint8_t hash[32] = {1, 2, 3};
    struct corral_key_record record;
    const psa_key_id_t later = AT_WORK + 1;
    uint8_t signature[64];
    size_t length = 0;

    prepare(true);
    NEED(device_record_read(AT_WORK, &record));
    NEED(psa_destroy_key(AT_WORK));
    start_again();
    NEED(create(later));
    NEED(device_record_mark(&record));
    start_again();
    CHECK(works(CONFIRMED, public_keys[CONFIRMED]));
    CHECK(works(later, NULL));
    EXPECT(PSA_SUCCESS,
           psa_sign_hash(AT_WORK, ECDSA, hash, 32, signature, sizeof signature, &length));
    EXPECT(PSA_SUCCESS, psa_verify_hash(later, ECDSA, hash, 32, signature, length));
    EXPECT(PSA_SUCCESS, psa_destroy_key(AT_WORK));
    CHECK(!works(later, NULL));
    EXPECT(PSA_SUCCESS, psa_destroy_key(later));
    check_slots(1);
}

static void full__element__refuses_and_stores_nothing(void)
{
    device_new(&geometry);
    start_again();
    for (psa_key_id_t id = 1; id <= PAIRS; id++) {
        EXPECT(PSA_SUCCESS, create(id));
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, create(PAIRS + 1));
    start_again();
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(PAIRS + 1));
    for (psa_key_id_t id = 1; id <= PAIRS; id++) {
        CHECK(works(id, NULL));
        EXPECT(PSA_SUCCESS, psa_destroy_key(id));
    }
}

/* The same of volatile keys. */
static psa_status_t create_volatile(psa_key_id_t *key)
{
    psa_key_attributes_t attributes =
        test_attributes(PAIR, 256, ECDSA, PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH);

    psa_set_key_lifetime(&attributes, SE0_VOLATILE);
    return psa_generate_key(&attributes, key);
}

/* Make as many keys as the element has slots, and destroy them. */
static void use_each_slot(bool persistent)
{
    psa_key_id_t keys[PAIRS];
    psa_key_id_t further;

    for (psa_key_id_t i = 0; i < PAIRS; i++) {
        keys[i] = i + 1;
        EXPECT(PSA_SUCCESS, persistent ? create(i + 1) : create_volatile(&keys[i]));
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE,
           persistent ? create(PAIRS + 1) : create_volatile(&further));
    for (psa_key_id_t i = 0; i < PAIRS; i++) {
        EXPECT(PSA_SUCCESS, psa_destroy_key(keys[i]));
    }
}

/* The chip fails once at each transaction of a creation, and works again in the same run. */
static void creation__that_failed__leaves_each_slot_without_a_restart(void)
{
    psa_key_id_t key;

    for (unsigned persistent = 0; persistent < 2; persistent++) {
        bool was_cut = true;
        for (uint32_t number = 1; was_cut; number++) {
            test_context("transaction", number);
            device_new(&geometry);
            start_again();
            chips_cut(number, false, true);
            const psa_status_t status = persistent != 0 ? create(1) : create_volatile(&key);
            was_cut = chips_power_on();
            CHECK(was_cut || status == PSA_SUCCESS);
            if (status == PSA_SUCCESS) { /* only putting the chip to sleep failed, or nothing */
                EXPECT(PSA_SUCCESS, psa_destroy_key(persistent != 0 ? 1 : key));
            }
            use_each_slot(persistent != 0);
        }
    }
    test_context(NULL, 0);
}

/* A key whose element names no place for it before it is made. */
static psa_status_t import_public(psa_key_id_t id)
{
    psa_key_attributes_t attributes =
        device_attributes(id, PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1), 256, ECDSA,
                          PSA_KEY_USAGE_VERIFY_HASH);
    psa_key_id_t key;

    psa_set_key_lifetime(&attributes, SE0);
    return psa_import_key(&attributes, public_keys[CONFIRMED], 65, &key);
}

static void full__storage__still_destroys_keys_of_elements(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
    psa_status_t status = PSA_SUCCESS;
    psa_key_id_t key;

    prepare(true);
    for (psa_key_id_t id = 10; status == PSA_SUCCESS; id++) {
        psa_set_key_id(&attributes, id);
        status = psa_generate_key(&attributes, &key);
    }
    CHECK(status == PSA_ERROR_INSUFFICIENT_STORAGE);
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, create(3));
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, import_public(3)); /* other keys must leave this slot,
                                                               * too */
    EXPECT(PSA_SUCCESS, psa_destroy_key(AT_WORK));
    start_again();
    check_slots(1);
    EXPECT(PSA_SUCCESS, psa_destroy_key(CONFIRMED));
}

static void count__of_all_cuts__is_said(void)
{
    char text[100];

    (void)snprintf(text, sizeof text, "cuts with an element: %lu of the flash, %lu of the chip\n",
                   (unsigned long)flash_cuts, (unsigned long)chip_cuts);
    corral_board_print(text);
    CHECK(flash_cuts > 200 && chip_cuts > 30);
}

static const struct test_case tests[] = {
    TEST(keys__of_an_element__survive_a_restart_and_keep_their_slots),
    TEST(operation__key_created_anew_in_its_slot__is_bad_state),
    TEST(creation__that_failed__leaves_each_slot_without_a_restart),
    TEST(context__of_another_size__is_told_once_and_forgotten),
    TEST(slot__of_two_keys__stops_neither_the_start_nor_their_destruction),
    TEST(slot__of_two_keys__made_in_two_runs__is_both_of_them),
    TEST(full__element__refuses_and_stores_nothing),
    TEST(full__storage__still_destroys_keys_of_elements),
    TEST(creation__cut_at_every_step__is_whole_or_gone),
    TEST(destruction__cut_at_every_step__is_whole_or_gone),
    TEST(count__of_all_cuts__is_said),
};
TEST_SUITE(elements, tests);
extern const struct test_suite suite_absent;
extern const struct test_suite suite_builtin;

int main(void)
{
    const struct test_suite *const suites[] = {&suite_elements, &suite_absent, &suite_builtin};

    chips_prepare();
    return test_initialise_and_run(suites, 3);
}
