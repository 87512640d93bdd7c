/* SPDX-License-Identifier: Apache-2.0 */
#include "../client/client.h"
#include "nonsecure.h"

const struct range ranges[] = {
    {"secure memory", SECURE_RAM, 16},
    {"secure code", SECURE_CODE, 16},
    {"the entries", ENTRIES, 16},
    {"secure memory by its other address", SECURE_RAM_ALIAS, 16},
    {"secure code by its other address", SECURE_CODE_ALIAS, 16},
    {"across the first byte", RAM - 1, 16},
    {"across the last byte", RAM_END - 15, 16},
    {"behind", RAM_END, 1},
    {"words across the first byte", RAM - 4, 80},
    {"words across the last byte", RAM_END - 68, 72},
    {"across the first byte of code", CODE - 1, 2},
    {"across the last byte of code", CODE_END - 15, 16},
    {"registers of the processor", 0xe000ed00u, 16},
    {"a device", CONSOLE, 4},
    {"a secure device", 0x50201000u, 16},
    {"a secure device by its other address", 0x40201000u, 16},
    {"memory of the processor's system", 0x30000000u, 16},
    {"memory of the processor's system by its other address", 0x20000000u, 16},
    {"code memory behind the client's by its other address", 0x10400000u, 16},
    {"around the end of all addresses", UINTPTR_MAX - 7, 16},
    {"from inside around all addresses", RAM + 8, SIZE_MAX - 4},
    {"of all lengths", RAM, SIZE_MAX},
};

const size_t range_count = sizeof ranges / sizeof ranges[0];
const uintptr_t spare_memory = RAM_END - 0x40000u;
