/* SPDX-License-Identifier: Apache-2.0 */
/* The families of operations in parts, and every function that works on one that was set up. */
#ifndef FAMILIES_H
#define FAMILIES_H

#include "../../harness/keyed.h"

enum family_number { HASH, XOF, MAC, CIPHER, AEAD, SIGN, VERIFY, DERIVATION, PAKE, FAMILIES };

/* Calls are named here: for families_do(). */
struct family {
    const char *name;
    void *operation;
    size_t size;
    const char *setup;
    const char *abort;
    /* Bring what was set up to an end that leaves the operation inactive. */
    const char *complete[4];
    /* Fails on an operation that was set up. */
    const char *spoil;
};

struct function {
    const char *name;
    enum family_number family;
};

extern const struct family families[FAMILIES];
extern const struct function functions[];
extern const size_t function_count;

/* Import the keys that the operations need, before anything else of this. */
void families_begin(void);

/* The key that operations of a family are set up with. */
psa_key_id_t families_key(enum family_number family);

/* A call with the family's key, in keyed.out; its arguments are right for an operation in a state
 * that allows it. */
psa_status_t families_do(const struct family *family, const char *call);

/* Whether no call has written to the room for outputs, since this was asked the last time. */
bool families_output_is_untouched(void);

#endif
