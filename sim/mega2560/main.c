/* SPDX-License-Identifier: Apache-2.0 */
/* mega2560-sim: the command line. */
#include "board.h"
#include "counts.h"

#include <string.h>

#include <sim_avr.h>

enum { USAGE = 2 };

static const char help[] =
    "usage: mega2560-sim ELF [OPTION ...]\n"
    "\n"
    "Runs a program for the ATmega2560 at 16 MHz, its USART0 on standard output, until it ends; "
    "the "
    "exit\n"
    "status is the program's, 255 after a crash. An option with an empty value is like none.\n"
    "\n"
    "  input=FILE    the file that the program can read\n"
    "  entropy=FILE  random bytes for the program, instead of this computer's\n"
    "  table=FILE    count cycles by this table of functions (sim/mega2560/counts.h)\n"
    "  counts=FILE   where to write the counts\n"
    "  --help        this text\n";

/* What the command line asks for. Empty strings: not. */
struct arguments {
    const char *elf;
    const char *input;
    const char *entropy;
    const char *table;
    const char *counts;
};

static bool take_option(struct arguments *arguments, const char *word)
{
    const struct {
        const char *name;
        const char **value;
    } options[] = {{"input=", &arguments->input},
                   {"entropy=", &arguments->entropy},
                   {"table=", &arguments->table},
                   {"counts=", &arguments->counts}};

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const size_t length = strlen(options[i].name);
        if (strncmp(word, options[i].name, length) == 0) {
            *options[i].value = word + length;
            return true;
        }
    }
    return false;
}

static bool take_arguments(int count, char **words, struct arguments *arguments)
{
    *arguments = (struct arguments){"", "", "", "", ""};
    for (int i = 1; i < count; i++) {
        if (take_option(arguments, words[i])) {
            continue;
        }
        if (*arguments->elf != '\0' || *words[i] == '-') {
            fprintf(stderr, "mega2560-sim: %s: unknown (see --help)\n", words[i]);
            return false;
        }
        arguments->elf = words[i];
    }
    if (*arguments->elf == '\0') {
        fprintf(stderr, "mega2560-sim: no program (see --help)\n");
    } else if ((*arguments->table == '\0') != (*arguments->counts == '\0')) {
        fprintf(stderr, "mega2560-sim: table= and counts= go together (see --help)\n");
        return false;
    }
    return *arguments->elf != '\0';
}

/* Open the file that an option names, if it names one. */
static bool open_file(const char *path, FILE **file)
{
    *file = NULL;
    if (*path == '\0') {
        return true;
    }
    *file = fopen(path, "rb");
    if (*file == NULL) {
        perror(path);
    }
    return *file != NULL;
}

/* Run to the end; `counts` may be NULL. */
static void run(struct board *board, struct counts *counts)
{
    while (board_is_running(board)) {
        const uint32_t pc = board->avr->pc;
        const uint16_t stack = board_stack(board);
        const uint64_t start = board->avr->cycle;

        board_step(board);
        if (counts != NULL) {
            counts_take(counts, board, pc, stack, board->avr->cycle - start);
        }
    }
}

static int simulate(const struct arguments *arguments)
{
    struct board board = {.status = USAGE};
    struct counts *counts = NULL;

    if (!open_file(arguments->input, &board.input) ||
        !open_file(arguments->entropy, &board.entropy) || !board_start(&board, arguments->elf)) {
        return USAGE;
    }
    if (*arguments->table != '\0') {
        counts = counts_new(arguments->table);
        if (counts == NULL) {
            return USAGE;
        }
    }
    run(&board, counts);
    if (counts != NULL && !counts_write(counts, arguments->counts)) {
        board.status = USAGE;
    }
    counts_free(counts);
    return board.status;
}

int main(int argc, char **argv)
{
    struct arguments arguments;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(help, stdout);
            return 0;
        }
    }
    return take_arguments(argc, argv, &arguments) ? simulate(&arguments) : USAGE;
}
