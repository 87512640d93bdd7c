/* SPDX-License-Identifier: Apache-2.0 */
/* The boot loader's part of firmware update (psa/update.h), in builds with CORRAL_UPDATE. */
#ifndef CORRAL_UPDATE_H
#define CORRAL_UPDATE_H

#include <psa/update.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An image in its slot. */
struct corral_update_image {
    uint32_t offset;         /* of its header, as corral_port_update_read() counts */
    uint32_t size;           /* of the code, which follows the header */
    uint16_t header_size;    /* of the header with its padding */
    uint16_t protected_size; /* of the signed data behind the code */
    psa_fwu_image_version_t version;
    uint32_t security_counter; /* of imgtool, 0 if it has none */
};

/*
 * Choose the image to start, and verify it. The boot loader calls this once after each reset, after
 * psa_crypto_init(), and before any function of psa/update.h. A staged image is put on trial, or
 * has FAILED if it cannot be verified. An image that was on trial or rejected is taken back. An
 * incomplete one is erased. Power may fail at any time: the next call finishes the work.
 *
 * A flash without a state, as the factory has it, starts slot 0 and erases slot 1.
 *
 * With CORRAL_UPDATE_COUNTER the board's counter is raised to that of the image, unless it is on
 * trial. Images with a lower one then do not start any more. The image starts also if the counter
 * cannot be raised, and the next reset tries again.
 *   image  written only on success
 *   PSA_ERROR_INVALID_SIGNATURE, PSA_ERROR_INVALID_ARGUMENT  the active image is damaged, or there
 *                                                            is none
 *   PSA_ERROR_NOT_PERMITTED        the security counter of the active image is too low
 *   PSA_ERROR_BAD_STATE            before psa_crypto_init()
 *   PSA_ERROR_INSUFFICIENT_MEMORY  no slot for the public key; a staged image stays STAGED
 *   PSA_ERROR_STORAGE_FAILURE      the flash fails, or the counter cannot be read
 */
psa_status_t corral_update_boot(struct corral_update_image *image);

/*
 * The same, and load the image: its code is copied to `memory`, and the copy is verified. The copy
 * is therefore the signed code, even if the flash changes meanwhile. The memory may have code that
 * was not verified, on failure, and behind the code on success.
 *
 * A staged image with more than `size` bytes of code has FAILED with PSA_ERROR_BUFFER_TOO_SMALL,
 * and the active one starts.
 *   memory  NULL: as corral_update_boot()
 *   PSA_ERROR_BUFFER_TOO_SMALL  the code of the active image has more than `size` bytes
 */
psa_status_t corral_update_boot_into(uint8_t *memory, size_t size,
                                     struct corral_update_image *image);

#ifdef __cplusplus
}
#endif

#endif
