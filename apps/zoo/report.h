/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results as lines that a program can read: the word corral-result, then one JSON object.
 * An item is one mechanism with its key at one place. The lines printed between
 * item_begin() and item_end() are members of that object.
 */
#ifndef ZOO_REPORT_H
#define ZOO_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

/* Where a key lives: in local memory, or in an element of the board. */
struct place {
    const char *name;
    psa_key_location_t location;
};

struct item {
    psa_status_t status; /* of the first call that failed, or PSA_SUCCESS */
    const char *step;    /* the name of that call */
};

/* Start the line of one mechanism, by its name in the bindings and by its name for people. */
void item_begin(struct item *item, const char *mechanism, const char *title,
                const struct place *place);

/* Whether a call succeeded. The item reports the first step that failed. */
bool item_ok(struct item *item, const char *step, psa_status_t status);

/* A member of text, and one of `size` bytes in hexadecimal. */
void item_text(const char *name, const char *text);
void item_bytes(const char *name, const uint8_t *bytes, size_t size);

/* A member of bytes that come piece by piece. */
void item_bytes_begin(const char *name);
void item_bytes_add(const uint8_t *bytes, size_t size);
void item_bytes_end(void);

/* Finish the line with the status, and with the failed step if there is one. */
void item_end(const struct item *item);

/*
 * Print the closing line. Returns the number of items that failed: NOT_SUPPORTED is an answer and
 * no failure.
 */
unsigned report_end(void);

#endif
