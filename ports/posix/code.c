/* SPDX-License-Identifier: Apache-2.0 */
/* The program's code, wherever the system has loaded it: the linker's own names for its ends. */
#include "../common/code.h"

extern const uint8_t __executable_start[], etext[];

const uint8_t *program_code(size_t *size)
{
    *size = (size_t)((uintptr_t)etext - (uintptr_t)__executable_start);
    return __executable_start;
}
