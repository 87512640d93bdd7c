/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firmware update (PSA Firmware Update API 1.0): store a new image beside the active one, verify
 * it, run it on trial, and keep it or return to the old one.
 *
 * Corral has one component, 0, with two slots. Images are those of imgtool for MCUboot, signed by
 * ECDSA on P-256. corral/update.h has the function that the boot loader calls, and docs/UPDATE.md
 * the states. The functions are there in builds with CORRAL_UPDATE. Those that verify need
 * psa_crypto_init(). One task at a time calls them.
 *
 * Every function returns PSA_ERROR_STORAGE_FAILURE if the flash fails. The specification lists
 * more statuses. Corral returns these only if the comment of the function names them:
 * PSA_ERROR_NOT_PERMITTED, PSA_ERROR_NOT_SUPPORTED, PSA_ERROR_INVALID_ARGUMENT,
 * PSA_ERROR_INVALID_SIGNATURE, PSA_ERROR_INSUFFICIENT_MEMORY, PSA_ERROR_INSUFFICIENT_STORAGE,
 * PSA_ERROR_INSUFFICIENT_POWER, PSA_ERROR_COMMUNICATION_FAILURE, PSA_ERROR_FLASH_ABUSE,
 * PSA_ERROR_DEPENDENCY_NEEDED.
 */
#ifndef PSA_UPDATE_H
#define PSA_UPDATE_H

#include <stddef.h>
#include <stdint.h>

#include <psa/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the interface. */
#define PSA_FWU_API_VERSION_MAJOR 1
#define PSA_FWU_API_VERSION_MINOR 0

/* The flash may not be written now because it would wear out. Corral never returns it. */
#define PSA_ERROR_FLASH_ABUSE CORRAL_CAST(psa_status_t, -160)

/* Not enough power for the flash. Corral never returns it. */
#define PSA_ERROR_INSUFFICIENT_POWER CORRAL_CAST(psa_status_t, -161)

/* Number of a component; 0 is the only one. */
typedef uint8_t psa_fwu_component_t;

/* Version of an image. The order is that of the members. */
typedef struct psa_fwu_image_version_t {
    uint8_t major;
    uint8_t minor;
    uint16_t patch;
    uint32_t build;
} psa_fwu_image_version_t;

/* The second slot is erased. */
#define PSA_FWU_READY 0u
/* An image is being written. A reset discards it, if the flash can be erased. */
#define PSA_FWU_WRITING 1u
/* The image was verified. It survives a reset. */
#define PSA_FWU_CANDIDATE 2u
/* The boot loader installs the image at the next reset. */
#define PSA_FWU_STAGED 3u
/* The update failed or was abandoned; psa_fwu_clean() erases the image. */
#define PSA_FWU_FAILED 4u
/* The new image runs. A reset before psa_fwu_accept() returns to the old one. */
#define PSA_FWU_TRIAL 5u
/* The new image was rejected. The next reset returns to the old one. */
#define PSA_FWU_REJECTED 6u
/* The new image was accepted; psa_fwu_clean() erases the old one. */
#define PSA_FWU_UPDATED 7u

/* Images are discarded by a reset. Corral never sets it. */
#define PSA_FWU_FLAG_VOLATILE_STAGING 0x00000001u
/* Images must be encrypted. Corral never sets it. */
#define PSA_FWU_FLAG_ENCRYPTION 0x00000002u

/* Nothing of this implementation. C does not permit a structure without members. */
typedef struct psa_fwu_impl_info_t {
    uint8_t unused;
} psa_fwu_impl_info_t;

/* A component. */
typedef struct psa_fwu_component_info_t {
    uint8_t state;                   /* one of the states above */
    psa_status_t error;              /* why the second image was REJECTED or has FAILED */
    psa_fwu_image_version_t version; /* of the active image; zeros if its slot has none */
    uint32_t max_size;               /* of an image, in bytes */
    uint32_t flags;
    uint32_t location; /* slot of the active image, 0 or 1 */
    psa_fwu_impl_info_t impl;
} psa_fwu_component_info_t;

/*
 * Report state, active version and limits of a component.
 *   info  written only on success
 *   PSA_ERROR_DOES_NOT_EXIST  there is no such component
 */
