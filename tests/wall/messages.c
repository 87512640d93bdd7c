/* SPDX-License-Identifier: Apache-2.0 */
/* The trusted side's checks before it calls a function, and its writes afterwards. */
#include <string.h>

#include "../../wall/trusted/run.h"
#include "../../wall/trusted/serve.h"
#include "../harness/material.h"
#include "arena.h"
#include "range.h"

#define RANGES 8

static void fill_ranges(struct range ranges[RANGES])
{
    const uintptr_t begin = (uintptr_t)ARENA;
    const uintptr_t end = begin + sizeof *ARENA;
    const struct range rows[RANGES] = {
        {"before", begin - 16, 16},
        {"across the first byte", begin - 1, 16},
        {"across the last byte", end - 15, 16},
        {"behind", end, 1},
        {"at no address", 0, 1},
        {"around the end of all addresses", UINTPTR_MAX - 7, 16},
        {"from inside around all addresses", begin + 8, SIZE_MAX - 4},
        {"of all lengths", begin, SIZE_MAX},
    };

    memcpy(ranges, rows, sizeof rows);
}

/* Counts the calls of a function; the client may lose its buffers meanwhile. */
static unsigned runs;
static bool loses_buffers;

psa_status_t __wrap_corral_wall_run(struct corral_wall_call *call);
psa_status_t __real_corral_wall_run(struct corral_wall_call *call);

psa_status_t __wrap_corral_wall_run(struct corral_wall_call *call)
{
    runs++;
    if (loses_buffers) {
        loses_buffers = false;
        corral_wall_loopback.memory.size = sizeof ARENA->call;
    }
    return __real_corral_wall_run(call);
}

/* Refused for whose it is, or for its length, which has no room here: it is never looked at. */
static void check_refused(const struct range *range, uint32_t function)
{
    const unsigned before = runs;

    test_context(range->title, function);
    const psa_status_t status = corral_wall_serve(2, &ARENA->call);
    CHECK(runs == before);
    CHECK(status == PSA_ERROR_INVALID_ARGUMENT ||
          (status == PSA_ERROR_INSUFFICIENT_MEMORY && range->length > CORRAL_WALL_BUFFER_SIZE));
    CHECK(arena_is_kept());
}

static void each_buffer_of_each_function__not_all_the_clients__is_refused(void)
{
    struct range ranges[RANGES];

    fill_ranges(ranges);
    arena_enter(2);
    for (uint32_t function = 0; function < CORRAL_WALL_FUNCTIONS; function++) {
        const struct corral_wall_shape *const shape = &corral_wall_shapes[function];
        for (size_t i = 0; i < (size_t)shape->inputs + shape->outputs; i++) {
            for (size_t row = 0; row < RANGES; row++) {
                struct corral_wall_call *const call = arena_call(function);
                range_put(call, shape->inputs, i, &ranges[row]);
                check_refused(&ranges[row], function);
            }
        }
    }
    test_context(NULL, 0);
    arena_leave();
}

static void message__not_all_the_clients__is_refused(void)
{
    uint8_t *const end = (uint8_t *)(ARENA + 1);

    arena_enter(2);
    (void)arena_call(CORRAL_WALL_CRYPTO_INIT);
    EXPECT(PSA_SUCCESS, corral_wall_serve(2, &ARENA->call));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, corral_wall_serve(2, NULL));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           corral_wall_serve(2, (struct corral_wall_call *)(void *)end));
    corral_wall_loopback.memory.size = sizeof ARENA->call - 1;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, corral_wall_serve(2, &ARENA->call));
    corral_wall_loopback.memory.begin++;
    corral_wall_loopback.memory.size = sizeof *ARENA - 1;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, corral_wall_serve(2, &ARENA->call));
    arena_leave();
}

static void client__nobody_or_this_program__is_not_let_in(void)
{
    const corral_owner_t owners[] = {0};

    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
        test_context("owner", i);
        arena_enter(owners[i]);
        (void)arena_call(CORRAL_WALL_CRYPTO_INIT);
        EXPECT(PSA_ERROR_NOT_PERMITTED, corral_wall_serve(owners[i], &ARENA->call));
        EXPECT(PSA_ERROR_NOT_PERMITTED, corral_wall_forget(owners[i]));
    }
    test_context(NULL, 0);
    arena_leave();
}

static void function__unknown__is_refused(void)
{
    arena_enter(2);
    (void)arena_call(CORRAL_WALL_FUNCTIONS);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, corral_wall_serve(2, &ARENA->call));
    (void)arena_call(UINT32_MAX);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, corral_wall_serve(2, &ARENA->call));
    arena_leave();
}

static void structure__of_another_size__is_refused(void)
{
    arena_enter(2);
    struct corral_wall_call *call = arena_call(CORRAL_WALL_GENERATE_KEY);
    call->inputs[0].length = sizeof(psa_key_attributes_t) - 1;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, corral_wall_serve(2, call));
    call = arena_call(CORRAL_WALL_GET_KEY_ATTRIBUTES);
    call->outputs[0].size = sizeof(psa_key_attributes_t) + 1;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, corral_wall_serve(2, call));
    arena_leave();
}

