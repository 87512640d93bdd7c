/* SPDX-License-Identifier: Apache-2.0 */
#include "walk.h"

#include <string.h>

/* For an operation of any family, or for both sides of an exchange. */
#define OPERATION_ROOM 8192u
#define UNTOUCHED 0xa5
#define UNSAID 99u

struct walk_output walk_output;

/* How each state is entered: by which call, from which state; in so many calls. */
static struct {
    const struct walk_call *call;
    unsigned from;
    unsigned distance;
} ways[MACHINE_MOST_STATES];

static psa_status_t wanted_of(const struct walk *walk, unsigned state, const struct walk_call *call)
{
    return machine_status(walk->machine, state, call->call, call->wanted);
}

static unsigned after(const struct walk *walk, unsigned state, const struct walk_call *call)
{
    return machine_after(walk->machine, state, call->call, wanted_of(walk, state, call));
}

/* The operation as it came into the state that is looked at, and after a call there. */
static uint8_t copies[2][OPERATION_ROOM];
static unsigned copied_state;

static void copy(const struct walk *walk, unsigned which)
{
    REQUIRE(walk->copied <= sizeof copies[0]);
    memcpy(copies[which], walk->operation, walk->copied);
}

/* Find what one call more leads to. */
static void find_next(const struct walk *walk, unsigned state)
{
    for (size_t i = 0; i < walk->count; i++) {
        const unsigned to = after(walk, state, &walk->calls[i]);
        if (to != MACHINE_INACTIVE && ways[to].call == NULL) {
            ways[to].call = &walk->calls[i];
            ways[to].from = state;
            ways[to].distance = ways[state].distance + 1;
        }
    }
}

static void find_ways(const struct walk *walk)
{
    REQUIRE(walk->machine->states <= MACHINE_MOST_STATES);
    memset(ways, 0, sizeof ways);
    for (unsigned distance = 0; distance < walk->machine->states; distance++) {
        for (unsigned state = 0; state < walk->machine->states; state++) {
            if (ways[state].distance == distance &&
                (state == MACHINE_INACTIVE || ways[state].call != NULL)) {
                find_next(walk, state);
            }
        }
    }
}

static void check_empty(const struct walk *walk)
{
    CHECK(test_all(walk->operation, walk->size, 0));
}

/* Bring the operation into a state, from whatever state it is in. */
static void enter(const struct walk *walk, unsigned state)
{
    if (walk->copied != 0 && copied_state == state) {
        memcpy(walk->operation, copies[0], walk->copied);
        return;
    }
    NEED(walk->abort());
    check_empty(walk);
    for (unsigned step = 1; step <= ways[state].distance; step++) {
        unsigned next = state;
        while (ways[next].distance > step) {
            next = ways[next].from;
        }
        REQUIRE(ways[next].call->run() == wanted_of(walk, ways[next].from, ways[next].call));
    }
    copy(walk, 0);
    copied_state = state;
}

static void check_lengths(const struct walk *walk, const struct walk_call *call)
{
    const bool has_two = (walk->measured_twice >> call->call & 1) != 0;

    if (has_two || (walk->measured >> call->call & 1) != 0) {
        CHECK(walk_output.length == 0);
    }
    CHECK(walk_output.second == (has_two ? 0 : UNSAID));
}

/* Make a call in a state, and check all that is said of it. */
static void make(const struct walk *walk, unsigned state, const struct walk_call *call)
{
    static uint8_t before[OPERATION_ROOM];
    const psa_status_t wanted = wanted_of(walk, state, call);
    const unsigned to = after(walk, state, call);

    REQUIRE(walk->size <= sizeof before);
    memcpy(before, walk->operation, walk->size);
    memset(walk_output.bytes, UNTOUCHED, WALK_ROOM);
    walk_output.length = UNSAID;
    walk_output.second = UNSAID;
    EXPECT(wanted, call->run());
    if (wanted != PSA_SUCCESS) {
        check_lengths(walk, call);
        if (to == state && wanted != PSA_ERROR_INSUFFICIENT_DATA) {
            CHECK_BYTES(walk->operation, walk->size, before, walk->size);
        }
    } else if (to == MACHINE_INACTIVE) {
        check_empty(walk);
    }
    /* Of failures a driver has a part in signatures that are wrong; no other writes. */
    if (wanted != PSA_SUCCESS && wanted != PSA_ERROR_INVALID_SIGNATURE) {
        CHECK(test_all(walk_output.bytes, WALK_ROOM, UNTOUCHED));
    }
    /* It may hold a key, and other tests look for keys in memory. */
    memset(before, 0, sizeof before);
}

/* Whether the state after a call is the one in the table: by the calls that are possible there. */
static void follow(const struct walk *walk, unsigned state, const struct walk_call *call)
{
    const unsigned to = after(walk, state, call);

    enter(walk, state);
    (void)call->run();
    copy(walk, 1);
    for (size_t i = 0; i < walk->count; i++) {
        const struct walk_call *const second = &walk->calls[i];
        const bool is_in_place = machine_find(walk->machine, to, second->call) != NULL;

        if (second->wanted == PSA_ERROR_BAD_STATE) {
            continue; /* in its place or not */
        }
        if (walk->copied != 0) {
            memcpy(walk->operation, copies[1], walk->copied);
        } else {
            enter(walk, state);
            (void)call->run();
        }
        test_context(second->title, state);
        const psa_status_t status = second->run();
        if (is_in_place ? !CHECK(status != PSA_ERROR_BAD_STATE)
                        : !EXPECT(PSA_ERROR_BAD_STATE, status)) {
            test_context(call->title, state);
            CHECK(!"this was the call before");
        }
    }
}

/* Whether a call is tried in a state. */
static bool is_tried(const struct walk *walk, unsigned state, size_t call)
{
    return (walk->calls[call].not_in >> state & 1) == 0 &&
           (walk->stride == 0 || (state * walk->count + call) % walk->stride == 0);
}

void walk_through(const struct walk *walk)
{
    find_ways(walk);
    copied_state = UNSAID;
    for (unsigned state = 0; state < walk->machine->states; state++) {
        const bool is_absent = state != MACHINE_INACTIVE && ways[state].call == NULL;
        test_context("state", state);
        REQUIRE(is_absent == ((walk->absent >> state & 1) != 0));
        for (size_t i = 0; i < walk->count && !is_absent; i++) {
            if (!is_tried(walk, state, i)) {
                continue;
            }
            enter(walk, state);
            test_context(walk->calls[i].title, state);
            make(walk, state, &walk->calls[i]);
            if (walk->stride < 2) {
                follow(walk, state, &walk->calls[i]);
            }
        }
        if (!is_absent) {
            enter(walk, state);
            NEED(walk->abort());
            check_empty(walk);
        }
    }
    NEED(walk->abort());
    check_empty(walk);
    NEED(walk->abort());
    memset(copies, 0, sizeof copies);
    test_context(NULL, 0);
}
