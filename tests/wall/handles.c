/* SPDX-License-Identifier: Apache-2.0 */
/* Operations by handle: a client reaches its own, and only while they are active. */
#include "../../wall/trusted/serve.h"
#include "../harness/material.h"
#include "arena.h"

static psa_hash_operation_t begun(void)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;

    NEED(psa_hash_setup(&operation, PSA_ALG_SHA_256));
    CHECK(operation.handle != 0);
    return operation;
}

static void operation__ended__has_no_handle(void)
{
    psa_hash_operation_t operation = begun();
    uint8_t hash[32];
    size_t length;

    EXPECT(PSA_SUCCESS, psa_hash_finish(&operation, hash, sizeof hash, &length));
    CHECK(operation.handle == 0);
    CHECK_BYTES(hash, length, sha256_empty, sizeof sha256_empty);
}

static void handle__of_an_ended_operation__names_none(void)
{
    psa_hash_operation_t operation = begun();
    psa_hash_operation_t copy = operation;

    EXPECT(PSA_SUCCESS, psa_hash_abort(&operation));
    EXPECT(PSA_ERROR_BAD_STATE, psa_hash_update(&copy, abc, sizeof abc));
    /* Nor the one that has its place. */
    operation = begun();
    EXPECT(PSA_ERROR_BAD_STATE, psa_hash_update(&copy, abc, sizeof abc));
    EXPECT(PSA_SUCCESS, psa_hash_update(&operation, abc, sizeof abc));
    EXPECT(PSA_SUCCESS, psa_hash_verify(&operation, sha256_abc, sizeof sha256_abc));
}

static void handle__unknown__is_bad_state_until_it_is_aborted(void)
{
    psa_hash_operation_t operation = {.handle = 0x7fffffff};

    EXPECT(PSA_ERROR_BAD_STATE, psa_hash_update(&operation, abc, sizeof abc));
    EXPECT(PSA_ERROR_BAD_STATE, psa_hash_setup(&operation, PSA_ALG_SHA_256));
    CHECK(operation.handle == 0x7fffffff);
    EXPECT(PSA_SUCCESS, psa_hash_abort(&operation));
    CHECK(operation.handle == 0);
}

static void handle__any_bit_of_it_changed__names_no_operation(void)
{
    psa_hash_operation_t operation = begun();

    for (unsigned bit = 0; bit < 32; bit++) {
        psa_hash_operation_t forged = {.handle = operation.handle ^ UINT32_C(1) << bit};
        test_context("bit", bit);
        EXPECT(PSA_ERROR_BAD_STATE, psa_hash_update(&forged, abc, sizeof abc));
        EXPECT(PSA_SUCCESS, psa_hash_abort(&forged));
    }
    test_context(NULL, 0);
    EXPECT(PSA_SUCCESS, psa_hash_verify(&operation, sha256_empty, sizeof sha256_empty));
}

static void handle__of_another_kind__names_no_operation(void)
{
    psa_hash_operation_t operation = begun();
    psa_mac_operation_t mac = {.handle = operation.handle};
    psa_xof_operation_t xof = {.handle = operation.handle};

    EXPECT(PSA_ERROR_BAD_STATE, psa_mac_update(&mac, abc, sizeof abc));
    EXPECT(PSA_SUCCESS, psa_mac_abort(&mac));
    EXPECT(PSA_ERROR_BAD_STATE, psa_xof_update(&xof, abc, sizeof abc));
    EXPECT(PSA_SUCCESS, psa_xof_abort(&xof));
    EXPECT(PSA_SUCCESS, psa_hash_verify(&operation, sha256_empty, sizeof sha256_empty));
}

static void handle__of_another_client__names_no_operation(void)
{
    psa_hash_operation_t operation = begun();
    psa_hash_operation_t forged = operation;
    psa_hash_operation_t clone = PSA_HASH_OPERATION_INIT;

    call_as(2);
    EXPECT(PSA_ERROR_BAD_STATE, psa_hash_update(&forged, abc, sizeof abc));
    EXPECT(PSA_ERROR_BAD_STATE, psa_hash_clone(&forged, &clone));
    EXPECT(PSA_SUCCESS, psa_hash_abort(&forged));
    call_as(1);
    EXPECT(PSA_SUCCESS, psa_hash_verify(&operation, sha256_empty, sizeof sha256_empty));
}

static void operations__as_many_as_one_client_may_have__leave_room_for_others(void)
{
    psa_hash_operation_t mine[OPERATIONS_EACH];
    psa_hash_operation_t more = PSA_HASH_OPERATION_INIT;
    psa_hash_operation_t theirs = PSA_HASH_OPERATION_INIT;

    NEED(corral_wall_forget(1));
    call_as(3);
    for (size_t i = 0; i < OPERATIONS_EACH; i++) {
        mine[i] = begun();
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, psa_hash_setup(&more, PSA_ALG_SHA_256));
    CHECK(more.handle == 0);
    EXPECT(PSA_SUCCESS, psa_hash_abort(&more));
    call_as(2);
    EXPECT(PSA_SUCCESS, psa_hash_setup(&theirs, PSA_ALG_SHA_256));
    call_as(3);
    for (size_t i = 0; i < OPERATIONS_EACH; i++) {
        EXPECT(PSA_SUCCESS, psa_hash_abort(&mine[i]));
    }
    EXPECT(PSA_SUCCESS, psa_hash_setup(&more, PSA_ALG_SHA_256));
    EXPECT(PSA_SUCCESS, psa_hash_abort(&more));
    arena_leave();
}

static void operations__of_all_clients_together__are_no_more_than_the_table(void)
{
    psa_hash_operation_t operations[CORRAL_WALL_OPERATIONS];
    psa_hash_operation_t more = PSA_HASH_OPERATION_INIT;

    NEED(corral_wall_forget(1));
    for (size_t i = 0; i < CORRAL_WALL_OPERATIONS; i++) {
        call_as(i % 2 == 0 ? 2 : 3);
        operations[i] = begun();
        for (size_t other = 0; other < i; other++) {
            CHECK(operations[other].handle != operations[i].handle);
        }
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, psa_hash_setup(&more, PSA_ALG_SHA_256));
    arena_leave();
}

static const struct test_case tests[] = {
    TEST(operation__ended__has_no_handle),
    TEST(handle__of_an_ended_operation__names_none),
    TEST(handle__unknown__is_bad_state_until_it_is_aborted),
    TEST(handle__any_bit_of_it_changed__names_no_operation),
    TEST(handle__of_another_kind__names_no_operation),
    TEST(handle__of_another_client__names_no_operation),
    TEST(operations__as_many_as_one_client_may_have__leave_room_for_others),
    TEST(operations__of_all_clients_together__are_no_more_than_the_table),
};

TEST_SUITE(handles, tests);
