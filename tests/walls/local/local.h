/* SPDX-License-Identifier: Apache-2.0 */
/* Suites of the API on the client's side of a wall, but for tests that have to be local. */
#ifndef WALLS_LOCAL_H
#define WALLS_LOCAL_H

#include "../../harness/harness.h"

/*
 * test_initialise_and_run() without the tests that have to be in one program with the core; of each
 * of these a line `local NAME: reason`. Returns the exit status of the program, not 0 also for more
 * suites or tests than there is room for.
 */
int local_run(const struct test_suite *const *suites, size_t count);

#endif
