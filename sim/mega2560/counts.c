/* SPDX-License-Identifier: Apache-2.0 */
#include "counts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <sim_avr.h>

enum { FLASH_SIZE = 256 * 1024, FUNCTIONS_MAX = 4096, CALLS_MAX = 1024, NAME_SIZE = 96 };
enum { RETURN_ADDRESS_SIZE = 3 };

enum kind { KIND_LAYER, KIND_PRIMITIVE, KIND_RANDOM, KIND_API };
static const char *const kind_names[] = {"layer", "primitive", "random", "api"};
enum { KINDS = sizeof kind_names / sizeof kind_names[0], SPENDERS = KIND_API };

struct function {
    enum kind kind;
    char name[NAME_SIZE];
};

struct call {
    uint16_t function;
    uint64_t cycles[SPENDERS];
    uint16_t stack;
    uint64_t *profile; /* by function */
};

/* Where something that was entered goes back to. */
struct frame {
    uint32_t pc;
    uint16_t stack; /* the stack pointer then */
};

struct counts {
    struct function functions[FUNCTIONS_MAX];
    uint16_t function_count;        /* number 0 is "elsewhere" */
    uint16_t owner[FLASH_SIZE / 2]; /* function at each word of flash */
    struct call calls[CALLS_MAX];
    uint16_t call_count;
    bool is_in_call; /* the last of `calls` is under way */
    uint16_t entry_stack;
    struct frame caller;
    enum kind spender;
    struct frame spender_caller;
};

static bool add_line(struct counts *counts, const char *line)
{
    unsigned long start;
    unsigned long end;
    char kind[16];
    struct function *function = &counts->functions[counts->function_count];

    if (counts->function_count == FUNCTIONS_MAX ||
        sscanf(line, "%lx %lx %15s %95s", &start, &end, kind, function->name) != 4 ||
        end > FLASH_SIZE) {
        return false;
    }
    unsigned found = 0;
    while (found < KINDS && strcmp(kind, kind_names[found]) != 0) {
        found++;
    }
    function->kind = (enum kind)found;
    for (unsigned long at = start; at < end; at += 2) {
        counts->owner[at / 2] = counts->function_count;
    }
    counts->function_count++;
    return found < KINDS;
}

static bool read_table(struct counts *counts, FILE *file)
{
    char line[256];

    while (fgets(line, sizeof line, file) != NULL) {
        if (!add_line(counts, line)) {
            fprintf(stderr, "mega2560-sim: not a line of a table: %s", line);
            return false;
        }
    }
    return true;
}

struct counts *counts_new(const char *path)
{
    FILE *file = fopen(path, "r");
    struct counts *counts = calloc(1, sizeof *counts);
    bool is_read = false;

    if (file != NULL && counts != NULL) {
        strcpy(counts->functions[0].name, "elsewhere");
        counts->function_count = 1;
        is_read = read_table(counts, file);
    } else {
        perror(path);
    }
    if (file != NULL) {
        fclose(file);
    }
    if (!is_read) {
        counts_free(counts);
        return NULL;
    }
    return counts;
}

void counts_free(struct counts *counts)
{
    for (unsigned i = 0; counts != NULL && i < counts->call_count; i++) {
        free(counts->calls[i].profile);
    }
    free(counts);
}

/* At the first instruction of a function: its return address lies on top of the stack. */
static struct frame caller_of(const struct board *board, uint16_t stack)
{
    const uint8_t *top = &board->avr->data[stack + 1u];
    const uint32_t words = (uint32_t)top[0] << 16 | (uint32_t)top[1] << 8 | top[2];

    return (struct frame){words * 2, (uint16_t)(stack + RETURN_ADDRESS_SIZE)};
}

static bool is_back(const struct frame *frame, uint32_t pc, uint16_t stack)
{
    return pc == frame->pc && stack >= frame->stack;
}

static void begin_call(struct counts *counts, const struct board *board, uint16_t function,
                       uint16_t stack)
{
    struct call *call = &counts->calls[counts->call_count];

    call->profile = calloc(counts->function_count, sizeof *call->profile);
    if (call->profile == NULL) {
        return;
    }
    call->function = function;
    counts->call_count++;
    counts->is_in_call = true;
    counts->entry_stack = stack;
    counts->caller = caller_of(board, stack);
    counts->spender = KIND_LAYER;
}

void counts_take(struct counts *counts, const struct board *board, uint32_t pc, uint16_t stack,
                 uint64_t cycles)
{
    const uint16_t owner = counts->owner[pc / 2 % (FLASH_SIZE / 2)];
    const enum kind kind = counts->functions[owner].kind;

    if (counts->is_in_call && is_back(&counts->caller, pc, stack)) {
        counts->is_in_call = false;
    }
    if (!counts->is_in_call && kind == KIND_API && counts->call_count < CALLS_MAX) {
        begin_call(counts, board, owner, stack);
    }
    if (!counts->is_in_call) {
        return;
    }
    if (counts->spender != KIND_LAYER && is_back(&counts->spender_caller, pc, stack)) {
        counts->spender = KIND_LAYER;
    }
    if (counts->spender == KIND_LAYER && (kind == KIND_PRIMITIVE || kind == KIND_RANDOM)) {
        counts->spender = kind;
        counts->spender_caller = caller_of(board, stack);
    }
    struct call *call = &counts->calls[counts->call_count - 1];
    call->cycles[counts->spender] += cycles;
    if (counts->spender == KIND_LAYER) {
        const uint16_t depth = (uint16_t)(counts->entry_stack - stack);
        call->profile[owner] += cycles;
        call->stack = depth > call->stack ? depth : call->stack;
    }
}

bool counts_write(const struct counts *counts, const char *path)
{
    FILE *file = fopen(path, "w");

    if (file == NULL) {
        perror(path);
        return false;
    }
    for (unsigned i = 0; i < counts->call_count; i++) {
        const struct call *call = &counts->calls[i];

        fprintf(file, "call %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %u\n",
                counts->functions[call->function].name, call->cycles[KIND_LAYER],
                call->cycles[KIND_PRIMITIVE], call->cycles[KIND_RANDOM], call->stack);
        for (unsigned j = 0; j < counts->function_count; j++) {
            if (call->profile[j] > 0) {
                fprintf(file, "in %s %" PRIu64 "\n", counts->functions[j].name, call->profile[j]);
            }
        }
    }
    return fclose(file) == 0;
}
