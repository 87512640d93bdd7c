/* SPDX-License-Identifier: Apache-2.0 */
/* One TPM as a board declares it: a row of the generated table corral/devices.h. */
#ifndef TPM2_DEVICE_H
#define TPM2_DEVICE_H

#include <stdint.h>

#include <psa/crypto_types.h>

struct tpm2_device {
    const char *tcti;            /* how tpm2-tss reaches it; "$NAME": as this variable says */
    psa_key_location_t location; /* where its keys live */
    uint8_t index;               /* position in the table */
};

#endif
