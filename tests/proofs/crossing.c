/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handling of one input and one output of any message by wall/trusted/serve.c, with any content
 * of the wall's memory before; the transport is modelled here. The client's addresses are
 * invalid, so each access to one is found. Of memory one byte is watched, which is any.
 */
#include "../../wall/trusted/serve.c"
#include "proof.h"

struct corral_wall_call *nondet_message(void);
void *nondet_address(void);

const struct corral_wall_shape corral_wall_shapes[CORRAL_WALL_FUNCTIONS];
corral_owner_t corral_owner;

static struct exchange exchange;
static struct corral_wall_call call;
static size_t watched;

/* Of an input or output: its description in the message. */
static void *address;
static size_t length;

/* The number of requests to the transport, and its answers. */
static unsigned asked;
static bool agrees;

/* Whatever a transport does with length - 1 then, or with a block of a copy. */
static void claim_something(size_t size)
{
    CLAIM(size > 0, "the transport is never asked about 0 bytes");
}

static bool is_watched(const void *from, size_t size)
{
    return __CPROVER_same_object(from, memory) && (const uint8_t *)from <= memory + watched &&
           (size_t)(memory + watched - (const uint8_t *)from) < size;
}

/* Like core/common/memory.c, for the watched bytes. */
void corral_wipe(void *buffer, size_t size)
{
    CLAIM(size == 0 || __CPROVER_w_ok(buffer, size), "what is wiped is there");
    if (is_watched(buffer, size)) {
        memory[watched] = 0;
    }
}

bool corral_wall_fetch(corral_owner_t client, void *to, const void *from, size_t size)
{
    claim_something(size);
    CLAIM(asked++ == 0, "an input is copied once");
    CLAIM(client == exchange.client && from == address && size == length,
          "what is copied is what the message says");
    CLAIM(__CPROVER_same_object(to, memory) && __CPROVER_w_ok(to, size),
          "a copy stays in the wall's memory");
    if (agrees && is_watched(to, size)) {
        memory[watched] = nondet_uint8();
    }
    return agrees;
}

bool corral_wall_accepts(corral_owner_t client, const void *to, size_t size)
{
    claim_something(size);
    CLAIM(asked++ == 0 && client == exchange.client && to == address && size == length,
          "what the message says is asked about, all of it");
    return agrees;
}

/* Of an output: the bytes and the result of the function. */
static uint8_t left;
static psa_status_t returned;
static size_t told;

bool corral_wall_deliver(corral_owner_t client, void *to, const void *from, size_t size)
{
    claim_something(size);
    CLAIM(asked++ == 0 && client == exchange.client && to == address,
          "what is written is the client's output, once");
    CLAIM(size <= length, "no more is written than was asked about");
    CLAIM(__CPROVER_same_object(from, memory) && __CPROVER_r_ok(from, size),
          "what is written comes from the wall's memory");
    CLAIM(returned != PSA_SUCCESS ||
              (size == told && (!is_watched(from, size) || memory[watched] == left)),
          "an output is what the function wrote");
    CLAIM(returned == PSA_SUCCESS || !is_watched(from, size) || memory[watched] == 0,
          "an output of a function that failed is zeros");
    return agrees;
}

bool corral_wall_fetch_call(corral_owner_t client, struct corral_wall_call *to,
                            const struct corral_wall_call *from)
{
    (void)client;
    (void)to;
    (void)from;
    asked++;
    return false;
}

/* Beyond what is proved here. */
bool corral_wall_deliver_reply(corral_owner_t client, struct corral_wall_call *to,
                               const struct corral_wall_reply *from, bool is_short)
{
    (void)client;
    (void)to;
    (void)from;
    (void)is_short;
    return nondet_bool();
}

psa_status_t corral_wall_run(struct corral_wall_call *served)
{
    (void)served;
    return nondet_status();
}

static void any_exchange(void)
{
    const size_t used = nondet_size();

    watched = nondet_size();
    address = nondet_address();
    length = nondet_size();
    agrees = nondet_bool();
    GIVEN(watched < sizeof memory && used <= CORRAL_WALL_BUFFER_SIZE);
    memory[watched] = left = nondet_uint8();
    exchange.client = nondet_uint32();
    exchange.free = memory + used;
}

