/* SPDX-License-Identifier: Apache-2.0 */
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SIZE 0x40000u
#define ARENA_SIZE 0x10000u
#define ARENA_BASE 0x4000u

static char line[LINE_SIZE];
static char *next;
static char answer[LINE_SIZE];
static size_t answered;
static uint8_t arena[ARENA_SIZE];

_Noreturn void wire_fail(const char *why)
{
    fprintf(stderr, "differential: %s\n", why);
    exit(2);
}

bool wire_read(void)
{
    if (fgets(line, sizeof line, stdin) == NULL) {
        return false;
    }
    line[strcspn(line, "\n")] = '\0';
    next = line;
    answered = 0;
    return true;
}

bool wire_has_more(void)
{
    return *next != '\0';
}

const char *wire_word(void)
{
    char *const word = next;
    const size_t length = strcspn(next, " ");

    if (length == 0) {
        wire_fail("a word is missing");
    }
    next += length;
    if (*next == ' ') {
        *next++ = '\0';
    }
    return word;
}

uint32_t wire_number(void)
{
    return (uint32_t)strtoul(wire_word(), NULL, 10);
}

static unsigned digit(char letter)
{
    const char *const digits = "0123456789abcdef";
    const char *const at = strchr(digits, letter);

    if (at == NULL || letter == '\0') {
        wire_fail("bytes that are not hexadecimal");
    }
    return (unsigned)(at - digits);
}

struct bytes wire_bytes(void)
{
    const char *const word = wire_word();
    uint8_t *const data = (uint8_t *)line + (word - line);
    const size_t length = strcmp(word, "-") == 0 ? 0 : strlen(word) / 2;

    /* Each byte is written where its own digits were, or before. */
    for (size_t i = 0; i < length; i++) {
        data[i] = (uint8_t)(digit(word[2 * i]) << 4 | digit(word[2 * i + 1]));
    }
    return (struct bytes){data, length};
}

static void put_text(const char *text)
{
    const size_t length = strlen(text);

    if (length >= sizeof answer - answered) {
        wire_fail("an answer is too long");
    }
    memcpy(answer + answered, text, length);
    answered += length;
}

void wire_put(const uint8_t *data, size_t length)
{
    char digits[3];

    put_text(length == 0 ? " -" : " ");
    for (size_t i = 0; i < length; i++) {
        snprintf(digits, sizeof digits, "%02x", data[i]);
        put_text(digits);
    }
}

void wire_put_number(uint32_t number)
{
    char digits[16];

    snprintf(digits, sizeof digits, " %lu", (unsigned long)number);
    put_text(digits);
}

void wire_answer(psa_status_t status)
{
    printf("%d%.*s\n", (int)status, (int)answered, answer);
    fflush(stdout);
}

void room_open(struct room *room, const char *offset, struct bytes input, size_t output_size)
{
    memset(room, 0, sizeof *room);
    if (strcmp(offset, "x") == 0) {
        room->own[0] = malloc(input.length);
        room->own[1] = malloc(output_size);
        room->input = room->own[0];
        room->output = room->own[1];
        if ((input.length > 0 && room->input == NULL) ||
            (output_size > 0 && room->output == NULL)) {
            wire_fail("out of memory");
        }
    } else {
        const long distance = strtol(offset, NULL, 10);
        if (labs(distance) > (long)ARENA_BASE || input.length > ARENA_SIZE - 2 * ARENA_BASE ||
            output_size > ARENA_SIZE - 2 * ARENA_BASE) {
            wire_fail("buffers are too large");
        }
        room->input = arena + ARENA_BASE;
        room->output = room->input + distance;
    }
    if (input.length > 0) {
        memcpy(room->input, input.data, input.length);
    }
}

void room_close(struct room *room)
{
    free(room->own[0]);
    free(room->own[1]);
}
