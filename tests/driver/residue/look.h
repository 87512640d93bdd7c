/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between a test and the functions of the API, by the linker (--wrap). While a test is
 * watched, each call finds zeros on the free stack; words that are not zero there after
 * it are recorded. All this works on a stack of its own. Thumb only, one thread.
 */
#ifndef RESIDUE_LOOK_H
#define RESIDUE_LOOK_H

#include <stdint.h>

/* A function of the API, and where its calls end up. Read by the assembler. */
struct residue_function {
    const char *name;
    void (*real)(void);
};

/* Generated, in the order of the wrappers. */
extern const struct residue_function residue_functions[];

#endif
