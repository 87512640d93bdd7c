/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_WALL_RANGE_H
#define TEST_WALL_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../wall/call.h"

/* Memory of which some or all is not the client's. */
struct range {
    const char *title;
    uintptr_t at;
    size_t length;
};

/* Let a buffer of a message be there: one of its `inputs`, or of the outputs behind them. */
static inline void range_put(struct corral_wall_call *call, size_t inputs, size_t number,
                             const struct range *range)
{
    if (number >= inputs) {
        call->outputs[number - inputs].data = (void *)range->at;
        call->outputs[number - inputs].size = range->length;
    } else {
        call->inputs[number].data = (const void *)range->at;
        call->inputs[number].length = range->length;
    }
}

#endif
