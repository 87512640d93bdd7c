/* SPDX-License-Identifier: Apache-2.0 */
#ifndef THROUGHPUT_WORK_H
#define THROUGHPUT_WORK_H

#include <stdbool.h>
#include <stddef.h>

/* One mechanism both ways; either function does it once and says whether it went well. */
struct work {
    const char *name;
    size_t bytes; /* of input */
    bool (*api)(void);
    bool (*direct)(void); /* NULL: the library does not serve it */
};

#define WORK_COUNT 5

/* Import the keys and fill in `works`. false: PSA Crypto refused something. */
bool work_prepare(struct work works[WORK_COUNT]);

#endif
