/* SPDX-License-Identifier: Apache-2.0 */
/* One token as a board declares it: a row of the generated table corral/devices.h. */
#ifndef PKCS11_DEVICE_H
#define PKCS11_DEVICE_H

#include <stdint.h>

#include <psa/crypto_types.h>

struct pkcs11_device {
    const char *module;          /* path of the module, or a name that dlopen() finds */
    const char *token;           /* the token's label */
    psa_key_location_t location; /* where its keys live */
    uint8_t index;               /* position in the table */
};

#endif
