/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power fails during every step of the flash, in every way of tearing, while an identity is made
 * and replaced and numbers are taken, and again while the device recovers. Afterwards there is one
 * identity, whole, with its sequence, and no other keys; and no number was ever taken twice.
 */
#include <stdio.h>
#include <string.h>

#include <corral/board.h>

#include "../../../fleet/device/handover.h"
#include "../../../fleet/device/sequence.h"
#include "../../persistent/device.h"
#include "material.h"

#define KEYS_OF_A_DEVICE 4u

static const struct fleet_profile profile = {"valve", FLEET_ED25519, FLEET_X25519, 0, 0};
static const struct corral_flash_geometry geometry = {1024, 3, 8, false};

static struct device_storage before;
static struct device_storage after;
static struct material_predecessor old;
static bool has_old;
static bool hands_over; /* the old one, to each new one */
static unsigned cuts;

static bool key_exists(psa_key_id_t key)
{
    psa_key_attributes_t attributes;

    const psa_status_t status = psa_get_key_attributes(key, &attributes);
    CHECK(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_HANDLE);
    return status == PSA_SUCCESS;
}

/*
 * A stored hand-over is for the valid identity, complete, and present if it was promised. Returns
 * its number, 0 if there is none.
 */
static uint64_t check_handover(const struct fleet_identity *identity, bool is_promised)
{
    struct fleet_identity other = *identity;
    uint8_t object[400];
    size_t length;

    other.place ^= 1u;
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, fleet_handover_find(&other));
    if (!is_promised) {
        EXPECT(PSA_ERROR_DOES_NOT_EXIST, fleet_handover_find(identity));
        return 0;
    }
    REQUIRE(EXPECT(PSA_SUCCESS, fleet_handover_read(identity, object, sizeof object, &length)));
    const uint64_t number = material_handover(&old, identity, object, length);
    CHECK(number > 0);
    return number;
}

/* One identity is there, with its keys and its sequence, and nothing else. */
static void check_whole(void)
{
    struct fleet_identity identity;
    struct fleet_sequence sequence;

    REQUIRE(EXPECT(PSA_SUCCESS, fleet_identity_start(&identity, &profile)));
    EXPECT(PSA_SUCCESS, fleet_sequence_start(&sequence, fleet_identity_sequence(&identity)));
    const bool is_old = has_old && memcmp(identity.id, old.id, sizeof old.id) == 0;
    const uint64_t next = fleet_number_read(sequence.next.bytes);
    CHECK(next == (is_old ? 5u : FLEET_SEQUENCE_FIRST) ||
          (hands_over && is_old && next == 5u + FLEET_SEQUENCE_BLOCK));
    const uint64_t number = check_handover(&identity, hands_over && !is_old);
    CHECK(number == (hands_over && !is_old ? 5u : 0u));
    for (psa_key_id_t i = 0; i < KEYS_OF_A_DEVICE; i++) {
        CHECK(key_exists(FLEET_KEYS + i) == (i / 2 == identity.place));
    }
    for (unsigned place = 0; place < 2; place++) {
        struct psa_storage_info_t info;
        CHECK((psa_its_get_info(FLEET_ENTRIES + 1 + place, &info) == PSA_SUCCESS) ==
              (place == identity.place));
    }
}

/* Lets power fail at each step of the recovery from the present flash. */
static void cut_recovery(enum flash_model_tear tear)
{
    struct fleet_identity identity;

    device_save(&after);
    for (uint32_t step = 1;; step++) {
        device_restore(&after);
        device_off();
        flash_model_cut(step, tear);
        if (psa_crypto_init() == PSA_SUCCESS) {
            (void)fleet_identity_start(&identity, &profile);
        }
        const bool was_cut = flash_model_power_on();
        device_restart();
        check_whole();
        if (!was_cut) {
            return;
        }
        cuts++;
    }
}

/* Do something with the identity, power failing at each step in turn. */
static void cut(psa_status_t (*operate)(struct fleet_identity *))
{
    device_save(&before);
    for (unsigned tear = 0; tear < FLASH_MODEL_TEARS; tear++) {
        for (uint32_t step = 1;; step++) {
            struct fleet_identity identity = {.profile = &profile};
            device_restore(&before);
            device_restart();
            if (has_old) {
                NEED(fleet_identity_start(&identity, &profile));
            }
            flash_model_cut(step, (enum flash_model_tear)tear);
            const psa_status_t status = operate(&identity);
            if (!flash_model_power_on()) {
                REQUIRE(status == PSA_SUCCESS);
                check_whole();
                break;
            }
            cuts++;
            device_off();
            if (step % 4 == 1) { /* each is as long as this one */
                cut_recovery((enum flash_model_tear)tear);
            }
            device_restart();
            check_whole();
        }
    }
}

