/* SPDX-License-Identifier: Apache-2.0 */
/* Calls with null pointers, one for each pointer of each function; made by test_pointers.py. */
#ifndef POINTERS_ROWS_H
#define POINTERS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

#define ROOM_SIZE 4096u

/* The target of all other pointers. */
extern uint8_t *room;

/* The result here of the functions behind the checks. */
#define BEHIND ((psa_status_t)77)

struct row {
    const char *title; /* function and argument */
    psa_status_t (*call)(void);
    bool is_refused;
};

extern const struct row rows[];
extern const size_t row_count;

#endif
