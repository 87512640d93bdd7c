/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include <string.h>

#include <corral/board.h>

#define SERIAL_DIGITS 18u

static char text[ORDER_SIZE + 1];

bool words_read(void)
{
    size_t used = 0;
    size_t got = 0;

    memset(text, 0, sizeof text);
    if (!corral_board_input_rewind()) {
        return true;
    }
    do {
        if (!corral_board_input_read((uint8_t *)text + used, ORDER_SIZE - used, &got)) {
            return false;
        }
        used += got;
    } while (got > 0 && used < ORDER_SIZE);
    return used < ORDER_SIZE;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of the line at *cursor; its length, 0 at the end of the line. */
static size_t next_word(const char **cursor, const char **word)
{
    while (is_space(**cursor)) {
        (*cursor)++;
    }
    *word = *cursor;
    while (**cursor != '\0' && **cursor != '\n' && !is_space(**cursor)) {
        (*cursor)++;
    }
    return (size_t)(*cursor - *word);
}

static bool is_word(const char *word, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(word, wanted, length) == 0;
}

/* Take a line apart: whether it is an order. `name_length` is 0 for an empty line. */
static bool parse(const char **cursor, const char **name, size_t *name_length,
                  char serial[SERIAL_DIGITS + 1])
{
    const char *verb;
    const char *argument;
    const char *rest;

    *name_length = next_word(cursor, name);
    const size_t verb_length = next_word(cursor, &verb);
    const size_t argument_length = next_word(cursor, &argument);
    const bool is_over = next_word(cursor, &rest) == 0;
    while (**cursor != '\0' && *(*cursor)++ != '\n') {
    }
    serial[0] = '\0';
    if (!is_over || argument_length == 0 || !is_word(verb, verb_length, "lock")) {
        return false;
    }
    if (argument_length == SERIAL_DIGITS) {
        memcpy(serial, argument, SERIAL_DIGITS);
        serial[SERIAL_DIGITS] = '\0';
    }
    return true;
}

bool words_order(const char *name, char serial[SERIAL_DIGITS + 1])
{
    bool is_found = false;
    char candidate[SERIAL_DIGITS + 1];

    serial[0] = '\0';
    for (const char *cursor = text; *cursor != '\0';) {
        const char *word;
        size_t length;

        if (parse(&cursor, &word, &length, candidate) && is_word(word, length, name)) {
            is_found = true;
            memcpy(serial, candidate, sizeof candidate);
        }
    }
    return is_found;
}

bool words_understood(const char *const *names, size_t count)
{
    char serial[SERIAL_DIGITS + 1];

    for (const char *cursor = text; *cursor != '\0';) {
        const char *word;
        size_t length;
        const bool is_order = parse(&cursor, &word, &length, serial);
        bool is_known = length == 0;

        for (size_t i = 0; i < count && is_order; i++) {
            is_known = is_known || is_word(word, length, names[i]);
        }
        if (!is_known) {
            return false;
        }
    }
    return true;
}

void hex_of(const uint8_t *bytes, size_t count, char *digits)
{
    static const char digit[] = "0123456789ABCDEF";

    for (size_t i = 0; i < count; i++) {
        *digits++ = digit[bytes[i] >> 4];
        *digits++ = digit[bytes[i] & 15];
    }
    *digits = '\0';
}

void print_hex(const uint8_t *bytes, size_t count)
{
    char digits[3];

    for (size_t i = 0; i < count; i++) {
        hex_of(bytes + i, 1, digits);
        corral_board_print(digits);
    }
}

void print_number(unsigned number)
{
    char digits[6];
    size_t at = sizeof digits - 1;

    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0 && at > 0);
    corral_board_print(digits + at);
}