static psa_status_t start(struct fleet_identity *identity)
{
    return fleet_identity_start(identity, &profile);
}

static void identity__cut_at_each_step__is_never_half_made(void)
{
    cuts = 0;
    has_old = false;
    hands_over = false;
    device_fresh(&geometry);
    cut(start);
    CHECK(cuts > 100);
}

/* An identity that has used numbers is replaced, power failing at each step. */
static void replace_old(psa_status_t (*replace)(struct fleet_identity *), const char *what)
{
    struct fleet_identity identity;
    char text[64];

    device_fresh(&geometry);
    NEED(fleet_identity_start(&identity, &profile));
    material_remember(&identity, &old);
    has_old = true;
    NEED(psa_its_set(FLEET_ENTRIES + fleet_identity_sequence(&identity), 8, "\0\0\0\0\0\0\0\5", 0));
    cut(replace);
    NEED(fleet_identity_start(&identity, &profile));
    CHECK(memcmp(identity.id, old.id, sizeof old.id) != 0);
    (void)snprintf(text, sizeof text, "cuts up to %s: %u\n", what, cuts);
    corral_board_print(text);
}

static void reset__cut_at_each_step__leaves_the_old_or_the_new_and_no_other_key(void)
{
    hands_over = false;
    replace_old(fleet_identity_reset, "identities");
    CHECK(cuts > 8000);
}

static void handover__cut_at_each_step__is_there_if_and_only_if_the_new_one_counts(void)
{
    hands_over = true;
    replace_old(fleet_hand_over, "hand-overs");
    hands_over = false;
    CHECK(cuts > 12000);
}

/* As after a start that could not read which place counts. */
static psa_status_t reset_unread(struct fleet_identity *identity)
{
    identity->place = 0;
    return fleet_identity_reset(identity);
}

static void reset__after_a_start_that_read_nothing__destroys_no_key_that_counts(void)
{
    struct fleet_identity identity;

    has_old = true;
    device_fresh(&geometry);
    NEED(fleet_identity_start(&identity, &profile));
    NEED(fleet_identity_reset(&identity)); /* now place 1 counts */
    material_remember(&identity, &old);
    NEED(psa_its_set(FLEET_ENTRIES + fleet_identity_sequence(&identity), 8, "\0\0\0\0\0\0\0\5", 0));
    device_save(&before);
    for (uint32_t step = 1;; step++) {
        device_restore(&before);
        device_restart();
        NEED(fleet_identity_start(&identity, &profile));
        flash_model_cut(step, FLASH_MODEL_NOTHING);
        (void)reset_unread(&identity);
        const bool was_cut = flash_model_power_on();
        device_restart();
        check_whole();
        if (!was_cut) {
            break;
        }
    }
}

static void numbers__cut_at_each_step__are_never_taken_twice(void)
{
    struct fleet_sequence sequence;
    uint64_t highest = 0;
    struct fleet_number number;
    uint64_t end = FLEET_SEQUENCE_FIRST;

    device_fresh(&geometry);
    NEED(fleet_sequence_make(77));
    for (uint32_t round = 0; round < 200; round++) {
        NEED(fleet_sequence_start(&sequence, 77));
        CHECK(fleet_number_read(sequence.next.bytes) <=
              end + FLEET_SEQUENCE_BLOCK); /* so much is lost, and no more */
        flash_model_cut(1 + round % 23, (enum flash_model_tear)(round % FLASH_MODEL_TEARS));
        for (unsigned i = 0; i < 3 * FLEET_SEQUENCE_BLOCK; i++) {
            if (fleet_sequence_take(&sequence, &number) != PSA_SUCCESS) {
                break;
            }
            CHECK(fleet_number_read(number.bytes) > highest);
            highest = fleet_number_read(number.bytes);
        }
        end = fleet_number_read(sequence.next.bytes) + sequence.left;
        (void)flash_model_power_on();
        device_restart();
    }
    CHECK(highest > 50 * FLEET_SEQUENCE_BLOCK);
}

