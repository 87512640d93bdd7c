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

/* Let one input or output of a message be there. */
static inline void range_put(struct corral_wall_call *call, bool is_output, size_t number,
                             const struct range *range)
{
    if (is_output) {
        call->outputs[number].data = (void *)range->at;
        call->outputs[number].size = range->length;
    } else {
        call->inputs[number].data = (const void *)range->at;
        call->inputs[number].length = range->length;
    }
}

#endif
