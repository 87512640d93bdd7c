/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model of flash in memory: pages that are erased whole, units that are written once, power that
 * fails at a chosen step. Ports of virtual boards answer corral_port_flash_*() from it; a real port
 * has no use for it.
 *
 * A step is the programming of one unit or the erasing of one page. Rules that a caller breaks
 * (writing what is not erased, odd sizes, beyond the end) are counted, and the call fails.
 */
#ifndef FLASH_MODEL_H
#define FLASH_MODEL_H

#include <corral/port.h>

/* Less where an object cannot be that large. */
#define FLASH_MODEL_MAX_SIZE (SIZE_MAX > 65535u ? 65536u : 4096u)
#define FLASH_MODEL_MAX_PAGES 64u

/* The flash after a step that a power failure interrupted. */
enum flash_model_tear {
    FLASH_MODEL_NOTHING, /* as it was before */
    FLASH_MODEL_HALF,    /* the first half of the unit, or of the page */
    FLASH_MODEL_BITS,    /* some of the bits that should change, all over it */
    FLASH_MODEL_TEARS    /* how many kinds there are */
};

/* Flash of this geometry, erased; steps, wear and violations counted from 0, no cut planned. */
void flash_model_reset(const struct corral_flash_geometry *geometry);

/* The geometry in use; before any reset 8 pages of 4096 bytes, units of 4 that can be cleared. */
const struct corral_flash_geometry *flash_model_geometry(void);

/*
 * Pages behind those of the geometry, for another user of the flash; a reset takes them away.
 * Returns the number of the first one.
 */
uint16_t flash_model_extend(uint16_t pages);

/* The content, with further pages at its end. Changing it is damage that no power cut does. */
uint8_t *flash_model_content(void);

psa_status_t flash_model_read(uint32_t offset, uint8_t *data, size_t size);
psa_status_t flash_model_write(uint32_t offset, const uint8_t *data, size_t size);
psa_status_t flash_model_erase(uint16_t page);

/* Let power fail during step number `step`, counted from now on: 1 is the next one. */
void flash_model_cut(uint32_t step, enum flash_model_tear tear);

/* Let read number `read` fail, counted from now on: 1 is the next one. A reset takes it back. */
void flash_model_fail_read(uint32_t read);

/*
 * Change what read number `read` returns, counted as above, and not the flash: so does an attacker
 * on the wires of a chip. `bits` has no fewer bytes than that read. A reset takes it back.
 */
void flash_model_disturb_read(uint32_t read, const uint8_t *bits);

/* Let each erase of a page fail, other than page 0. A reset takes it back. */
void flash_model_wear_out(uint16_t page);

/* Returns true with power, for other memory that loses it together with the flash. */
bool flash_model_is_on(void);

/*
 * A step of something else that loses power together with the flash.
 * Returns FLASH_MODEL_TEARS when it is done; otherwise how power failed during it.
 */
enum flash_model_tear flash_model_step(void);

/* Set a number in such memory, as a step: if power fails during it, it may be set or not. */
psa_status_t flash_model_set(uint32_t *number, uint32_t value);

/* Power is back; false: it has never been away. No cut is planned any more. */
bool flash_model_power_on(void);

/* Steps since the last reset or call of flash_model_cut(), and reads since the last reset. */
uint32_t flash_model_steps(void);
uint32_t flash_model_reads(void);
/* Calls that broke a rule, and how often a page was erased. */
uint32_t flash_model_violations(void);
uint32_t flash_model_wear(uint16_t page);

#endif
