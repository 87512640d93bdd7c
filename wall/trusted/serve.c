/* SPDX-License-Identifier: Apache-2.0 */
#include "serve.h"

#include <access.h> /* of the transport: here, so that a check is not a call */
#include <stdatomic.h>

#include <corral/bindings.h>
#include <corral/driver.h>

#include "../../core/common/blocks.h"
#include "../../core/common/inline.h"
#include "../../core/keys/forget.h"
#include "operations.h"
#include "run.h"

_Static_assert(CORRAL_WALL_BUFFER_SIZE >= PSA_SIGNATURE_MAX_SIZE + PSA_HASH_MAX_SIZE,
               "CORRAL_WALL_BUFFER_SIZE holds a signature and its hash");
_Static_assert(CORRAL_WALL_BUFFER_SIZE >=
                   PSA_EXPORT_ASYMMETRIC_KEY_MAX_SIZE + sizeof(psa_key_attributes_t),
               "CORRAL_WALL_BUFFER_SIZE holds an asymmetric key and its attributes");
_Static_assert(CORRAL_WALL_BUFFER_SIZE >= CORRAL_SINGLE_KEY_MAX_SIZE + sizeof(psa_key_attributes_t),
               "CORRAL_WALL_BUFFER_SIZE holds a key of a slot and its attributes");

#define IN_BLOCKS(size) (((size) + CORRAL_BLOCK - 1u) / CORRAL_BLOCK * CORRAL_BLOCK)

/* Inputs and outputs of the call that is being served; all zero between two. The first has an
 * address that suits whatever an engine moves at once. It is wiped by blocks. */
static _Alignas(max_align_t) uint8_t memory[IN_BLOCKS(CORRAL_WALL_BUFFER_SIZE)];

/* Written by the call, and read by an interrupt that calls meanwhile. */
static volatile bool is_busy;

/* In the first byte of an output when the function begins. If it fails, it has not changed
 * the output or has made all of it zero, and the wall does the same with the client's. */
#define UNTOUCHED 0x5a

/* The state of a call: its buffers are in `memory`, at positions in the call itself. */
struct exchange {
    corral_owner_t client;
    uint8_t *free;                      /* the free part of memory */
    bool is_narrowed;                   /* an output has less room than the client offers */
    void *outputs[CORRAL_WALL_OUTPUTS]; /* the client's */
};

static inline size_t room_of(const struct exchange *exchange)
{
    return (size_t)(memory + CORRAL_WALL_BUFFER_SIZE - exchange->free);
}

