/* SPDX-License-Identifier: Apache-2.0 */
/* The image in code memory, with the first values of its variables (sections.ld). */
#include "../common/code.h"

extern const uint8_t code_begin[], code_end[];

const uint8_t *program_code(size_t *size)
{
    *size = (size_t)((uintptr_t)code_end - (uintptr_t)code_begin);
    return code_begin;
}
