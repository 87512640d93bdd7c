/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_WALL_PMP_CLIENT_ASK_H
#define CORRAL_WALL_PMP_CLIENT_ASK_H

#include <psa/error.h>
#include <stdint.h>

/* Ask the trusted side by a trap: for what `number` says (trap.h), with one word. Its answer. */
static inline psa_status_t corral_wall_ask(uintptr_t number, uintptr_t argument)
{
    register uintptr_t a0 __asm__("a0") = argument;
    register uintptr_t a7 __asm__("a7") = number;

    __asm__ volatile("ecall"
                     : "+r"(a0), "+r"(a7)
                     :
                     : "a1", "a2", "a3", "a4", "a5", "a6", "t0", "t1", "t2", "t3", "t4", "t5", "t6",
                       "memory");
    return (psa_status_t)a0;
}

#endif
