/* SPDX-License-Identifier: Apache-2.0 */
#include "serve.h"

#include <stdatomic.h>

#include <corral/bindings.h>
#include <corral/driver.h>

#include "../../core/keys/forget.h"
#include "operations.h"
#include "run.h"
#include "transport.h"

_Static_assert(CORRAL_WALL_BUFFER_SIZE >= PSA_SIGNATURE_MAX_SIZE + PSA_HASH_MAX_SIZE,
               "CORRAL_WALL_BUFFER_SIZE holds a signature and its hash");
_Static_assert(CORRAL_WALL_BUFFER_SIZE >=
                   PSA_EXPORT_ASYMMETRIC_KEY_MAX_SIZE + sizeof(psa_key_attributes_t),
               "CORRAL_WALL_BUFFER_SIZE holds an asymmetric key and its attributes");
_Static_assert(CORRAL_WALL_BUFFER_SIZE >= CORRAL_SINGLE_KEY_MAX_SIZE + sizeof(psa_key_attributes_t),
               "CORRAL_WALL_BUFFER_SIZE holds a key of a slot and its attributes");

/* Inputs and outputs of the call that is being served; all zero between two. The first has an
 * address that suits whatever an engine moves at once. */
static _Alignas(max_align_t) uint8_t memory[CORRAL_WALL_BUFFER_SIZE];

/* Written by the call, and read by an interrupt that calls meanwhile. */
static volatile bool is_busy;

/* In the first byte of an output when the function begins. If it fails, it has left the output
 * alone or made all of it zero, and so does the wall with the client's. */
#define UNTOUCHED 0x5a

/* Where a call stands: its buffers are in `memory`, and the call itself says where. */
struct exchange {
    corral_owner_t client;
    struct corral_wall_shape shape;
    size_t used;                        /* bytes of memory */
    bool is_narrowed;                   /* an output has less room than the client offers */
    void *outputs[CORRAL_WALL_OUTPUTS]; /* the client's */
};

static psa_status_t take_inputs(struct exchange *exchange, struct corral_wall_call *call)
{
    for (size_t i = 0; i < exchange->shape.inputs; i++) {
        struct corral_wall_input *const input = &call->inputs[i];
        uint8_t *const to = memory + exchange->used;
        const size_t length = input->length;
        if (length > sizeof memory - exchange->used) {
            return PSA_ERROR_INSUFFICIENT_MEMORY;
        }
        if (length > 0 && !corral_wall_fetch(exchange->client, to, input->data, length)) {
            return PSA_ERROR_INVALID_ARGUMENT;
        }
        input->data = to;
        exchange->used += length;
    }
    return PSA_SUCCESS;
}

static bool is_whole(const struct exchange *exchange, size_t output)
{
    return (exchange->shape.whole >> output & 1u) != 0;
}

/* A client may offer more room than there is here: what is left is shared among the outputs. */
static psa_status_t make_room(struct exchange *exchange, struct corral_wall_call *call)
{
    const size_t count = exchange->shape.outputs;

    for (size_t i = 0; i < count; i++) {
        struct corral_wall_output *const output = &call->outputs[i];
        uint8_t *const here = memory + exchange->used;
        exchange->outputs[i] = output->data;
        /* What the function does not tell. */
        call->reply.lengths[i] = is_whole(exchange, i) ? output->size : 0;
        output->data = here;
        if (output->size == 0) {
            continue;
        }
        if (!corral_wall_accepts(exchange->client, exchange->outputs[i], output->size)) {
            return PSA_ERROR_INVALID_ARGUMENT;
        }
        const size_t room = (sizeof memory - exchange->used) / (count - i);
        if (output->size > room) {
            if (is_whole(exchange, i)) {
                return PSA_ERROR_INSUFFICIENT_MEMORY;
            }
            output->size = room;
            exchange->is_narrowed = true;
            if (room == 0) {
                continue; /* nothing to mark */
            }
        }
        exchange->used += output->size;
        *here = UNTOUCHED;
    }
    return PSA_SUCCESS;
}

/* How much of an output the client gets, of a function that failed. */
static size_t length_of_failed(const struct corral_wall_output *output, size_t *told)
{
    *told = 0;
    if (output->size == 0 || *(const uint8_t *)output->data == UNTOUCHED) {
        return 0;
    }
    corral_wipe(output->data, output->size);
    return output->size;
}

/* What the client gets of outputs that are not all delivered. */
static psa_status_t take_back(const struct exchange *exchange, struct corral_wall_call *call,
                              psa_status_t why)
{
    for (size_t i = 0; i < exchange->shape.outputs; i++) {
        call->reply.lengths[i] = 0;
    }
    return why;
}

/* `status` is what the function returned. */
static psa_status_t give_outputs(const struct exchange *exchange, struct corral_wall_call *call,
                                 psa_status_t status)
{
    for (size_t i = 0; i < exchange->shape.outputs; i++) {
        const struct corral_wall_output *const output = &call->outputs[i];
        size_t *const told = &call->reply.lengths[i];
        const size_t length = status == PSA_SUCCESS ? *told : length_of_failed(output, told);
        if (length > output->size) {
            return take_back(exchange, call, PSA_ERROR_CORRUPTION_DETECTED);
        }
        if (length > 0 &&
            !corral_wall_deliver(exchange->client, exchange->outputs[i], output->data, length)) {
            return take_back(exchange, call, PSA_ERROR_INVALID_ARGUMENT);
        }
    }
    return status == PSA_ERROR_BUFFER_TOO_SMALL && exchange->is_narrowed
               ? PSA_ERROR_INSUFFICIENT_MEMORY
               : status;
}

static psa_status_t carry_out(corral_owner_t client, struct corral_wall_call *call)
{
    struct exchange exchange;

    exchange.client = client;
    exchange.shape = corral_wall_shapes[call->function];
    exchange.used = 0;
    exchange.is_narrowed = false;
    psa_status_t status = take_inputs(&exchange, call);
    if (status == PSA_SUCCESS) {
        status = make_room(&exchange, call);
    }
    if (status != PSA_SUCCESS) {
        status = take_back(&exchange, call, status);
    } else {
        corral_owner = client;
        status = corral_wall_run(call);
        corral_owner = 0;
        status = give_outputs(&exchange, call, status);
    }
    corral_wipe(memory, exchange.used);
    return status;
}

static psa_status_t serve(corral_owner_t client, struct corral_wall_call *message)
{
    struct corral_wall_call call;

    if (!corral_wall_fetch_call(client, &call, message) || call.function >= CORRAL_WALL_FUNCTIONS) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const psa_status_t status = carry_out(client, &call);
    return corral_wall_deliver_reply(client, message, &call.reply) ? status
                                                                   : PSA_ERROR_INVALID_ARGUMENT;
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

psa_status_t corral_wall_serve(corral_owner_t client, struct corral_wall_call *message)
{
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
