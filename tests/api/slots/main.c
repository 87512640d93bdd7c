/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool that is large enough for the core to remember where it looks for a free slot. Whatever was
 * created and destroyed in between, as many keys fit as there are slots.
 */
#include <string.h>

#include <corral/slots.h>

#include "../../harness/harness.h"

#define SLOTS 300u
#define PAIRS 3u
#define ROUNDS 3000u

static psa_key_id_t keys[SLOTS];

static psa_status_t import(psa_key_id_t *key)
{
    static const uint8_t data[16] = {1};
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT);
    psa_set_key_algorithm(&attributes, PSA_ALG_CTR);
    return psa_import_key(&attributes, data, sizeof data, key);
}

static void expect_full(void)
{
    psa_key_id_t key;

    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, import(&key));
}

static void fill(void)
{
    for (size_t i = 0; i < SLOTS; i++) {
        NEED(import(&keys[i]));
    }
    expect_full();
}

static void empty(void)
{
    for (size_t i = 0; i < SLOTS; i++) {
        NEED(psa_destroy_key(keys[i]));
    }
}

/* As many keys as slots, before and after the pool was emptied from its first to its last slot. */
static void import__every_slot__is_used(void)
{
    fill();
    empty();
    fill();
    empty();
}

static void import__full_pool__takes_the_slot_that_was_given_back(void)
{
    uint32_t state = 1;

    fill();
    for (size_t i = 0; i < ROUNDS; i++) {
        state = state * 1664525u + 1013904223u;
        const size_t which = (state >> 16) % SLOTS;
        NEED(psa_destroy_key(keys[which]));
        NEED(import(&keys[which]));
        if (i % 100 == 0) {
            expect_full();
        }
    }
    empty();
}

/* Given back from the last to the first, and in between twice as often as taken. */
static void import__holes__are_all_found_again(void)
{
    fill();
    for (size_t i = SLOTS; i-- > 0;) {
        if (i % 3 != 0) {
            NEED(psa_destroy_key(keys[i]));
            keys[i] = PSA_KEY_ID_NULL;
        }
    }
    for (size_t i = 0; i < SLOTS; i++) {
        if (keys[i] == PSA_KEY_ID_NULL) {
            NEED(import(&keys[i]));
        }
    }
    expect_full();
    empty();
}

/* A key that is refused when its slot is taken already gives it back. */
static void import__refused_key__leaves_its_slot_free(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    static const uint8_t data[15] = {1};
    psa_key_id_t key;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    for (size_t i = 0; i < 2 * SLOTS; i++) {
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_import_key(&attributes, data, sizeof data, &key));
    }
    fill();
    empty();
}

static psa_status_t import_pair(psa_key_id_t *key)
{
    static const uint8_t data[32] = {1};
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1));
    return psa_import_key(&attributes, data, sizeof data, key);
}

/* Each pool is remembered apart: pairs behind a full pool of other keys, and those behind pairs. */
static void import__slot_of_another_pool__is_found_again(void)
{
    psa_key_id_t pairs[PAIRS];
    psa_key_id_t key;

    fill();
    for (size_t i = 0; i < PAIRS; i++) {
        NEED(import_pair(&pairs[i]));
    }
    for (size_t i = 0; i < PAIRS; i++) {
        EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, import_pair(&key));
        expect_full();
        NEED(psa_destroy_key(pairs[i]));
        expect_full();
        NEED(import_pair(&pairs[i]));
        NEED(psa_destroy_key(keys[i]));
        EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, import_pair(&key));
        NEED(import(&keys[i]));
    }
    for (size_t i = 0; i < PAIRS; i++) {
        NEED(psa_destroy_key(pairs[i]));
    }
    empty();
}

/* Each pool is counted apart, in whatever order its slots were given back. */
static void count__keys_of_two_pools__adds_up_to_the_configured_slots(void)
{
    struct corral_slots slots;
    psa_key_id_t pair;

    fill();
    NEED(import_pair(&pair));
    for (size_t i = 0; i < SLOTS; i += 3) {
        NEED(psa_destroy_key(keys[i]));
    }
    memset(&slots, 0xff, sizeof slots);
    corral_slots_count(&slots);
    CHECK(slots.single.volatile_keys == SLOTS - SLOTS / 3 && slots.single.unused == SLOTS / 3);
    CHECK(slots.pair.volatile_keys == 1 && slots.pair.unused == PAIRS - 1);
    CHECK(slots.in_element.volatile_keys == 0 && slots.in_element.unused == 0);
    CHECK(slots.single.persistent_keys + slots.single.busy + slots.single.held == 0);
    NEED(psa_destroy_key(pair));
    for (size_t i = 0; i < SLOTS; i++) {
        if (i % 3 != 0) {
            NEED(psa_destroy_key(keys[i]));
        }
    }
    corral_slots_count(&slots);
    CHECK(slots.single.unused == SLOTS && slots.pair.unused == PAIRS);
}

static const struct test_case tests[] = {
    TEST(import__every_slot__is_used),
    TEST(import__full_pool__takes_the_slot_that_was_given_back),
    TEST(import__holes__are_all_found_again),
    TEST(import__refused_key__leaves_its_slot_free),
    TEST(import__slot_of_another_pool__is_found_again),
    TEST(count__keys_of_two_pools__adds_up_to_the_configured_slots),
};
static TEST_SUITE(slots, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_slots};

    return test_initialise_and_run(suites, 1);
}
