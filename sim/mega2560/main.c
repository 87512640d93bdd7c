/* SPDX-License-Identifier: Apache-2.0 */
/* mega2560-sim: the command line. */
#include "board.h"
#include "chips.h"
#include "counts.h"
#include "eeprom.h"
#include "frames.h"
#include "line.h"

#include <string.h>

#include <sim_avr.h>

enum { USAGE = 2, CHIPS_MAX = 8 };

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
    "  chip=SPEC     an ATECC608 on the two-wire interface, as for atecc608-sim --chip; may be "
    "repeated\n"
    "  eeprom=FILE   where the EEPROM's content is, and stays\n"
    "  line=SOCKET   USART0 in both directions; whoever connects is waited for\n"
    "  table=FILE    count cycles by this table of functions (sim/mega2560/counts.h)\n"
    "  counts=FILE   where to write the counts\n"
    "  names=FILE    follow the stack by this table of functions (sim/mega2560/frames.h)\n"
    "  frames=FILE   where to write what was on it\n"
    "  --help        this text\n";

/* The options of the command line. Empty strings: not. */
struct arguments {
    const char *elf;
    const char *input;
    const char *entropy;
    const char *eeprom;
    const char *line;
    const char *table;
    const char *counts;
    const char *names;
    const char *frames;
    char *chips[CHIPS_MAX];
    size_t chip_count;
};

static bool take_option(struct arguments *arguments, char *word)
{
    static const char chip[] = "chip=";
    const struct {
        const char *name;
        const char **value;
    } options[] = {{"input=", &arguments->input},   {"entropy=", &arguments->entropy},
                   {"eeprom=", &arguments->eeprom}, {"line=", &arguments->line},
                   {"table=", &arguments->table},   {"counts=", &arguments->counts},
                   {"names=", &arguments->names},   {"frames=", &arguments->frames}};

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const size_t length = strlen(options[i].name);
        if (strncmp(word, options[i].name, length) == 0) {
            *options[i].value = word + length;
            return true;
        }
    }
    if (strncmp(word, chip, sizeof chip - 1) == 0 && arguments->chip_count < CHIPS_MAX) {
        arguments->chips[arguments->chip_count++] = word + sizeof chip - 1;
        return true;
    }
    return false;
}

static bool is_given(const char *option)
{
    return *option != '\0';
}

/* Whether the options that watch the program go together. */
static bool is_consistent(const struct arguments *arguments)
{
    const bool is_watched = is_given(arguments->table) || is_given(arguments->names);
    const char *reason = NULL;

    if (is_given(arguments->table) != is_given(arguments->counts)) {
        reason = "table= and counts= go together";
    } else if (is_given(arguments->names) != is_given(arguments->frames)) {
        reason = "names= and frames= go together";
    } else if (is_watched && is_given(arguments->line)) {
        reason = "nothing is counted on a line";
    }
    if (reason != NULL) {
        fprintf(stderr, "mega2560-sim: %s (see --help)\n", reason);
    }
    return reason == NULL;
}

static bool take_arguments(int count, char **words, struct arguments *arguments)
{
    *arguments = (struct arguments){"", "", "", "", "", "", "", "", "", {NULL}, 0};
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
    }
    return *arguments->elf != '\0' && is_consistent(arguments);
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

/* Observers of the program; each may be NULL. */
struct watchers {
    struct counts *counts;
    struct frames *frames;
};

/* Run to the end. */
static void run(struct board *board, const struct watchers *watchers)
{
    while (board_is_running(board)) {
        const uint32_t pc = board->avr->pc;
        const uint16_t stack = board_stack(board);
        const uint64_t start = board->avr->cycle;

        if (watchers->frames != NULL) {
            frames_follow(watchers->frames, board);
        }
        board_step(board);
        if (watchers->counts != NULL) {
            counts_take(watchers->counts, board, pc, stack, board->avr->cycle - start);
        }
    }
}

/* The chips that are asked for. false: impossible; *chips is to be freed all the same. */
static bool attach_chips(const struct arguments *arguments, struct board *board,
                         struct chips **chips)
{
    *chips = chips_new(board);
    if (*chips == NULL) {
        return false;
    }
    for (size_t i = 0; i < arguments->chip_count; i++) {
        if (!chips_add(*chips, arguments->chips[i])) {
            return false;
        }
    }
    return true;
}

/* Run a board, on a line if that is asked for. */
static int run_on_line(const struct arguments *arguments, struct board *board)
{
    struct line *line = line_new(board, arguments->line);

    if (line == NULL) {
        return USAGE;
    }
    run(board, &(const struct watchers){NULL, NULL});
    line_free(line);
    return board->status;
}

/* Run a board, watched as is asked for. */
static int run_watched(const struct arguments *arguments, struct board *board)
{
    struct watchers watchers = {NULL, NULL};
    bool is_good = true;

    if (is_given(arguments->table)) {
        watchers.counts = counts_new(arguments->table);
        is_good = watchers.counts != NULL;
    }
    if (is_good && is_given(arguments->names)) {
        watchers.frames = frames_new(arguments->names, board);
        is_good = watchers.frames != NULL;
    }
    if (is_good) {
        run(board, &watchers);
        is_good = (watchers.counts == NULL || counts_write(watchers.counts, arguments->counts)) &&
                  (watchers.frames == NULL || frames_write(watchers.frames, arguments->frames));
    }
    counts_free(watchers.counts);
    frames_free(watchers.frames);
    return is_good ? board->status : USAGE;
}

/* Run a board that is ready. */
static int run_as_asked(const struct arguments *arguments, struct board *board)
{
    if (is_given(arguments->eeprom) && !eeprom_open(board, arguments->eeprom)) {
        return USAGE;
    }
    return is_given(arguments->line) ? run_on_line(arguments, board)
                                     : run_watched(arguments, board);
}

static int simulate(const struct arguments *arguments)
{
    struct board board = {.status = USAGE, .is_mute = *arguments->line != '\0'};
    struct chips *chips;
    int status = USAGE;

    if (!open_file(arguments->input, &board.input) ||
        !open_file(arguments->entropy, &board.entropy) || !board_start(&board, arguments->elf)) {
        return USAGE;
    }
    if (attach_chips(arguments, &board, &chips)) {
        status = run_as_asked(arguments, &board);
    }
    chips_free(chips);
    return status;
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
