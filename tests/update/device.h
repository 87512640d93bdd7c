/* SPDX-License-Identifier: Apache-2.0 */
/* A device whose flash is the model's: its images, resets and states. */
#ifndef TESTS_UPDATE_DEVICE_H
#define TESTS_UPDATE_DEVICE_H

#include <corral/update.h>

#include "../../ports/common/flash_model.h"
#include "../harness/harness.h"

struct image {
    const uint8_t *bytes;
    size_t size;
};

extern const struct image image_first, image_newer, image_older, image_lower, image_forged,
    image_brief, image_counted, image_counted_twice, image_counted_in_three_bytes,
    image_beyond_its_area, image_with_half_an_entry;

#define IMAGE_MAX_SIZE 320u
#define VERSION_FIRST 2u
#define VERSION_NEWER 3u
#define COUNTER_NEWER 7u

/* Fresh flash with image_first in slot 0, after the first reset. */
void device_make(const struct corral_flash_geometry *geometry);
/* The same with small pages, in units of 8 bytes. */
void device_make_any(void);
/* Write an image directly into a slot, as a programmer does. */
void device_program(unsigned slot, const struct image *image);
/* Change one byte of a slot. */
void device_change(unsigned slot, size_t at, uint8_t bits);
/* The content of a slot. */
uint8_t *device_slot(unsigned slot);

/* Run the boot loader, and return its status. A planned cut of power stays planned. */
psa_status_t device_boot(void);
/* The same when power is back. */
psa_status_t device_reset(void);
/* The minor version of the active image, or 0 if it does not start. */
unsigned device_version(void);
/* The lowest security counter that an image must have. */
uint32_t device_counter(void);
uint8_t device_state(void);
psa_status_t device_error(void);

/* Write a whole image in blocks. */
psa_status_t device_write(const struct image *image);
/* From READY to that state, with image_newer; each call must succeed. */
void device_reach(uint8_t state);

#endif