static void inputs__together_larger_than_the_room__are_refused(void)
{
    uint8_t *const text = test_buffer(CORRAL_WALL_BUFFER_SIZE);
    uint8_t hash[32] = {0};
    size_t length;

    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY,
           psa_hash_compare(PSA_ALG_SHA_256, text, CORRAL_WALL_BUFFER_SIZE - 31, hash, 32));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           psa_hash_compare(PSA_ALG_SHA_256, text, CORRAL_WALL_BUFFER_SIZE - 32, hash, 32));
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY,
           psa_hash_compute(PSA_ALG_SHA_256, text, CORRAL_WALL_BUFFER_SIZE - 31, hash, sizeof hash,
                            &length));
    CHECK(length == 0);
    EXPECT(PSA_SUCCESS, psa_hash_compute(PSA_ALG_SHA_256, text, CORRAL_WALL_BUFFER_SIZE - 32, hash,
                                         sizeof hash, &length));
}

static void output__larger_than_the_room__is_filled_as_far_as_it_goes(void)
{
    uint8_t *const output = test_buffer(2 * CORRAL_WALL_BUFFER_SIZE);
    size_t length;

    EXPECT(PSA_SUCCESS, psa_hash_compute(PSA_ALG_SHA_256, abc, sizeof abc, output,
                                         2 * CORRAL_WALL_BUFFER_SIZE, &length));
    CHECK_BYTES(output, length, sha256_abc, sizeof sha256_abc);
    CHECK(test_all(output + 32, 2 * CORRAL_WALL_BUFFER_SIZE - 32, 0xa5));
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, psa_generate_random(output, CORRAL_WALL_BUFFER_SIZE + 1));
    EXPECT(PSA_SUCCESS, psa_generate_random(output, CORRAL_WALL_BUFFER_SIZE));
}

static void output__too_small_by_the_room__is_said_to_be_no_memory(void)
{
    const size_t size = CORRAL_WALL_BUFFER_SIZE / 2 + 16;
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT, aes_key, sizeof aes_key);
    uint8_t *const text = test_buffer(size);
    uint8_t *const output = test_buffer(2 * size);
    size_t length;

    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY,
           psa_cipher_encrypt(key, PSA_ALG_CTR, text, size, output, 2 * size, &length));
    CHECK(length == 0);
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
           psa_cipher_encrypt(key, PSA_ALG_CTR, text, 16, output, 16, &length));
}

static void update__longer_than_the_room__goes_in_pieces(void)
{
    const size_t size = 2 * CORRAL_WALL_BUFFER_SIZE + 100;
    uint8_t *const text = test_buffer(size);
    psa_hash_operation_t whole = PSA_HASH_OPERATION_INIT;
    psa_hash_operation_t parts = PSA_HASH_OPERATION_INIT;
    uint8_t hash[32];
    size_t length;

    test_fill(text, size, 1);
    NEED(psa_hash_setup(&whole, PSA_ALG_SHA_256));
    NEED(psa_hash_setup(&parts, PSA_ALG_SHA_256));
    EXPECT(PSA_SUCCESS, psa_hash_update(&whole, text, size));
    for (size_t done = 0; done < size; done += 100) {
        const size_t piece = size - done < 100 ? size - done : 100;
        EXPECT(PSA_SUCCESS, psa_hash_update(&parts, text + done, piece));
    }
    EXPECT(PSA_SUCCESS, psa_hash_finish(&whole, hash, sizeof hash, &length));
    EXPECT(PSA_SUCCESS, psa_hash_verify(&parts, hash, length));
}

/*
 * A function behind the wall that the client disturbs: it changes its input, and calls again.
 */
static uint8_t changed_message[28];
static psa_status_t called_again;
static bool room_is_empty;

psa_status_t __wrap_corral_behind_mac_verify(psa_key_id_t key, psa_algorithm_t alg,
                                             const uint8_t *input, size_t input_length,
                                             const uint8_t *mac, size_t mac_length);
psa_status_t __real_corral_behind_mac_verify(psa_key_id_t key, psa_algorithm_t alg,
                                             const uint8_t *input, size_t input_length,
                                             const uint8_t *mac, size_t mac_length);

psa_status_t __wrap_corral_behind_mac_verify(psa_key_id_t key, psa_algorithm_t alg,
                                             const uint8_t *input, size_t input_length,
                                             const uint8_t *mac, size_t mac_length)
{
    uint8_t random;

    if (input_length == sizeof changed_message) {
        memset(changed_message, 0, sizeof changed_message);
        called_again = psa_generate_random(&random, 1);
        room_is_empty =
            test_all(mac + mac_length, 128, 0); /* the last input, and the room behind */
    }
    return __real_corral_behind_mac_verify(key, alg, input, input_length, mac, mac_length);
}

