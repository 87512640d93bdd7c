/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counter of boards that have none. It is kept beside the storage that it guards,
 * and protects nothing: a product needs one that cannot be set back. It loses power
 * with the model of flash (flash_model.h), and advancing it counts as a step there.
 */
#ifndef COUNTER_MODEL_H
#define COUNTER_MODEL_H

#include <corral/port.h>

psa_status_t counter_model_read(uint32_t *value);

/* `value` must be one more than it is: everything else is refused. */
psa_status_t counter_model_advance(uint32_t value);

/* Take over a value that was kept, or that a test wants. */
void counter_model_set(uint32_t value);

#endif
