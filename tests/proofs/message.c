/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handling of one whole message by wall/trusted/serve.c, for any content and any shape of
 * its function: the calls of the transport and of the function, and their order. Both are
 * played here. The content of buffers is not checked; crossing.c has claims about it.
 */
#include "../../wall/trusted/serve.c"
#include "proof.h"

struct corral_wall_call *nondet_message(void);
struct corral_wall_call nondet_call(void);

const struct corral_wall_shape corral_wall_shapes[CORRAL_WALL_FUNCTIONS];
corral_owner_t corral_owner;

/* The caller, and the message: its place, and its content when it was copied. */
static corral_owner_t client;
static struct corral_wall_call *message;
static struct corral_wall_call said;
static struct corral_wall_shape shape;
static bool is_short;

/* The progress of the call, and the used part of the wall's memory, which is wiped so far. */
static enum { BEGUN, FETCHED, RUN, REPLIED } stage;
static size_t inputs; /* looked at, in their order: copied, or empty */
static size_t asked;  /* of outputs: asked about, or empty */
static size_t given;  /* of outputs: delivered, or of no length */
static bool is_refused;
static bool has_succeeded; /* the function */
static struct corral_wall_output rooms[CORRAL_WALL_OUTPUTS];
static size_t delivered[CORRAL_WALL_OUTPUTS];
static size_t used;
/* Of that since it was used last: from the beginning on, and whether anything. */
static size_t wiped;
static bool is_any_wiped;

static size_t end_of(const void *begin, size_t size)
{
    CLAIM(__CPROVER_same_object(begin, memory) && __CPROVER_w_ok(begin, size),
          "what a call has is in the wall's memory, all of it");
    return (size_t)((const uint8_t *)begin - memory) + size;
}

void corral_wipe(void *buffer, size_t size)
{
    const size_t end = size > 0 ? end_of(buffer, size) : 0;

    wiped = buffer == memory && end > wiped ? end : wiped;
    is_any_wiped = is_any_wiped || size > 0;
}

/* Now the wall's memory has something as far as that. */
static void use(size_t end)
{
    used = end;
    wiped = 0;
    is_any_wiped = false;
}

bool corral_wall_fetch_call(corral_owner_t who, struct corral_wall_call *to,
                            const struct corral_wall_call *from)
{
    CLAIM(stage == BEGUN && who == client && from == message, "the message is copied first, once");
    CLAIM(is_busy, "no other call is let in meanwhile");
    stage = FETCHED;
    said = nondet_call();
    *to = said;
    if (said.function < CORRAL_WALL_FUNCTIONS) {
        GIVEN(corral_wall_shapes[said.function].inputs <= CORRAL_WALL_INPUTS &&
              corral_wall_shapes[said.function].outputs <= CORRAL_WALL_OUTPUTS);
        shape = corral_wall_shapes[said.function];
        GIVEN((shape.is_short != 0) == is_short);
        GIVEN(!is_short || (shape.inputs <= 1 && shape.outputs <= 1));
    }
    is_refused = nondet_bool();
    return !is_refused;
}

/* The next input or output that is not empty. */
static size_t next_input(size_t at)
{
    while (at < shape.inputs && said.inputs[at].length == 0) {
        at++;
    }
    return at;
}

static size_t next_output(size_t at)
{
    while (at < shape.outputs && said.outputs[at].size == 0) {
        at++;
    }
    return at;
}

bool corral_wall_fetch(corral_owner_t who, void *to, const void *from, size_t length)
{
    inputs = next_input(inputs);
    CLAIM(stage == FETCHED && asked == 0 && !is_refused, "inputs are copied before all else");
    CLAIM(inputs < shape.inputs && who == client && from == said.inputs[inputs].data &&
              length == said.inputs[inputs].length,
          "each input is copied as the message said, in their order, once");
    CLAIM((const uint8_t *)to == memory + used, "copies are one behind the other");
    const size_t end = end_of(to, length);
    inputs++;
    is_refused = nondet_bool();
    use(is_refused ? used : end);
    return !is_refused;
}

bool corral_wall_accepts(corral_owner_t who, const void *to, size_t length)
{
    asked = next_output(asked);
    CLAIM(stage == FETCHED && !is_refused && next_input(inputs) == shape.inputs,
          "room is made when all inputs are copied");
    CLAIM(asked < shape.outputs && who == client && to == said.outputs[asked].data &&
              length == said.outputs[asked].size,
          "each output is asked about as the message said, once");
    asked++;
    is_refused = nondet_bool();
    return !is_refused;
}

