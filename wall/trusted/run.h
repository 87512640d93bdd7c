/* SPDX-License-Identifier: Apache-2.0 */
/* The code generated for the trusted side, and its dependencies. */
#ifndef CORRAL_WALL_TRUSTED_RUN_H
#define CORRAL_WALL_TRUSTED_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/driver.h>
#include <psa/crypto_types.h>

#include "../call.h"

/* Of a shape, for an output that needs all the room that the client offers, because the function
 * fills it, or gives as much as there is room for. */
#define CORRAL_WALL_WHOLE(at) (1u << (at))

/* How many inputs and outputs a function has, and of which outputs the above holds: in one byte,
 * which each call looks up once. */
struct corral_wall_shape {
    uint8_t is_short : 1; /* CORRAL_WALL_SHORT_WORDS, one input and one output, or less */
    uint8_t inputs : 2;
    uint8_t outputs : 2;
    uint8_t flags : 2;
};
_Static_assert(CORRAL_WALL_INPUTS < 4 && CORRAL_WALL_OUTPUTS <= 2, "a shape has room");

extern const struct corral_wall_shape corral_wall_shapes[CORRAL_WALL_FUNCTIONS];

/* Call the function of a message, whose buffers are in the wall's own memory. */
psa_status_t corral_wall_run(struct corral_wall_call *call);

/* A structure from an input. False: the input has another length. */
static inline bool corral_wall_take(const struct corral_wall_input *input, void *structure,
                                    size_t size)
{
    if (input->length != size) {
        return false;
    }
    corral_copy(structure, input->data, size);
    return true;
}

/* An empty structure for an output. False: the output has another size. */
static inline bool corral_wall_take_room(const struct corral_wall_output *output, void *structure,
                                         size_t size)
{
    if (output->size != size) {
        return false;
    }
    corral_wipe(structure, size);
    return true;
}

static inline void corral_wall_give(const struct corral_wall_output *output, const void *structure,
                                    size_t size)
{
    corral_copy(output->data, structure, size);
}

#endif