void prove_input(void)
{
    any_exchange();
    uint8_t *const here = exchange.free;
    call.inputs[0].data = address;
    call.inputs[0].length = length;
    const psa_status_t status = take_input(&exchange, &call.inputs[0]);

    CLAIM(is_watched(here, length) || memory[watched] == left, "nothing else is written");
    CLAIM(status == PSA_SUCCESS || exchange.free == here, "a failure uses nothing");
    if (status != PSA_SUCCESS) {
        return;
    }
    CLAIM(asked == (length > 0 ? 1 : 0) && (agrees || length == 0),
          "success is of an input that the client may read");
    CLAIM(call.inputs[0].data == here && call.inputs[0].length == length &&
              exchange.free == here + length,
          "the function gets the copy, all of it, and nothing else is put there");
    CLAIM(length == 0 || __CPROVER_r_ok(here, length), "the function reads the wall's memory");
}

void prove_room(void)
{
    const size_t count = nondet_size();
    const size_t at = nondet_size();
    const unsigned whole = nondet_uint8() % 4u;
    const struct corral_wall_shape shape = {.flags = (uint8_t)whole & 3u};

    any_exchange();
    GIVEN(count <= CORRAL_WALL_OUTPUTS && at < count);
    uint8_t *const here = exchange.free;
    call.outputs[at].data = address;
    call.outputs[at].size = length;
    const psa_status_t status = make_room(&exchange, &call, at, count, shape);
    const size_t size = call.outputs[at].size;

    CLAIM(status == PSA_SUCCESS || exchange.free == here, "a failure uses nothing");
    CLAIM(memory + watched == here || memory[watched] == left, "a mark is all that is written");
    if (status != PSA_SUCCESS) {
        return;
    }
    CLAIM(asked == (length > 0 ? 1 : 0) && (agrees || length == 0),
          "room is of an output that the client may write");
    CLAIM(exchange.outputs[at] == address, "what is written goes to the client's output");
    CLAIM(size <= length && ((whole >> at & 1) == 0 || size == length),
          "room is what the client offers or, of what is not whole, less");
    CLAIM(size == length || exchange.is_narrowed, "less room is known to be less");
    CLAIM(call.outputs[at].data == here && exchange.free == here + size &&
              (size == 0 || __CPROVER_w_ok(here, size)),
          "the function writes the wall's memory, and nothing else is put there");
}

void prove_output(void)
{
    const size_t at = nondet_size();
    const size_t begin = nondet_size();
    const size_t size = nondet_size();

    any_exchange();
    returned = nondet_status();
    told = nondet_size();
    GIVEN(at < CORRAL_WALL_OUTPUTS && begin <= sizeof memory && size <= sizeof memory - begin);
    GIVEN(size <= length);
    exchange.outputs[at] = address;
    call.outputs[at].data = memory + begin;
    call.outputs[at].size = size;
    call.reply.lengths[at] = told;
    const psa_status_t given = give_output(&exchange, &call, at, returned);

    CLAIM(returned == PSA_SUCCESS || call.reply.lengths[at] == 0,
          "an output of a function that failed has no length");
    CLAIM(given != PSA_SUCCESS || asked == 0 || agrees, "what was refused is no success");
    CLAIM(given != PSA_SUCCESS || returned != PSA_SUCCESS || told == 0 || asked == 1,
          "what has a length is written");
}

void prove_refused(void)
{
    const corral_owner_t client = nondet_uint32();

    is_busy = nondet_bool();
    GIVEN(is_busy || client == 0);
    const bool was_busy = is_busy;
    const psa_status_t status = corral_wall_serve(client, nondet_message());

    CLAIM(status == (client == 0 ? PSA_ERROR_NOT_PERMITTED : PSA_ERROR_INSUFFICIENT_MEMORY),
          "the statuses of serve.h");
    CLAIM(is_busy == was_busy && asked == 0, "nothing of a refused call is looked at");
}
