/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CODE_H
#define CODE_H

#include <stddef.h>
#include <stdint.h>

/* This program's code, and its size in bytes: of a wall's trusted side what it is made of. */
const uint8_t *program_code(size_t *size);

#endif
