/* SPDX-License-Identifier: Apache-2.0 */
/* psa/crypto.h of Corral, with the additional definitions of RIOT's own for its applications. */
#ifndef CORRAL_RIOT_PSA_CRYPTO_H
#define CORRAL_RIOT_PSA_CRYPTO_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_defines.h"

#include_next <psa/crypto.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PSA_BYTES_TO_BITS
#define PSA_BYTES_TO_BITS(bytes) ((bytes)*8)
#endif
#ifndef PSA_BITS_TO_BYTES
#define PSA_BITS_TO_BYTES(bits) ((size_t)(((bits) + 7) / 8))
#endif

/* The locations that RIOT's applications give to elements beside the first. */
#define PSA_KEY_LOCATION_SE_MIN ((psa_key_location_t)0x800000)
#define PSA_KEY_LOCATION_SE_MAX ((psa_key_location_t)0x8000ff)

/* Return the name of a status, such as "PSA_ERROR_BAD_STATE", or "unknown status". */
const char *psa_status_to_humanly_readable(psa_status_t status);

#ifdef __cplusplus
}
#endif

#if IS_USED(MODULE_PSA_SECURE_ELEMENT_ATECCX08A)
#include "custom_atca_params.h"
#endif

#endif