static void call__during_a_call__is_refused_and_changes_nothing(void)
{
    const psa_algorithm_t alg = PSA_ALG_HMAC(PSA_ALG_SHA_256);
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_HMAC, alg, PSA_KEY_USAGE_VERIFY_MESSAGE,
                                         hmac_key, sizeof hmac_key);

    memcpy(changed_message, hmac_message, sizeof changed_message);
    called_again = PSA_SUCCESS;
    EXPECT(PSA_SUCCESS, psa_mac_verify(key, alg, changed_message, sizeof changed_message, hmac_tag,
                                       sizeof hmac_tag));
    CHECK(called_again == PSA_ERROR_INSUFFICIENT_MEMORY);
    CHECK(changed_message[0] == 0);
}

/* A call that finds what is left of the one before it. */
static void check_room_is_empty(psa_key_id_t key)
{
    memcpy(changed_message, hmac_message, sizeof changed_message);
    room_is_empty = false;
    EXPECT(PSA_SUCCESS, psa_mac_verify(key, PSA_ALG_HMAC(PSA_ALG_SHA_256), changed_message,
                                       sizeof changed_message, hmac_tag, sizeof hmac_tag));
    CHECK(room_is_empty);
}

static void room__of_an_earlier_call__holds_nothing(void)
{
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_HMAC, PSA_ALG_HMAC(PSA_ALG_SHA_256),
                                         PSA_KEY_USAGE_VERIFY_MESSAGE, hmac_key, sizeof hmac_key);
    uint8_t secret[256];
    uint8_t hash[32];
    size_t length;

    test_fill(secret, sizeof secret, 3);
    NEED(psa_hash_compute(PSA_ALG_SHA_256, secret, sizeof secret, hash, sizeof hash, &length));
    check_room_is_empty(key);
}

/* The first input was fetched, and then something else is wrong with the call. */
static void room__of_a_call_that_was_refused__holds_nothing(void)
{
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_HMAC, PSA_ALG_HMAC(PSA_ALG_SHA_256),
                                         PSA_KEY_USAGE_VERIFY_MESSAGE, hmac_key, sizeof hmac_key);
    const uint32_t functions[] = {CORRAL_WALL_HASH_COMPARE, CORRAL_WALL_HASH_COMPUTE};
    uint8_t *const text = test_buffer(CORRAL_WALL_BUFFER_SIZE);

    test_fill(text, CORRAL_WALL_BUFFER_SIZE, 3);
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY,
           psa_hash_compare(PSA_ALG_SHA_256, text, 256, text, CORRAL_WALL_BUFFER_SIZE));
    check_room_is_empty(key);
    for (size_t i = 0; i < 2; i++) {
        test_context("function", functions[i]);
        arena_enter(2);
        struct corral_wall_call *const call = arena_call(functions[i]);
        call->reply.words[0] = PSA_ALG_SHA_256;
        test_fill(ARENA->buffers, 256, 5);
        call->inputs[0].data = ARENA->buffers;
        call->inputs[0].length = 256;
        call->inputs[1].data = arena_memory.behind; /* of the function that has two */
        call->outputs[0].data = arena_memory.behind;
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, corral_wall_serve(2, call));
        arena_leave();
        check_room_is_empty(key);
    }
}

static void outputs__of_a_call_that_failed__are_as_a_local_call_leaves_them(void)
{
    psa_xof_operation_t operation = {.handle = 0x12345600};
    uint8_t output[64];
    size_t length = 1;

    memset(output, 0x77, sizeof output);
    EXPECT(PSA_ERROR_BAD_STATE, psa_xof_output(&operation, output, sizeof output));
    CHECK(test_all(output, sizeof output, 0x77));
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
           psa_hash_compute(PSA_ALG_SHA_256, abc, sizeof abc, output, 31, &length));
    CHECK(length == 0);
    CHECK(test_all(output, 31, 0) || test_all(output, 31, 0x77));
    CHECK(test_all(output + 31, sizeof output - 31, 0x77));
}

static void output__not_the_clients_any_more__has_no_length(void)
{
    arena_enter(2);
    struct corral_wall_call *const call = arena_call(CORRAL_WALL_HASH_COMPUTE);
    call->reply.words[0] = PSA_ALG_SHA_256;
    call->outputs[0].size = 32;
    loses_buffers = true;
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, corral_wall_serve(2, call));
    CHECK(!loses_buffers);
    CHECK(call->reply.lengths[0] == 0);
    arena_leave();
}

static const struct test_case tests[] = {
    TEST(each_buffer_of_each_function__not_all_the_clients__is_refused),
    TEST(message__not_all_the_clients__is_refused),
    TEST(client__nobody_or_this_program__is_not_let_in),
    TEST(function__unknown__is_refused),
    TEST(structure__of_another_size__is_refused),
    TEST(inputs__together_larger_than_the_room__are_refused),
    TEST(output__larger_than_the_room__is_filled_as_far_as_it_goes),
    TEST(output__too_small_by_the_room__is_said_to_be_no_memory),
    TEST(update__longer_than_the_room__goes_in_pieces),
    TEST(outputs__of_a_call_that_failed__are_as_a_local_call_leaves_them),
    TEST(output__not_the_clients_any_more__has_no_length),
    TEST(room__of_an_earlier_call__holds_nothing),
    TEST(room__of_a_call_that_was_refused__holds_nothing),
    TEST(call__during_a_call__is_refused_and_changes_nothing),
};

TEST_SUITE(messages, tests);