psa_status_t corral_wall_run(struct corral_wall_call *call)
{
    CLAIM(stage == FETCHED && !is_refused, "the function is called once, if nothing was refused");
    CLAIM(next_input(inputs) == shape.inputs && next_output(asked) == shape.outputs,
          "it is called when all inputs are copied and all outputs asked about");
    CLAIM(corral_owner == client && is_busy, "it is called as the client");
    CLAIM(call->function == said.function, "it is the function of the message");
    stage = RUN;
    size_t end = 0;
    for (size_t i = 0; i < shape.inputs; i++) {
        const struct corral_wall_input *const input = &call->inputs[i];
        CLAIM((const uint8_t *)input->data == memory + end &&
                  input->length == said.inputs[i].length,
              "the function has the copies, and none has anything of another");
        end = end_of(input->data, input->length);
    }
    for (size_t i = 0; i < shape.outputs; i++) {
        const struct corral_wall_output *const output = &call->outputs[i];
        CLAIM((const uint8_t *)output->data == memory + end && output->size <= said.outputs[i].size,
              "room is behind what was there, and no more than the client offers");
        end = end_of(output->data, output->size);
        rooms[i] = *output;
    }
    use(end);
    for (size_t i = 0; i < CORRAL_WALL_OUTPUTS; i++) {
        call->reply.lengths[i] = nondet_size();
    }
    const psa_status_t status = nondet_status();
    has_succeeded = status == PSA_SUCCESS;
    return status;
}

bool corral_wall_deliver(corral_owner_t who, void *to, const void *from, size_t length)
{
    CLAIM(stage == RUN && corral_owner == 0, "nothing is written before the function has returned");
    CLAIM(!is_refused, "nothing is written after what was refused");
    CLAIM(!has_succeeded || !is_any_wiped, "what is written of a success is not wiped yet");
    while (given < shape.outputs && (rooms[given].size == 0 || rooms[given].data != from)) {
        given++;
    }
    CLAIM(given < shape.outputs && who == client && to == said.outputs[given].data &&
              length <= rooms[given].size,
          "what is written is an output of the message, in their order, and no longer");
    CLAIM(end_of(from, length) <= used, "what is written comes from what this call used");
    is_refused = nondet_bool();
    delivered[given] = is_refused ? 0 : length;
    given++;
    return !is_refused;
}

bool corral_wall_deliver_reply(corral_owner_t who, struct corral_wall_call *to,
                               const struct corral_wall_reply *from, bool as_short)
{
    CLAIM((stage == FETCHED || stage == RUN) && who == client && to == message,
          "the reply is written last, into the message, once");
    CLAIM(is_busy && corral_owner == 0, "the reply is written before another call is let in");
    CLAIM(as_short == is_short, "a message is as short as its shape");
    for (size_t i = 0; i < shape.outputs; i++) {
        CLAIM(from->lengths[i] <= (stage == RUN && !is_refused ? said.outputs[i].size : 0),
              "no length is more than what the client offers, or is of what was refused");
        CLAIM(from->lengths[i] == 0 || from->lengths[i] == delivered[i],
              "an output with a length was delivered, as long as that");
    }
    CLAIM(wiped >= used, "what a call used is wiped before its reply");
    stage = REPLIED;
    return nondet_bool();
}

static void serve_any(bool short_one)
{
    is_short = short_one;
    __CPROVER_havoc_object((void *)corral_wall_shapes);
    client = nondet_uint32();
    message = nondet_message();
    GIVEN(client != 0);
    const psa_status_t status = corral_wall_serve(client, message);

    CLAIM(!is_busy && corral_owner == 0,
          "each way out lets the next call in, and nobody is at work");
    CLAIM(stage == REPLIED || (stage == FETCHED && status == PSA_ERROR_INVALID_ARGUMENT &&
                               (is_refused || said.function >= CORRAL_WALL_FUNCTIONS)),
          "what was copied, and has a function, has a reply");
    CLAIM(wiped >= used, "what a call used is wiped");
}

void prove_short(void)
{
    serve_any(true);
}

void prove_long(void)
{
    serve_any(false);
}
