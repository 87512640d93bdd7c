/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Clients' keys in an element: psa_crypto_init() of one client recovers for another whose call was
 * cut.
 */
#include <corral/builtin_keys.h>
#include <corral/locations.h>

#include "../../../ports/common/flash_model.h"
#include "../../persistent_elements/chips.h"
#include "../arena.h"
#include "begin.h"

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define PAIRS 4u /* slots of the kind that the board declares: as many as one client may have */
#define KEY ((psa_key_id_t)5)

static const uint8_t hash[32] = {1, 2, 3};
static uint32_t cuts;

/* An element that does not do it. */
static bool destruction_fails;

psa_status_t __wrap_atecc608_destroy_key(const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size);
psa_status_t __real_atecc608_destroy_key(const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size);

psa_status_t __wrap_atecc608_destroy_key(const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size)
{
    return destruction_fails ? PSA_ERROR_HARDWARE_FAILURE
                             : __real_atecc608_destroy_key(attributes, key_buffer, key_buffer_size);
}

/* In the element; 0: volatile. */
static psa_status_t create(psa_key_id_t id, psa_key_id_t *key)
{
    psa_key_attributes_t attributes = test_attributes(PAIR, 256, ECDSA, PSA_KEY_USAGE_SIGN_HASH);
    const psa_key_persistence_t level =
        id == 0 ? PSA_KEY_PERSISTENCE_VOLATILE : PSA_KEY_PERSISTENCE_DEFAULT;

    if (id != 0) {
        psa_set_key_id(&attributes, id);
    }
    psa_set_key_lifetime(
        &attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(level, CORRAL_LOCATION_SE0));
    return psa_generate_key(&attributes, key);
}

static psa_status_t sign(psa_key_id_t key)
{
    uint8_t signature[64];
    size_t length;

    return psa_sign_hash(key, ECDSA, hash, sizeof hash, signature, sizeof signature, &length);
}

/* How many keys there is still room for in the element. */
static unsigned free_places(void)
{
    psa_key_id_t keys[PAIRS + 1];
    unsigned count = 0;

    while (count <= PAIRS && create(0, &keys[count]) == PSA_SUCCESS) {
        count++;
    }
    for (unsigned i = 0; i < count; i++) {
        EXPECT(PSA_SUCCESS, psa_destroy_key(keys[i]));
    }
    return count;
}

/* Client 1 has a key beside the one of client 2 that is at work, under the same number. */
static void prepare(bool with_key)
{
    psa_key_id_t key;

    stored_begin();
    NEED(create(KEY, &key));
    call_as(2);
    if (with_key) {
        NEED(create(KEY, &key));
    }
}

static psa_status_t operate(bool destroys)
{
    psa_key_id_t key;

    return destroys ? psa_destroy_key(KEY) : create(KEY, &key);
}

/* Client 3 begins, and all is well for the others: the key is whole or gone, no place is lost. */
static void check_recovery(void)
{
    stored_restart(3);
    EXPECT(PSA_ERROR_INVALID_HANDLE, sign(KEY));
    call_as(2);
    const bool is_there = sign(KEY) == PSA_SUCCESS;
    EXPECT(is_there ? PSA_SUCCESS : PSA_ERROR_INVALID_HANDLE, psa_destroy_key(KEY));
    call_as(1);
    EXPECT(PSA_SUCCESS, sign(KEY));
    call_as(3);
    CHECK(free_places() == PAIRS - 1);
}

static bool cut(bool destroys, bool at_chip, uint32_t number)
{
    prepare(destroys);
    if (at_chip) {
        chips_cut(number, true, false);
    } else {
        flash_model_cut(number, FLASH_MODEL_HALF);
    }
    const psa_status_t status = operate(destroys);
    const bool is_cut = at_chip ? chips_power_on() : !flash_model_is_on();
    CHECK(is_cut == (status != PSA_SUCCESS));
    check_recovery();
    return is_cut;
}

static void check_cuts(bool destroys)
{
    for (unsigned at_chip = 0; at_chip < 2; at_chip++) {
        uint32_t number = 1;
        while (cut(destroys, at_chip == 1, number)) {
            number++;
        }
        cuts += number - 1;
    }
}

static void key_of_a_client__cut_at_every_step__is_recovered_by_another(void)
{
    check_cuts(false);
    check_cuts(true);
    CHECK(cuts > 20);
    stored_begin();
}

/* It could not be finished, and is tried again; no other client waits for it. */
static void destruction__that_does_not_succeed__stops_nobody_else(void)
{
    prepare(true);
    destruction_fails = true;
    EXPECT(PSA_ERROR_HARDWARE_FAILURE, psa_destroy_key(KEY));
    stored_restart(3);
    EXPECT(PSA_ERROR_INVALID_HANDLE, sign(KEY));
    call_as(1);
    EXPECT(PSA_SUCCESS, sign(KEY));
    destruction_fails = false;
    stored_restart(3);
    CHECK(free_places() == PAIRS - 1);
    call_as(2);
    EXPECT(PSA_ERROR_INVALID_HANDLE, sign(KEY));
    stored_begin();
}

/* They take no place in the element before they are made, and are entries all the same. */
static void public_keys__in_an_element__count(void)
{
    psa_key_attributes_t attributes = test_attributes(
        PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1), 256, ECDSA, PSA_KEY_USAGE_VERIFY_HASH);
    psa_key_id_t key;
    uint8_t public_key[65];
    size_t length;

    prepare(true);
    NEED(psa_export_public_key(KEY, public_key, sizeof public_key, &length));
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_DEFAULT, CORRAL_LOCATION_SE0));
    for (psa_key_id_t id = 10; id < 10 + CORRAL_WALL_STORED_ENTRIES - 1; id++) {
        psa_set_key_id(&attributes, id);
        EXPECT(PSA_SUCCESS, psa_import_key(&attributes, public_key, length, &key));
    }
    psa_set_key_id(&attributes, KEY + 1);
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_import_key(&attributes, public_key, length, &key));
    stored_begin();
}

static void builtin_key__is_not_found_by_clients(void)
{
    psa_key_attributes_t attributes;

    stored_begin();
    EXPECT(PSA_ERROR_INVALID_HANDLE, sign(CORRAL_KEY_IDENTITY));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_get_key_attributes(CORRAL_KEY_IDENTITY, &attributes));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(CORRAL_KEY_IDENTITY));
}

static const struct test_case tests[] = {
    TEST(key_of_a_client__cut_at_every_step__is_recovered_by_another),
    TEST(destruction__that_does_not_succeed__stops_nobody_else),
    TEST(public_keys__in_an_element__count),
    TEST(builtin_key__is_not_found_by_clients),
};

TEST_SUITE(recovery, tests);
