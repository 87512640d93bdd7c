/* SPDX-License-Identifier: Apache-2.0 */
/* Images in the format of MCUboot, as imgtool signs them by ECDSA on P-256. */
#ifndef CORRAL_UPDATE_IMAGE_H
#define CORRAL_UPDATE_IMAGE_H

#include <stdbool.h>

#include <corral/update.h>

/*
 * Read the header of the image in a slot, but not its security counter. Header, code and signed
 * data are in the slot then.
 *   PSA_ERROR_INVALID_ARGUMENT  there is no image, or one with flags that Corral does not know
 */
psa_status_t corral_image_read(unsigned slot, struct corral_update_image *image);

/*
 * Read the header, copy the code to `memory`, and verify the signature: it is that of the copy.
 * Without memory (NULL) nothing is copied.
 *   PSA_ERROR_INVALID_ARGUMENT   as above, or the data behind the code is damaged
 *   PSA_ERROR_NOT_PERMITTED      its security counter is too low
 *   PSA_ERROR_INVALID_SIGNATURE  the signature does not match, or there is none
 *   PSA_ERROR_BUFFER_TOO_SMALL   the code has more than `size` bytes; nothing was copied
 */
psa_status_t corral_image_load(unsigned slot, uint8_t *memory, size_t size,
                               struct corral_update_image *image);

/*
 * Load the image that is to replace that of slot `active`, as above.
 *   PSA_ERROR_NOT_PERMITTED  its version is lower, or its security counter too low
 */
psa_status_t corral_image_verify_candidate(unsigned active, uint8_t *memory, size_t size);

#endif
