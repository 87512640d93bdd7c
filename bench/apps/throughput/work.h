/* SPDX-License-Identifier: Apache-2.0 */
#ifndef THROUGHPUT_WORK_H
#define THROUGHPUT_WORK_H

#include <stdbool.h>
#include <stddef.h>

/* One mechanism both ways; either function does it once and says whether it went well. */
struct work {
    const char *name;
    size_t bytes;  /* of input; 0: as many as the functions get, up to WORK_SIZE_MAX */
    bool is_short; /* of few bytes it takes so little time that looking at a clock would be seen */
    bool (*api)(size_t bytes);
    bool (*direct)(size_t bytes); /* NULL: the library does not support it */
};

#define WORK_COUNT 8
#define WORK_SIZE_MAX 1048576

/* Import the keys and fill in `works`. false: PSA Crypto refused something. */
bool work_prepare(struct work works[WORK_COUNT]);

#endif
