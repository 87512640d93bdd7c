/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of several clients: each has its own keys, and its share. */
#include "../../wall/trusted/serve.h"
#include "../harness/material.h"
#include "arena.h"

#define HMAC PSA_ALG_HMAC(PSA_ALG_SHA_256)
#define USAGE                                                                                      \
    (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE | PSA_KEY_USAGE_EXPORT |            \
     PSA_KEY_USAGE_COPY)

/* A key of this client, which remains the one who calls. */
static psa_key_id_t key_of(corral_owner_t client)
{
    const psa_key_attributes_t attributes = test_attributes(PSA_KEY_TYPE_HMAC, 0, HMAC, USAGE);
    psa_key_id_t key = PSA_KEY_ID_NULL;

    call_as(client);
    NEED(psa_import_key(&attributes, hmac_key, sizeof hmac_key, &key));
    return key;
}

static void check_serves(psa_key_id_t key)
{
    EXPECT(PSA_SUCCESS,
           psa_mac_verify(key, HMAC, hmac_message, sizeof hmac_message, hmac_tag, sizeof hmac_tag));
}

static void key__of_another_client__is_none(void)
{
    const psa_key_id_t key = key_of(2);
    psa_key_attributes_t attributes = test_attributes(PSA_KEY_TYPE_HMAC, 0, HMAC, USAGE);
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    psa_key_id_t copy;
    uint8_t data[32];
    size_t length;

    call_as(3);
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_mac_compute(key, HMAC, abc, sizeof abc, data, 32, &length));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_mac_sign_setup(&operation, key, HMAC));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_export_key(key, data, sizeof data, &length));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_copy_key(key, &attributes, &copy));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_get_key_attributes(key, &attributes));
    CHECK(psa_get_key_type(&attributes) == PSA_KEY_TYPE_NONE);
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_purge_key(key));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(key));
    call_as(0x102); /* the same in its lowest byte */
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(key));
    call_as(2);
    check_serves(key);
    EXPECT(PSA_SUCCESS, psa_destroy_key(key));
    arena_leave();
}

_Static_assert(CORRAL_WALL_SHARE == 75, "the shares below are of this");
_Static_assert(CORRAL_OWNER_SHARE(0) == 0 && CORRAL_OWNER_SHARE(1) == 1, "one at least");
_Static_assert(CORRAL_OWNER_SHARE(3) == 2 && CORRAL_OWNER_SHARE(8) == 6, "never more than a share");

/* Client 2 takes its share of a pool, and client 3 finds a slot there. */
static void check_share(const psa_key_attributes_t *attributes, size_t slots)
{
    psa_key_id_t key;

    call_as(2);
    for (size_t i = 0; i < CORRAL_OWNER_SHARE(slots); i++) {
        EXPECT(PSA_SUCCESS, psa_generate_key(attributes, &key));
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, psa_generate_key(attributes, &key));
    CHECK(key == PSA_KEY_ID_NULL);
    call_as(3);
    EXPECT(PSA_SUCCESS, psa_generate_key(attributes, &key));
}

static void keys__as_many_as_one_client_may_have__leave_slots_for_others(void)
{
    const psa_key_attributes_t single = test_attributes(PSA_KEY_TYPE_HMAC, 256, HMAC, USAGE);
    const psa_key_attributes_t pair =
        test_attributes(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY), 255, PSA_ALG_ECDH,
                        PSA_KEY_USAGE_DERIVE);

    check_share(&single, CORRAL_SINGLE_KEY_SLOTS);
    check_share(&pair, CORRAL_KEY_PAIR_SLOTS);
    arena_leave();
    check_share(&pair, CORRAL_KEY_PAIR_SLOTS);
    check_share(&single, CORRAL_SINGLE_KEY_SLOTS);
    arena_leave();
}

/* An element that does not answer, while another call is tried. */
static bool element_fails;
static psa_status_t called_meanwhile;

psa_status_t __wrap_corral_behind_destroy_key(psa_key_id_t key);
psa_status_t __real_corral_behind_destroy_key(psa_key_id_t key);

psa_status_t __wrap_corral_behind_destroy_key(psa_key_id_t key)
{
    uint8_t random;

    if (element_fails) {
        called_meanwhile = psa_generate_random(&random, 1);
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    return __real_corral_behind_destroy_key(key);
}

/* A client begins again, with one key more each time. */
static void check_that_kept_keys_count(void)
{
    const psa_key_attributes_t attributes = test_attributes(PSA_KEY_TYPE_HMAC, 256, HMAC, USAGE);
    psa_key_id_t key;

    for (size_t i = 1; i < CORRAL_OWNER_SHARE(CORRAL_SINGLE_KEY_SLOTS); i++) {
        (void)key_of(2);
        EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, corral_wall_forget(2));
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, psa_generate_key(&attributes, &key));
    (void)key_of(3);
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, corral_wall_forget(3));
    call_as(2);
}

