/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether this memory is a copy. A page that the kernel gives to a new process as zeros tells that,
 * whichever call made the process: no handler has to run, and an identifier of a process that comes
 * round again does not deceive.
 */
#ifndef COPIES_H
#define COPIES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A mark, all zero before it is set. Its owner lets only one thread at a time use it. */
struct copy_mark {
    volatile uint32_t *page; /* 1, and 0 in a copy; null if there is no such page */
    bool is_looked_for;
    pid_t process; /* that has set it */
};

/* Mark this memory as the original. False: this system has no such pages. */
bool copy_mark_set(struct copy_mark *mark);

/*
 * Whether this memory has been marked and not copied since. Without such a page the
 * identifier of the process is compared, which a copy can have, too.
 */
bool copy_mark_holds(const struct copy_mark *mark);

#endif
