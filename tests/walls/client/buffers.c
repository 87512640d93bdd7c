/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that are answered, by any transport: with buffers that are not the client's. */
#include "client.h"

#include <string.h>

#include <corral/bindings.h>

/* The trusted side's table, made by the same build: which function looks at which buffers. */
#include "wall/shapes.c"

#include "../../harness/harness.h"

struct corral_wall_call message;
uint8_t buffers[CORRAL_WALL_INPUTS + CORRAL_WALL_OUTPUTS][32];

void make(uint32_t function)
{
    memset(&message, 0, sizeof message);
    message.function = function;
    for (size_t i = 0; i < CORRAL_WALL_INPUTS; i++) {
        message.inputs[i].data = buffers[i];
        message.inputs[i].length = sizeof buffers[i];
    }
    for (size_t i = 0; i < CORRAL_WALL_OUTPUTS; i++) {
        message.outputs[i].data = buffers[CORRAL_WALL_INPUTS + i];
        message.outputs[i].size = sizeof buffers[0];
    }
}

void make_hash(const uint8_t *text, size_t length, uint8_t *hash)
{
    make(CORRAL_WALL_HASH_COMPUTE);
    message.reply.words[0] = PSA_ALG_SHA_256;
    message.inputs[0].data = text;
    message.inputs[0].length = length;
    message.outputs[0].data = hash;
    message.outputs[0].size = 32;
}

static void check_refused(const struct range *range, uint32_t function)
{
    test_context(range->title, function);
    const psa_status_t status = corral_wall_enter(&message);
    CHECK(status == PSA_ERROR_INVALID_ARGUMENT ||
          (status == PSA_ERROR_INSUFFICIENT_MEMORY && range->length > CORRAL_WALL_BUFFER_SIZE));
}

static void each_buffer_of_each_function__not_all_the_clients__is_refused(void)
{
    for (uint32_t function = 0; function < CORRAL_WALL_FUNCTIONS; function++) {
        const struct corral_wall_shape *const shape = &corral_wall_shapes[function];
        for (size_t i = 0; i < (size_t)shape->inputs + shape->outputs; i++) {
            for (size_t row = 0; row < range_count; row++) {
                make(function);
                range_put(&message, shape->inputs, i, &ranges[row]);
                check_refused(&ranges[row], function);
            }
        }
    }
    test_context(NULL, 0);
}

static void message__not_all_the_clients__is_refused(void)
{
    for (size_t row = 0; row < range_count; row++) {
        const bool is_inside = ranges[row].length > SIZE_MAX / 2; /* but for its length */
        test_context(ranges[row].title, row);
        if (!is_inside) {
            EXPECT(PSA_ERROR_INVALID_ARGUMENT,
                   corral_wall_enter((struct corral_wall_call *)ranges[row].at));
        }
    }
    test_context(NULL, 0);
    make(CORRAL_WALL_FUNCTIONS);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, corral_wall_enter(&message));
}

static void check_reply(const struct corral_wall_shape *shape, uint32_t sent)
{
    for (size_t i = 0; i < CORRAL_WALL_WORDS; i++) {
        CHECK(message.reply.words[i] == sent || message.reply.words[i] == 0);
    }
    for (size_t i = 0; i < CORRAL_WALL_OUTPUTS; i++) {
        const size_t length = message.reply.lengths[i];
        CHECK(length == sent || length == 0 || (i < shape->outputs && length == sizeof buffers[0]));
    }
}

/* Words are handles and keys that do not exist, others in each call: a residue of one on the
 * trusted side's stack is none of the next one's. Between two, random numbers leave a length. */
static void reply__of_any_function__has_nothing_but_what_was_sent_and_results(void)
{
    for (uint32_t function = 0; function < CORRAL_WALL_FUNCTIONS; function++) {
        test_context("function", function);
        make(CORRAL_WALL_GENERATE_RANDOM);
        EXPECT(PSA_SUCCESS, corral_wall_enter(&message));
        make(function);
        memset(&message.reply, 0x80 + (int)function, sizeof message.reply);
        const uint32_t sent = message.reply.words[0];
        (void)corral_wall_enter(&message);
        check_reply(&corral_wall_shapes[function], sent);
    }
    test_context(NULL, 0);
}

_Static_assert(CORRAL_WALL_FUNCTIONS < 0x80, "a byte for each function");

static void image__of_another_configuration__is_told(void)
{
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, corral_wall_meet(CORRAL_CONFIG_HASH ^ 1u));
}

static const struct test_case tests[] = {
    TEST(each_buffer_of_each_function__not_all_the_clients__is_refused),
    TEST(message__not_all_the_clients__is_refused),
    TEST(reply__of_any_function__has_nothing_but_what_was_sent_and_results),
    TEST(image__of_another_configuration__is_told),
};

TEST_SUITE_APART(buffers, tests);
