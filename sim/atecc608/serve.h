/* SPDX-License-Identifier: Apache-2.0 */
/* The chips of one process, as requests reach them. */
#ifndef ATECC608_SIM_SERVE_H
#define ATECC608_SIM_SERVE_H

#include "atecc608_sim.h"

enum { SERVED_BUSES = 256, SERVED_CHIPS = 32 };

struct served_chip {
    uint8_t bus;
    struct atecc608_sim_chip *chip;
};

struct served {
    struct atecc608_sim_bus *buses[SERVED_BUSES]; /* NULL where no chip is */
    struct served_chip chips[SERVED_CHIPS];
    size_t chip_count;
};

/* Callbacks for sim/common/server.h; `chips` is a struct served. */
uint8_t served_write(void *chips, uint8_t bus, uint8_t address, const uint8_t *data, size_t length);
uint8_t served_read(void *chips, uint8_t bus, uint8_t address, uint8_t *data, size_t length);
void served_delay(void *chips, uint32_t microseconds);
uint8_t served_control(void *chips, uint8_t bus, uint8_t address, const char *text, char *answer,
                       size_t room);

#endif
