/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual chips that a port reaches. They have no clock: time passes only by requests. */
#ifndef VIRTUAL_CHIPS_H
#define VIRTUAL_CHIPS_H

#include "../common/virtual_bus.h"

/*
 * Carry out one request by virtual_bus_exchange(), after those of other threads.
 *   PSA_ERROR_COMMUNICATION_FAILURE  as there, or there are no chips
 */
psa_status_t virtual_chips_ask(const struct virtual_bus_request *what, uint8_t *answer,
                               size_t answer_size);

/* Wait by the clock of the board or of the computer, where there are no chips. */
void virtual_chips_wait(uint32_t microseconds);

#endif
