/* SPDX-License-Identifier: Apache-2.0 */
/* How the examples print what they made. */
#ifndef SHOW_H
#define SHOW_H

#include <stdint.h>
#include <stdio.h>

#include <corral/board.h>
#include <psa/crypto.h>

/* The status of a call, if all went well so far. */
#define THEN(status, call) ((status) == PSA_SUCCESS ? (call) : (status))

/* A line with a name and these bytes in hexadecimal. */
static inline void show(const char *name, const uint8_t *data, size_t length)
{
    static const char digits[] = "0123456789abcdef";

    corral_board_print(name);
    corral_board_print(" ");
    for (size_t i = 0; i < length; i++) {
        const char text[3] = {digits[data[i] >> 4], digits[data[i] & 15], 0};
        corral_board_print(text);
    }
    corral_board_print("\n");
}

/* How the program ended: the exit status of main. */
static inline int show_end(psa_status_t status)
{
    char text[20];

    (void)snprintf(text, sizeof text, "status %d\n", (int)status);
    corral_board_print(text);
    return status == PSA_SUCCESS ? 0 : 1;
}

#endif
