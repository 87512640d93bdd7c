/* SPDX-License-Identifier: Apache-2.0 */
/* A boot loader's part for a Cortex-M that can move its vector table (VTOR). */
#include <corral/port.h>

#include "../common/boot_flash.h"

/* Of the linker script: the memory of images, and that of variables and stack. Weak, because other
 * boards have no boot memory. */
extern uint8_t boot_memory[] __attribute__((weak)), boot_memory_end[] __attribute__((weak));
extern uint8_t data_start[], stack_top[];

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define VTOR REGISTER(0xe000ed08)
#define AIRCR REGISTER(0xe000ed0c)
#define AIRCR_RESET 0x05fa0004u /* with the key that a write needs */

#define VECTORS_SIZE 64u

uint8_t *corral_port_boot_memory(size_t *size)
{
    *size = (size_t)((uintptr_t)boot_memory_end - (uintptr_t)boot_memory);
    return boot_memory;
}

void corral_port_boot_start(const uint8_t *code, size_t size)
{
    const uint32_t *const vectors = (const uint32_t *)(const void *)code;

    if (size <= VECTORS_SIZE) {
        return;
    }
    const uint32_t stack = vectors[0];
    const uint32_t entry = vectors[1];
    const uint32_t at = (entry & ~1u) - (uint32_t)(uintptr_t)code;
    /* Armv7-M: the stack is aligned to 8 bytes, and bit 0 of a handler is set. */
    if (stack <= (uintptr_t)data_start || stack > (uintptr_t)stack_top || stack % 8u != 0 ||
        entry % 2u == 0 || at < VECTORS_SIZE || at >= size) {
        return;
    }
    VTOR = (uint32_t)(uintptr_t)code;
    __asm__ volatile("dsb\n\tisb\n\tmsr msp, %0\n\tbx %1" : : "r"(stack), "r"(entry) : "memory");
    __builtin_unreachable();
}

_Noreturn void boot_flash_reset(void)
{
    __asm__ volatile("dsb" : : : "memory");
    AIRCR = AIRCR_RESET;
    for (;;) {
    }
}
