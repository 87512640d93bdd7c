/* SPDX-License-Identifier: Apache-2.0 */
/* The board as its user mode sees it. */
#ifndef TEST_WALLS_PMP_USER_H
#define TEST_WALLS_PMP_USER_H

#include <stdint.h>

/* boards/riscv32-virt-pmp/trusted.ld, ports/virt/virt.ld */
#define TRUSTED_CODE 0x80000000u
#define TRUSTED_RAM 0x80400000u
#define CODE 0x80800000u
#define RAM 0x80c00000u
#define RAM_END 0x81000000u

/* QEMU's virt */
#define BOOT_CODE 0x00001000u
#define SWITCH 0x00100000u /* which ends the machine */
#define LOCAL_INTERRUPTS 0x02000000u
#define INTERRUPTS 0x0c000000u
#define CONSOLE 0x10000000u
#define CRYPTO 0x10007000u
#define QUEUE_NOTIFY 0x50u /* of it: a write has the device read memory */
#define ENTROPY 0x10008000u
#define FLASH 0x20000000u

#endif
