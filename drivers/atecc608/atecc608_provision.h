/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preparing a chip: the configuration zone for the slots that a board declares, and the two locks.
 * For provisioning programs; the driver itself never writes a configuration and never locks.
 *
 * Until the configuration zone is locked everything can be written again. Both locks are for ever:
 * no later version of anything undoes them.
 */
#ifndef ATECC608_PROVISION_H
#define ATECC608_PROVISION_H

#include "session.h"

/* The configuration zone of a chip as it is, and as the board wants it. */
struct atecc608_plan {
    uint8_t address; /* 7 bits: where the chip answers now */
    uint8_t serial[9];
    bool config_is_locked;
    bool data_is_locked;
    uint16_t declared; /* slots that the board declares */
    uint16_t unfit;    /* of these: unusable as configured now, or locked at another address */
    uint8_t present[ATECC608_CONFIG_SIZE];
    uint8_t planned[ATECC608_CONFIG_SIZE]; /* bytes that the plan does not concern are as present */
};

/*
 * Read the chip of `device` and make the plan. The chip is not changed.
 *   address  7 bits: where to look for it; a fresh chip answers at 0x60 whatever the board wants
 *   PSA_ERROR_COMMUNICATION_FAILURE  no chip answers there
 */
psa_status_t atecc608_plan(const struct atecc608_device *device, uint8_t address,
                           struct atecc608_plan *plan);

/* Whether the four bytes of this word of the zone (0 to 31) are to be written. */
bool atecc608_plan_changes(const struct atecc608_plan *plan, uint8_t word);

/*
 * Write what differs, the address last, and read it back. The chip then answers at the device's
 * address.
 *   PSA_ERROR_NOT_PERMITTED         the configuration zone is locked
 *   PSA_ERROR_CORRUPTION_DETECTED   it reads back differently
 */
psa_status_t atecc608_write_config(const struct atecc608_device *device,
                                   const struct atecc608_plan *plan);

/*
 * Lock the configuration zone and the data zone, each unless it is locked already. IRREVERSIBLE.
 * The chip itself compares the configuration with the plan (by its CRC) before it locks it.
 * Between the two a declared write key, corral_port_element_key(), is written into its slot.
 * It crosses the bus in clear: provision only on a bus without eavesdroppers. And the
 * chip generates the pairs of slots of kind identity.
 *   statuses of corral_port_element_key(): the data zone is not locked
 *   PSA_ERROR_NOT_PERMITTED  the chip's configuration is not the plan's; nothing was locked
 *   any other failure        one of the locks, or both, may be done: read again
 */
psa_status_t atecc608_lock(const struct atecc608_device *device, const struct atecc608_plan *plan);

#endif
