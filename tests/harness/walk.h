/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks through all states of an operation in parts: each is entered by the shortest way, and there
 * each call is made with each of its arguments; then every call after that one.
 */
#ifndef TEST_WALK_H
#define TEST_WALK_H

#include "harness.h"
#include "machines/machine.h"

/* Where the calls of a walk write. */
#define WALK_ROOM 256u
extern struct walk_output {
    size_t length;
    size_t second; /* for calls with two outputs */
    uint8_t bytes[WALK_ROOM];
} walk_output;

/* The output buffer, and the length of the output. */
#define WALK_OUT walk_output.bytes, WALK_ROOM, &walk_output.length

struct walk_call {
    unsigned call;       /* of the machine */
    psa_status_t wanted; /* where the call is in its place */
    const char *title;
    psa_status_t (*run)(void);
    uint64_t not_in; /* states in which it is not what the table says, and not made */
};

/* A row of a table of calls, made by a function without arguments. */
#define WALK_CALL(call, wanted, run)                                                               \
    {                                                                                              \
        call, wanted, #run, run, 0                                                                 \
    }

struct walk {
    const struct machine *machine;
    void *operation;
    size_t size;
    psa_status_t (*abort)(void);
    const struct walk_call *calls;
    size_t count;
    /* Calls that say the length of an output, and those that say two: 0 where they fail. */
    uint64_t measured;
    uint64_t measured_twice;
    /* States that these calls do not lead to. */
    uint64_t absent;
    /* Bytes from the operation on that can be copied with all that its calls work with: then no way
     * is gone twice. 0: they cannot. */
    size_t copied;
    /* More than 1: of the calls in all states each one after so many is made, and none after it. */
    unsigned stride;
};

/* A walk with all of a table of calls. */
#define WALK(of_machine, of_operation, by_abort, of_calls, ...)                                    \
    {                                                                                              \
        .machine = &(of_machine), .operation = &(of_operation), .size = sizeof(of_operation),      \
        .abort = (by_abort), .calls = (of_calls),                                                  \
        .count = sizeof(of_calls) / sizeof((of_calls)[0]), __VA_ARGS__                             \
    }

/*
 * Take a walk; the operation has all bytes zero, and afterwards it is inactive. All
 * statements about a call are checked: its status; that a call out of its place changes
 * neither an operation that is not active nor an output; and that an operation that ends,
 * or is aborted, has all bytes zero. All states but the absent ones must be entered.
 */
void walk_through(const struct walk *walk);

#endif
