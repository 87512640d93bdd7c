/* SPDX-License-Identifier: Apache-2.0 */
/* The board as its non-secure world sees it, and exceptions of it that tests take. */
#ifndef TEST_TRUSTZONE_NONSECURE_H
#define TEST_TRUSTZONE_NONSECURE_H

#include <stddef.h>
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))

/* boards/mps2-an505-trustzone/trusted.ld */
#define SECURE_CODE 0x10000000u
#define ENTRIES 0x10100000u
#define SECURE_RAM 0x38000000u
#define SECURE_CODE_ALIAS 0x00000000u
#define SECURE_RAM_ALIAS 0x28000000u
#define CODE 0x00200000u
#define CODE_END 0x00400000u
#define RAM 0x28200000u
#define RAM_END 0x28400000u
#define CONSOLE 0x40200000u

/* Registers of the non-secure world (Armv8-M, D1.2). */
#define SYST_CSR REGISTER(0xe000e010)
#define SYST_RVR REGISTER(0xe000e014)
#define SYST_CVR REGISTER(0xe000e018)
#define SHPR2 REGISTER(0xe000ed1c)
#define VTOR REGISTER(0xe000ed08)
#define AIRCR REGISTER(0xe000ed0c)
#define CPACR REGISTER(0xe000ed88)
#define MPU_CTRL REGISTER(0xe000ed94)
#define MPU_RNR REGISTER(0xe000ed98)
#define MPU_RBAR REGISTER(0xe000ed9c)
#define MPU_RLAR REGISTER(0xe000eda0)
#define MVFR0 REGISTER(0xe000ef40)
#define SAU_CTRL REGISTER(0xe000edd0)

enum { EXCEPTION_SVC = 11, EXCEPTION_SYSTICK = 15 };

/* From now on an exception of this world goes to this handler. */
void take_exception(unsigned number, void (*handler)(void));

/* One attack after which nothing goes on, by its name. */
void attack(const char *name);

#endif