static void sequence__missing_or_damaged_or_at_its_end__is_refused(void)
{
    struct fleet_sequence sequence;
    struct fleet_number number;

    device_fresh(&geometry);
    EXPECT(PSA_ERROR_DATA_CORRUPT, fleet_sequence_start(&sequence, 77));
    NEED(psa_its_set(FLEET_ENTRIES + 77, 7, "1234567", 0));
    EXPECT(PSA_ERROR_DATA_CORRUPT, fleet_sequence_start(&sequence, 77));
    NEED(psa_its_set(FLEET_ENTRIES + 77, 9, "123456789", 0));
    EXPECT(PSA_ERROR_DATA_CORRUPT, fleet_sequence_start(&sequence, 77));
    NEED(psa_its_set(FLEET_ENTRIES + 77, 8, "\0\0\0\0\0\0\0\0", 0));
    EXPECT(PSA_ERROR_DATA_CORRUPT, fleet_sequence_start(&sequence, 77));
    NEED(psa_its_set(FLEET_ENTRIES + 77, 8, "\xff\xff\xff\xff\xff\xff\xff\x80", 0));
    NEED(fleet_sequence_start(&sequence, 77));
    for (unsigned i = 0; i < FLEET_SEQUENCE_BLOCK; i++) {
        NEED(fleet_sequence_take(&sequence, &number));
    }
    EXPECT(PSA_ERROR_BAD_STATE, fleet_sequence_take(&sequence, &number));
}

/* Whether a key that is not there is PSA_ERROR_DOES_NOT_EXIST, as where CORRAL_LENIENT_KEY_IDS. */
static bool is_lenient;

psa_status_t __real_fleet_key_write(psa_key_id_t key, enum fleet_curve curve,
                                    struct corral_cbor *writer);
psa_status_t __wrap_fleet_key_write(psa_key_id_t key, enum fleet_curve curve,
                                    struct corral_cbor *writer);
psa_status_t __wrap_fleet_key_write(psa_key_id_t key, enum fleet_curve curve,
                                    struct corral_cbor *writer)
{
    const psa_status_t status = __real_fleet_key_write(key, curve, writer);

    return is_lenient && status == PSA_ERROR_INVALID_HANDLE ? PSA_ERROR_DOES_NOT_EXIST : status;
}

static void record__of_another_profile__is_refused_until_a_reset(void)
{
    static const struct fleet_profile other = {"other", FLEET_ED25519, FLEET_X25519, 0, 0};
    struct fleet_identity identity;

    device_fresh(&geometry);
    NEED(fleet_identity_start(&identity, &profile));
    EXPECT(PSA_ERROR_DATA_CORRUPT, fleet_identity_start(&identity, &other));
    EXPECT(PSA_SUCCESS, fleet_identity_reset(&identity));
    EXPECT(PSA_SUCCESS, fleet_identity_start(&identity, &other));
    NEED(psa_its_set(FLEET_ENTRIES, 3, "\1\2\3", 0));
    EXPECT(PSA_ERROR_DATA_CORRUPT, fleet_identity_start(&identity, &other));
    EXPECT(PSA_SUCCESS, fleet_identity_reset(&identity));
    EXPECT(PSA_SUCCESS, fleet_identity_start(&identity, &other));
    NEED(psa_destroy_key(fleet_identity_key(&identity)));
    EXPECT(PSA_ERROR_DATA_CORRUPT, fleet_identity_start(&identity, &other));
    is_lenient = true;
    EXPECT(PSA_ERROR_DATA_CORRUPT, fleet_identity_start(&identity, &other));
    is_lenient = false;
}

static const struct test_case tests[] = {
    TEST(identity__cut_at_each_step__is_never_half_made),
    TEST(reset__cut_at_each_step__leaves_the_old_or_the_new_and_no_other_key),
    TEST(handover__cut_at_each_step__is_there_if_and_only_if_the_new_one_counts),
    TEST(reset__after_a_start_that_read_nothing__destroys_no_key_that_counts),
    TEST(numbers__cut_at_each_step__are_never_taken_twice),
    TEST(sequence__missing_or_damaged_or_at_its_end__is_refused),
    TEST(record__of_another_profile__is_refused_until_a_reset),
};
TEST_SUITE(power, tests);
