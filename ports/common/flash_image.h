/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flash whose content is that of flash_model.h, and a file of the host if there is one. A port
 * defines what opens and writes the file.
 */
#ifndef FLASH_IMAGE_H
#define FLASH_IMAGE_H

#include "flash_model.h"

/* Take the content from the file, or make the file, once. false: there is one, and it is no use. */
bool flash_image_open(void);

/* Returns true if the file exists. Called after flash_image_open(). */
bool flash_image_exists(void);

/* Bring `size` bytes at `offset` of the content to the file that there is. */
bool flash_image_write(uint32_t offset, size_t size);

#endif
