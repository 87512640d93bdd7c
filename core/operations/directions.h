/* SPDX-License-Identifier: Apache-2.0 */
/* In which directions the build encrypts messages that come in parts. */
#ifndef CORRAL_CORE_OPERATIONS_DIRECTIONS_H
#define CORRAL_CORE_OPERATIONS_DIRECTIONS_H

#include <stdbool.h>

#include <corral/config.h>

/*
 * Whether an operation in parts may encrypt, or decrypt. Where the build lacks a direction this is
 * constant for it, so that the compiler leaves its setup out, and the linker what that leads to.
 */
static inline bool corral_has_direction(bool is_encrypt)
{
    return is_encrypt ? CORRAL_ENCRYPT_IN_PARTS : CORRAL_DECRYPT_IN_PARTS;
}

#endif
