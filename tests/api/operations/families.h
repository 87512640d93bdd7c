/* SPDX-License-Identifier: Apache-2.0 */
/* The families of operations in parts, and every function that works on one that was set up. */
#ifndef FAMILIES_H
#define FAMILIES_H

#include "../../harness/harness.h"

struct family {
    const char *name;
    void *operation;
    size_t size;
    psa_status_t (*setup)(void);
    psa_status_t (*abort)(void);
    /* Brings what was set up to an end that leaves the operation inactive. */
    psa_status_t (*complete)(void);
    /* Fails on an operation that was set up. */
    psa_status_t (*spoil)(void);
};

struct function {
    const char *name;
    const struct family *family;
    /* The arguments are right for an operation in a state that allows the call. */
    psa_status_t (*call)(void);
};

extern const struct family families[];
extern const size_t family_count;
extern const struct function functions[];
extern const size_t function_count;

/* Import the keys that the operations need, before anything else of this. */
void families_begin(void);

/* Whether no call has written to the room for outputs, since this was asked the last time. */
bool families_output_is_untouched(void);

#endif
