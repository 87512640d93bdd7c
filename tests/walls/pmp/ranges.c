/* SPDX-License-Identifier: Apache-2.0 */
#include "../client/client.h"
#include "user.h"

const struct range ranges[] = {
    {"trusted memory", TRUSTED_RAM, 16},
    {"trusted code", TRUSTED_CODE, 16},
    {"the trusted stack", CODE - 32, 16},
    {"across the first byte of code", CODE - 1, 2},
    {"across code and memory", RAM - 8, 16},
    {"across the last byte", RAM_END - 15, 16},
    {"behind", RAM_END, 1},
    {"words across the first byte", CODE - 4, 80},
    {"words across the last byte", RAM_END - 68, 72},
    {"code of the machine", BOOT_CODE, 16},
    {"a device", CONSOLE, 4},
    {"a trusted device", ENTROPY, 16},
    {"the device that ends the machine", SWITCH, 4},
    {"the timer", LOCAL_INTERRUPTS, 16},
    {"flash", FLASH, 16},
    {"the first addresses", 0, 16},
    {"around the end of all addresses", UINTPTR_MAX - 7, 16},
    {"from inside around all addresses", RAM + 8, SIZE_MAX - 4},
    {"from code around all addresses", CODE + 8, SIZE_MAX - 4},
    {"of all lengths", RAM, SIZE_MAX},
};

const size_t range_count = sizeof ranges / sizeof ranges[0];
const uintptr_t spare_memory = RAM_END - 0x40000u;
