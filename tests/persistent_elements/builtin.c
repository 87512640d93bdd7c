/* SPDX-License-Identifier: Apache-2.0 */
/* The key that the board's element came with. */
#include <string.h>

#include <corral/builtin_keys.h>
#include <corral/locations.h>

#include "../../core/keys/pool.h"
#include "../persistent/device.h"
#include "chips.h"
#include "start.h"

#define ALG PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define SLOT 9 /* of SE0, as the board declares it */
#define NOT_THERE (CORRAL_KEY_IDENTITY + 0x10000u)

static const uint8_t hash[32] = {1, 2, 3};

static psa_status_t sign(uint8_t signature[64])
{
    size_t length;

    return psa_sign_hash(CORRAL_KEY_IDENTITY, ALG, hash, sizeof hash, signature, 64, &length);
}

static void attributes__are_the_board_s(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    start_fresh();
    EXPECT(PSA_SUCCESS, psa_get_key_attributes(CORRAL_KEY_IDENTITY, &attributes));
    CHECK(psa_get_key_id(&attributes) == CORRAL_KEY_IDENTITY);
    CHECK(psa_get_key_type(&attributes) == PAIR);
    CHECK(psa_get_key_bits(&attributes) == 256);
    CHECK(psa_get_key_algorithm(&attributes) == PSA_ALG_ECDSA(PSA_ALG_ANY_HASH));
    CHECK(psa_get_key_usage_flags(&attributes) ==
          (PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_HASH |
           PSA_KEY_USAGE_VERIFY_MESSAGE));
    CHECK(psa_get_key_lifetime(&attributes) ==
          PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(PSA_KEY_PERSISTENCE_READ_ONLY,
                                                         CORRAL_LOCATION_SE0));
}

static void identity__signs__and_is_the_same_after_each_start(void)
{
    uint8_t signature[64];
    uint8_t first[65];
    uint8_t again[65];
    size_t length;

    start_fresh();
    EXPECT(PSA_SUCCESS, sign(signature));
    EXPECT(PSA_SUCCESS,
           psa_verify_hash(CORRAL_KEY_IDENTITY, ALG, hash, sizeof hash, signature, 64));
    EXPECT(PSA_SUCCESS, psa_export_public_key(CORRAL_KEY_IDENTITY, first, sizeof first, &length));
    start_fresh();
    EXPECT(PSA_SUCCESS, psa_export_public_key(CORRAL_KEY_IDENTITY, again, sizeof again, &length));
    CHECK_BYTES(again, sizeof again, first, sizeof first);
    CHECK(corral_holds() == 0);
}

static void identity__outside_its_policy__is_not_permitted(void)
{
    uint8_t secret[32];
    uint8_t peer[65];
    size_t length;

    start_fresh();
    NEED(psa_export_public_key(CORRAL_KEY_IDENTITY, peer, sizeof peer, &length));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_raw_key_agreement(PSA_ALG_ECDH, CORRAL_KEY_IDENTITY, peer, sizeof peer, secret,
                                 sizeof secret, &length));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_export_key(CORRAL_KEY_IDENTITY, secret, sizeof secret, &length));
}

static void destroy__is_not_permitted_and_purge_changes_nothing(void)
{
    uint8_t signature[64];

    start_fresh();
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_destroy_key(CORRAL_KEY_IDENTITY));
    EXPECT(PSA_SUCCESS, psa_purge_key(CORRAL_KEY_IDENTITY));
    EXPECT(PSA_SUCCESS, sign(signature));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_destroy_key(CORRAL_KEY_IDENTITY));
    EXPECT(PSA_SUCCESS, sign(signature));
}

/* A call with one does not affect the key that has its low bits either. */
static void identifiers__of_no_built_in_key__are_no_handles(void)
{
    const psa_key_id_t ids[] = {NOT_THERE, CORRAL_KEY_IDENTITY + 1u, 0x7fffffff,
                                CORRAL_KEY_IDENTITY + 0x10000000u,
                                CORRAL_KEY_IDENTITY | 0x80000000u};
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t signature[64];

    start_fresh();
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        EXPECT(PSA_ERROR_INVALID_HANDLE, psa_get_key_attributes(ids[i], &attributes));
        EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(ids[i]));
        EXPECT(PSA_ERROR_INVALID_HANDLE, psa_purge_key(ids[i]));
    }
    CHECK(device_slots() == 0);
    EXPECT(PSA_SUCCESS, sign(signature));
}

static void identity__before_initialisation__is_bad_state(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t signature[64];

    start_fresh();
    start_off();
    EXPECT(PSA_ERROR_BAD_STATE, sign(signature));
    EXPECT(PSA_ERROR_BAD_STATE, psa_get_key_attributes(CORRAL_KEY_IDENTITY, &attributes));
    EXPECT(PSA_ERROR_BAD_STATE, psa_purge_key(CORRAL_KEY_IDENTITY));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_destroy_key(CORRAL_KEY_IDENTITY));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_get_key_attributes(NOT_THERE, &attributes));
    CHECK(corral_holds() == 0 && device_slots() == 0);
    NEED(psa_crypto_init());
    EXPECT(PSA_SUCCESS, sign(signature));
}

static void element__absent_at_first__is_asked_again(void)
{
    uint8_t signature[64];

    start_fresh();
    chips_cut(1, false, true);
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, sign(signature));
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, sign(signature));
    CHECK(corral_holds() == 0 && device_slots() == 0);
    CHECK(chips_power_on());
    EXPECT(PSA_SUCCESS, sign(signature));
}

/* The first one holds the slot; the element never has one key under two policies. */
static void slot__attached_by_the_application__is_refused(void)
{
    const uint8_t label[1] = {SLOT};
    psa_key_attributes_t attributes = test_attributes(PAIR, 256, ALG, PSA_KEY_USAGE_SIGN_HASH);
    psa_key_id_t key;
    uint8_t signature[64];

    start_fresh();
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, CORRAL_LOCATION_SE0));
    EXPECT(PSA_SUCCESS, psa_attach_key(&attributes, label, sizeof label, &key));
    EXPECT(PSA_ERROR_NOT_PERMITTED, sign(signature));
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    EXPECT(PSA_SUCCESS, sign(signature));
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_attach_key(&attributes, label, sizeof label, &key));
}

static const struct test_case tests[] = {
    TEST(attributes__are_the_board_s),
    TEST(identity__signs__and_is_the_same_after_each_start),
    TEST(identity__outside_its_policy__is_not_permitted),
    TEST(destroy__is_not_permitted_and_purge_changes_nothing),
    TEST(identifiers__of_no_built_in_key__are_no_handles),
    TEST(identity__before_initialisation__is_bad_state),
    TEST(element__absent_at_first__is_asked_again),
    TEST(slot__attached_by_the_application__is_refused),
};
TEST_SUITE(builtin, tests);
