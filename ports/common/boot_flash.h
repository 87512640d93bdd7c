/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flash for updates of a board that starts by a boot loader (HAS_BOOT_MEMORY). Unlike that of
 * flash_model.h it survives a reset and the run. A port defines these functions; those of the
 * flash follow corral/port.h.
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

/* Reset the board: the boot loader starts again. */
_Noreturn void boot_flash_reset(void);

#endif