psa_status_t psa_fwu_query(psa_fwu_component_t component, psa_fwu_component_info_t *info);

/*
 * Begin an update. READY becomes WRITING.
 *   manifest  NULL, with size 0: an image contains its manifest
 *   PSA_ERROR_DOES_NOT_EXIST    there is no such component
 *   PSA_ERROR_BAD_STATE         it is not READY
 *   PSA_ERROR_INVALID_ARGUMENT  there is a manifest
 */
psa_status_t psa_fwu_start(psa_fwu_component_t component, const void *manifest,
                           size_t manifest_size);

/* Offsets of blocks are multiples of 32 bytes: no flash of Corral's ports has larger units. */
#define PSA_FWU_LOG2_WRITE_ALIGN 5u

/* Bytes of the largest block. */
#define PSA_FWU_MAX_WRITE_SIZE 4096u

/*
 * Write a block of the image, in any order.
 *   block_size  a block that does not end at a multiple of 32 bytes is padded with 0xff
 *   PSA_ERROR_DOES_NOT_EXIST    there is no such component
 *   PSA_ERROR_BAD_STATE         it is not WRITING
 *   PSA_ERROR_INVALID_ARGUMENT  an offset that is not a multiple of 32, an empty block, more than
 *                               PSA_FWU_MAX_WRITE_SIZE bytes, or a block beyond the slot
 *   PSA_ERROR_STORAGE_FAILURE   also: other data was written there before. The same data may be
 *                               written again.
 * After a failure a part of the block may have been written. If it cannot be completed, cancel the
 * update and clean.
 */
psa_status_t psa_fwu_write(psa_fwu_component_t component, size_t image_offset, const void *block,
                           size_t block_size);

/*
 * Verify the image. WRITING becomes CANDIDATE, or FAILED if a status of the list rejects the image.
 *   PSA_ERROR_INVALID_SIGNATURE  the signature does not match, or there is none
 *   PSA_ERROR_INVALID_ARGUMENT   not an image, or one with flags that Corral does not know
 *   PSA_ERROR_NOT_PERMITTED      older than the active image
 * The state stays after all others:
 *   PSA_ERROR_DOES_NOT_EXIST       there is no such component
 *   PSA_ERROR_BAD_STATE            it is not WRITING, or before psa_crypto_init()
 *   PSA_ERROR_INSUFFICIENT_MEMORY  no slot for the public key
 */
psa_status_t psa_fwu_finish(psa_fwu_component_t component);

/*
 * Abandon an update. WRITING and CANDIDATE become FAILED, with error 0.
 *   PSA_ERROR_DOES_NOT_EXIST  there is no such component
 *   PSA_ERROR_BAD_STATE       it is in another state
 */
psa_status_t psa_fwu_cancel(psa_fwu_component_t component);

/*
 * Erase the second slot. FAILED and UPDATED become READY.
 *   PSA_ERROR_DOES_NOT_EXIST  there is no such component
 *   PSA_ERROR_BAD_STATE       it is in another state
 */
psa_status_t psa_fwu_clean(psa_fwu_component_t component);

/*
 * Install the candidate. CANDIDATE becomes STAGED; the boot loader verifies the image again.
 *   PSA_SUCCESS_REBOOT   done; the next reset starts the new image
 *   PSA_ERROR_BAD_STATE  there is no candidate
 */
psa_status_t psa_fwu_install(void);

/*
 * Reset the device. The function may return before that.
 *   PSA_ERROR_NOT_SUPPORTED  the port cannot do it
 */
psa_status_t psa_fwu_request_reboot(void);

/*
 * Abandon an installation.
 *   error  what psa_fwu_query() reports as the reason; 0 for none
 *   PSA_SUCCESS          STAGED became FAILED
 *   PSA_SUCCESS_REBOOT   TRIAL became REJECTED; the next reset returns to the old image
 *   PSA_ERROR_BAD_STATE  it is in another state
 */
psa_status_t psa_fwu_reject(psa_status_t error);

/*
 * Keep the new image. TRIAL becomes UPDATED.
 *   PSA_ERROR_BAD_STATE  no image is on trial
 */
psa_status_t psa_fwu_accept(void);

#ifdef __cplusplus
}
#endif

#endif