static void key__that_its_element_keeps__is_found_by_nobody_until_it_goes(void)
{
    const psa_key_id_t key = key_of(2);

    element_fails = true;
    called_meanwhile = PSA_SUCCESS;
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, corral_wall_forget(2));
    CHECK(called_meanwhile == PSA_ERROR_INSUFFICIENT_MEMORY);
    EXPECT(PSA_SUCCESS, corral_wall_forget(2)); /* it is not found any more */
    check_that_kept_keys_count();
    element_fails = false;
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_mac_verify(key, HMAC, hmac_message, sizeof hmac_message, hmac_tag, sizeof hmac_tag));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(key));
    EXPECT(PSA_SUCCESS, corral_wall_forget(3));
    /* All slots are free again. */
    for (size_t i = 0; i < CORRAL_SINGLE_KEY_SLOTS; i++) {
        (void)key_of(i < CORRAL_OWNER_SHARE(CORRAL_SINGLE_KEY_SLOTS) ? 2 : 3);
    }
    arena_leave();
}

static void client__that_was_reset__leaves_nothing_behind(void)
{
    const psa_key_id_t theirs = key_of(3);
    const psa_key_id_t key = key_of(2);
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;
    psa_mac_operation_t other = PSA_MAC_OPERATION_INIT;
    uint8_t mac[32];
    size_t length;

    NEED(psa_mac_sign_setup(&operation, key, HMAC));
    call_as(3);
    NEED(psa_mac_sign_setup(&other, theirs, HMAC));
    EXPECT(PSA_SUCCESS, corral_wall_forget(2));
    EXPECT(PSA_SUCCESS, psa_mac_update(&other, hmac_message, sizeof hmac_message));
    EXPECT(PSA_SUCCESS, psa_mac_sign_finish(&other, mac, sizeof mac, &length));
    CHECK_BYTES(mac, length, hmac_tag, sizeof hmac_tag);
    check_serves(theirs);
    call_as(2);
    EXPECT(PSA_ERROR_BAD_STATE, psa_mac_update(&operation, abc, sizeof abc));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(key));
    /* All that it may have is there again. */
    for (size_t i = 0; i < CORRAL_OWNER_SHARE(CORRAL_SINGLE_KEY_SLOTS); i++) {
        (void)key_of(2);
    }
    for (size_t i = 0; i < OPERATIONS_EACH; i++) {
        psa_hash_operation_t hash = PSA_HASH_OPERATION_INIT;
        EXPECT(PSA_SUCCESS, psa_hash_setup(&hash, PSA_ALG_SHA_256));
    }
    arena_leave();
}

/* A client's capacity after this cost. */
static size_t capacity_at(uint32_t cost)
{
    static const uint8_t text[] = "salt and password";
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    uint8_t *const output = test_buffer(1000);
    size_t capacity = 0;

    call_as(2);
    NEED(psa_key_derivation_setup(&operation, PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_256)));
    NEED(psa_key_derivation_input_integer(&operation, PSA_KEY_DERIVATION_INPUT_COST, cost));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SALT, text, 4));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_PASSWORD, text, 17));
    NEED(psa_key_derivation_get_capacity(&operation, &capacity));
    if (capacity < 1000) {
        EXPECT(PSA_ERROR_INSUFFICIENT_DATA,
               psa_key_derivation_output_bytes(&operation, output, capacity + 1));
    }
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
    return capacity;
}

static void output__of_all_blocks__costs_a_client_no_more_than_the_greatest_cost(void)
{
    CHECK(capacity_at(CORRAL_WALL_COST_MAX) == 32);
    CHECK(capacity_at(CORRAL_WALL_COST_MAX / 2 + 1) == 32);
    CHECK(capacity_at(CORRAL_WALL_COST_MAX / 2) == 64);
    CHECK(capacity_at(CORRAL_WALL_COST_MAX / 100) == 3200);
    CHECK(capacity_at(1) == CORRAL_WALL_COST_MAX * (size_t)32);
    arena_leave();
}

static const struct test_case tests[] = {
    TEST(key__of_another_client__is_none),
    TEST(keys__as_many_as_one_client_may_have__leave_slots_for_others),
    TEST(key__that_its_element_keeps__is_found_by_nobody_until_it_goes),
    TEST(client__that_was_reset__leaves_nothing_behind),
    TEST(output__of_all_blocks__costs_a_client_no_more_than_the_greatest_cost),
};

TEST_SUITE(owners, tests);
