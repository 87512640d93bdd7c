/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a trusted side about the fault that ends its run. */
#ifndef CORRAL_WALL_LAST_WORDS_H
#define CORRAL_WALL_LAST_WORDS_H

#include <stdint.h>

#include <corral/board.h>

/* Of the port: set the console up again. The client may have it, and may have changed any of its
 * registers. Called once, before the first word. */
void corral_port_retake_console(void);

/* A name, and eight digits to base 16. */
static inline void corral_wall_tell(const char *name, uint32_t value)
{
    char text[] = "00000000";

    for (unsigned i = 8; i-- > 0; value >>= 4) {
        text[i] = "0123456789abcdef"[value & 15u];
    }
    corral_board_print(name);
    corral_board_print(text);
}

#endif
