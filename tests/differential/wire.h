/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands from standard input and answers to standard output, a line each: words between spaces,
 * numbers in decimal, bytes in hexadecimal, no bytes as `-`. An answer begins with a status.
 */
#ifndef DIFFERENTIAL_WIRE_H
#define DIFFERENTIAL_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

struct bytes {
    uint8_t *data; /* in the line, until the next one */
    size_t length;
};

/* Read a line. false: there is none any more. */
bool wire_read(void);

/* The next word of the line; the program ends with a complaint where there is none. */
const char *wire_word(void);
uint32_t wire_number(void);
struct bytes wire_bytes(void);

/* Whether a word is left. */
bool wire_has_more(void);

/* Appends to the answer, which wire_answer() sends behind the status. */
void wire_put(const uint8_t *data, size_t length);
void wire_put_number(uint32_t number);
void wire_answer(psa_status_t status);

/* End the program: the other side has sent nonsense. */
_Noreturn void wire_fail(const char *why);

/*
 * Input and output of a call: the output `offset` bytes behind the input (or before it) in the same
 * memory, or, where the word is `x`, each in memory of its own and of its exact size.
 */
struct room {
    uint8_t *input;
    uint8_t *output;
    void *own[2];
};

void room_open(struct room *room, const char *offset, struct bytes input, size_t output_size);
void room_close(struct room *room);

/* A command of the name, which reads its words and answers: wire_commands[] is made from the
 * sources (harness/suites.py). */
struct wire_command {
    const char *name;
    void (*carry_out)(void);
};
#define WIRE_COMMAND(name)                                                                         \
    static void carry_out_##name(void);                                                            \
    const struct wire_command wire_command_##name = {#name, carry_out_##name};                     \
    static void carry_out_##name(void)

extern const struct wire_command *const wire_commands[];
extern const size_t wire_command_count;

#endif
