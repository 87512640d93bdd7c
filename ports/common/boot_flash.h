/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flash and counter for updates of a board that starts by a boot loader (HAS_BOOT_MEMORY). Unlike
 * those of the models they survive a reset and the run. A port defines these functions, which
 * follow corral/port.h.
 */
#ifndef BOOT_FLASH_H
#define BOOT_FLASH_H

#include <corral/port.h>

/* Whether this run has such flash. */
bool boot_flash_exists(void);

const struct corral_flash_geometry *boot_flash_geometry(void);
psa_status_t boot_flash_read(uint32_t offset, uint8_t *data, size_t size);
psa_status_t boot_flash_write(uint32_t offset, const uint8_t *data, size_t size);
psa_status_t boot_flash_erase(uint16_t page);

/* The security counter (corral/port.h). */
psa_status_t boot_counter_read(uint32_t *value);
psa_status_t boot_counter_raise(uint32_t value);

/* Reset the board: the boot loader starts again. */
_Noreturn void boot_flash_reset(void);

#endif