CORRAL_EXPANDED psa_status_t take_input(struct exchange *exchange, struct corral_wall_input *input)
{
    const size_t length = input->length;
    const void *const data = input->data;
    uint8_t *const here = exchange->free;

    if (length > room_of(exchange)) {
        return PSA_ERROR_INSUFFICIENT_MEMORY;
    }
    input->data = here;
    if (length > 0 && !corral_wall_fetch(exchange->client, here, data, length)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    exchange->free = here + length;
    return PSA_SUCCESS;
}

/* A client may offer larger buffers than the memory here: the outputs share the rest,
 * of which `at` are before this one and `count` in all. */
CORRAL_EXPANDED psa_status_t make_room(struct exchange *exchange, struct corral_wall_call *call,
                                       size_t at, size_t count, struct corral_wall_shape shape)
{
    struct corral_wall_output *const output = &call->outputs[at];
    const bool is_whole = (shape.flags & CORRAL_WALL_WHOLE(at)) != 0;
    const size_t size = output->size;
    void *const data = output->data;
    uint8_t *const here = exchange->free;

    exchange->outputs[at] = data;
    if (is_whole) {
        call->reply.lengths[at] = size; /* the function does not tell it */
    }
    output->data = here;
    if (!CORRAL_USUALLY(size > 0)) {
        return PSA_SUCCESS;
    }
    if (!corral_wall_accepts(exchange->client, data, size)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const size_t room = room_of(exchange) / (count - at);
    if (!CORRAL_USUALLY(size <= room)) {
        if (is_whole) {
            return PSA_ERROR_INSUFFICIENT_MEMORY;
        }
        output->size = room;
        exchange->is_narrowed = true;
        if (room == 0) {
            return PSA_SUCCESS; /* nothing to mark */
        }
    }
    *here = UNTOUCHED;
    exchange->free = here + output->size;
    return PSA_SUCCESS;
}

/* How much of an output the client gets, of a function that failed. */
static size_t length_of_failed(const struct corral_wall_output *output)
{
    if (output->size == 0 || *(const uint8_t *)output->data == UNTOUCHED) {
        return 0;
    }
    corral_wipe(output->data, output->size);
    return output->size;
}

/* `status` is the result of the function. Success: the client has what it gets of this output. */
CORRAL_EXPANDED psa_status_t give_output(const struct exchange *exchange,
                                         struct corral_wall_call *call, size_t at,
                                         psa_status_t status)
{
    const struct corral_wall_output *const output = &call->outputs[at];
    size_t length = call->reply.lengths[at];

    if (!CORRAL_USUALLY(status == PSA_SUCCESS)) {
        call->reply.lengths[at] = 0;
        length = length_of_failed(output);
    }
    if (length > output->size) {
        return PSA_ERROR_CORRUPTION_DETECTED;
    }
    if (length > 0 &&
        !corral_wall_deliver(exchange->client, exchange->outputs[at], output->data, length)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return PSA_SUCCESS;
}

/* No output has a length: none is delivered yet, or not all are. */
CORRAL_EXPANDED void clear_lengths(struct corral_wall_call *call)
{
    for (size_t i = 0; i < CORRAL_WALL_OUTPUTS; i++) {
        call->reply.lengths[i] = 0;
    }
}

/* The message's inputs are in `memory` then, and space for its outputs. */
CORRAL_EXPANDED psa_status_t take(struct exchange *exchange, struct corral_wall_call *call,
                                  struct corral_wall_shape shape)
{
    psa_status_t status = PSA_SUCCESS;

    clear_lengths(call);
    for (size_t i = 0; i < shape.inputs && status == PSA_SUCCESS; i++) {
        status = take_input(exchange, &call->inputs[i]);
    }
    for (size_t i = 0; i < shape.outputs && status == PSA_SUCCESS; i++) {
        status = make_room(exchange, call, i, shape.outputs, shape);
    }
    return status;
}

/* `status` is the result of the function. */
CORRAL_EXPANDED psa_status_t give(const struct exchange *exchange, struct corral_wall_call *call,
                                  struct corral_wall_shape shape, psa_status_t status)
{
    psa_status_t given = PSA_SUCCESS;

    for (size_t i = 0; i < shape.outputs && given == PSA_SUCCESS; i++) {
        given = give_output(exchange, call, i, status);
    }
    return given;
}

/* Both of a message that is short, which most are: no loop goes round that. */
CORRAL_EXPANDED psa_status_t take_short(struct exchange *exchange, struct corral_wall_call *call,
                                        struct corral_wall_shape shape)
{
    psa_status_t status = PSA_SUCCESS;

    call->reply.lengths[0] = 0;
    if (CORRAL_USUALLY(shape.inputs > 0)) {
        status = take_input(exchange, &call->inputs[0]);
    }
    if (CORRAL_USUALLY(shape.outputs > 0 && status == PSA_SUCCESS)) {
        status = make_room(exchange, call, 0, 1, shape);
    }
    if (shape.outputs == 0) {
        call->outputs[0].size = 0;
    }
    return status;
}

/* Of a function that failed: whether what it lacks is room of the client's, or of the wall's. */
CORRAL_EXPANDED psa_status_t reason_of(const struct exchange *exchange, psa_status_t status)
{
    return status == PSA_ERROR_BUFFER_TOO_SMALL && exchange->is_narrowed
               ? PSA_ERROR_INSUFFICIENT_MEMORY
               : status;
}

/* is_short: a constant, and so each has its own code. */
CORRAL_EXPANDED psa_status_t carry_out(corral_owner_t client, struct corral_wall_call *call,
                                       bool is_short)
{
    const struct corral_wall_shape shape = corral_wall_shapes[call->function];
    struct exchange exchange = {.client = client, .free = memory};
    psa_status_t status = PSA_SUCCESS;
    psa_status_t passed =
        is_short ? take_short(&exchange, call, shape) : take(&exchange, call, shape);
    if (passed == PSA_SUCCESS) {
        corral_owner = client;
        status = corral_wall_run(call);
        corral_owner = 0;
        if (!CORRAL_USUALLY(status == PSA_SUCCESS)) {
            status = reason_of(&exchange, status);
        }
        passed = is_short ? give_output(&exchange, call, 0, status)
                          : give(&exchange, call, shape, status);
    }
    corral_wipe_blocks(memory, memory + IN_BLOCKS((size_t)(exchange.free - memory)));
    if (passed != PSA_SUCCESS) {
        clear_lengths(call);
        return passed;
    }
    return status;
}

CORRAL_EXPANDED psa_status_t answer(corral_owner_t client, struct corral_wall_call *message,
                                    struct corral_wall_call *call, bool is_short)
{
    const psa_status_t status = carry_out(client, call, is_short);

    return corral_wall_deliver_reply(client, message, &call->reply, is_short)
               ? status
               : PSA_ERROR_INVALID_ARGUMENT;
}

CORRAL_APART psa_status_t answer_long(corral_owner_t client, struct corral_wall_call *message,
                                      struct corral_wall_call *call)
{
    return answer(client, message, call, false);
}

static psa_status_t serve(corral_owner_t client, struct corral_wall_call *message)
{
    struct corral_wall_call call;

    if (!corral_wall_fetch_call(client, &call, message) || call.function >= CORRAL_WALL_FUNCTIONS) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return CORRAL_USUALLY(corral_wall_shapes[call.function].is_short)
               ? answer(client, message, &call, true)
               : answer_long(client, message, &call);
}

/* Whether a client may have something done now; if so, end by leave(). */
static psa_status_t enter(corral_owner_t client)
{
    if (client == 0) {
        return PSA_ERROR_NOT_PERMITTED;
    }
    if (is_busy) {
        return PSA_ERROR_INSUFFICIENT_MEMORY;
    }
    is_busy = true;
    atomic_signal_fence(memory_order_seq_cst); /* nothing of the call comes before that */
    return PSA_SUCCESS;
}

static void leave(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    is_busy = false;
}

psa_status_t corral_wall_serve(corral_owner_t caller, struct corral_wall_call *message)
{
    const corral_owner_t client = corral_wall_who(caller);
    const psa_status_t entered = enter(client);

    if (entered != PSA_SUCCESS) {
        return entered;
    }
    const psa_status_t status = serve(client, message);
    leave();
    return status;
}

psa_status_t corral_wall_forget(corral_owner_t client)
{
    const psa_status_t entered = enter(client);

    if (entered != PSA_SUCCESS) {
        return entered;
    }
    corral_owner = client;
    const psa_status_t aborted = corral_wall_abort_all();
    const psa_status_t destroyed = corral_keys_forget();
    corral_owner = 0;
    leave();
    return aborted != PSA_SUCCESS ? aborted : destroyed;
}
