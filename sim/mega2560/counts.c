/* SPDX-License-Identifier: Apache-2.0 */
#include "counts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <sim_avr.h>

enum { FLASH_SIZE = 256 * 1024, WORDS = FLASH_SIZE / 2 };
enum { NAMES_MAX = 256, NAME_SIZE = 96, CALLS_MAX = 256, DEPTH_MAX = 2 };
enum { RETURN_ADDRESS_SIZE = 3 };

enum kind {
    KIND_LAYER,
    KIND_PRIMITIVE,
    KIND_RANDOM,
    KIND_ELEMENT,
    KIND_BUS,
    KIND_WAIT,
    KIND_WIPE,
    KIND_API,
    KINDS,
};
static const char *const kind_names[KINDS] = {"layer", "primitive", "random", "element",
                                              "bus",   "wait",      "wipe",   "api"};

struct call {
    uint8_t name;
    uint64_t cycles[KIND_API];
    uint16_t stack;   /* by the layer itself */
    uint16_t deepest; /* by any function */
    struct board_traffic traffic;
    uint64_t *profile; /* of the layer, by word of flash */
};

/* Where something that was entered goes back to. */
struct frame {
    enum kind kind;
    uint32_t pc;
    uint16_t stack; /* the stack pointer then */
};

struct counts {
    char names[NAMES_MAX][NAME_SIZE];
    unsigned name_count;
    uint8_t kind[WORDS];
    uint8_t name[WORDS]; /* of an API function */
    struct call calls[CALLS_MAX];
    unsigned call_count;
    bool is_in_call; /* the last of `calls` is under way */
    uint16_t entry_stack;
    struct frame caller;
    struct board_traffic traffic_before;
    struct frame spenders[DEPTH_MAX]; /* functions that run for the layer; the last of them */
    unsigned depth;
};

/* KINDS if there is none of that name. */
static enum kind kind_of(const char *name)
{
    unsigned found = 0;

    while (found < KINDS && strcmp(name, kind_names[found]) != 0) {
        found++;
    }
    return (enum kind)found;
}

static bool add_line(struct counts *counts, const char *line)
{
    unsigned long start;
    unsigned long end;
    char kind_name[16];
    char name[NAME_SIZE];

    if (sscanf(line, "%lx %lx %15s %95s", &start, &end, kind_name, name) != 4 || end > FLASH_SIZE ||
        kind_of(kind_name) == KINDS) {
        return false;
    }
    const enum kind kind = kind_of(kind_name);
    if (kind == KIND_API) {
        if (counts->name_count == NAMES_MAX) {
            return false;
        }
        strcpy(counts->names[counts->name_count], name);
        counts->name[start / 2] = (uint8_t)counts->name_count++;
    }
    for (unsigned long at = start; at < end; at += 2) {
        /* Within an API function only its first instruction is an entry. */
        counts->kind[at / 2] = (uint8_t)(kind == KIND_API && at > start ? KIND_LAYER : kind);
    }
    return true;
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
static struct frame frame_of(const struct board *board, enum kind kind, uint16_t stack)
{
    const uint8_t *top = &board->avr->data[stack + 1u];
    const uint32_t words = (uint32_t)top[0] << 16 | (uint32_t)top[1] << 8 | top[2];

    return (struct frame){kind, words * 2, (uint16_t)(stack + RETURN_ADDRESS_SIZE)};
}

static bool is_back(const struct frame *frame, uint32_t pc, uint16_t stack)
{
    return pc == frame->pc && stack >= frame->stack;
}

static void begin_call(struct counts *counts, const struct board *board, uint8_t name,
                       uint16_t stack)
{
    struct call *call = &counts->calls[counts->call_count];

    call->profile = calloc(WORDS, sizeof *call->profile);
    if (call->profile == NULL) {
        return;
    }
    call->name = name;
    counts->call_count++;
    counts->is_in_call = true;
    counts->entry_stack = stack;
    counts->caller = frame_of(board, KIND_API, stack);
    counts->traffic_before = board->traffic;
    counts->depth = 0;
}

static void end_call(struct counts *counts, const struct board *board)
{
    struct call *call = &counts->calls[counts->call_count - 1];

    call->traffic.transfers = board->traffic.transfers - counts->traffic_before.transfers;
    call->traffic.bytes = board->traffic.bytes - counts->traffic_before.bytes;
    call->traffic.cycles = board->traffic.cycles - counts->traffic_before.cycles;
    counts->is_in_call = false;
}

static enum kind spender_of(const struct counts *counts)
{
    return counts->depth == 0 ? KIND_LAYER : counts->spenders[counts->depth - 1].kind;
}

/* Notice returns, and calls of functions that work in place of the layer. */
static void follow(struct counts *counts, const struct board *board, uint32_t pc, uint16_t stack)
{
    const enum kind kind = (enum kind)counts->kind[pc / 2];

    while (counts->depth > 0 && is_back(&counts->spenders[counts->depth - 1], pc, stack)) {
        counts->depth--;
    }
    const enum kind now = spender_of(counts);
    const bool from_layer = now == KIND_LAYER && kind != KIND_LAYER && kind != KIND_API;
    const bool from_element = now == KIND_ELEMENT && (kind == KIND_BUS || kind == KIND_WAIT);
    if (from_layer || from_element) {
        counts->spenders[counts->depth++] = frame_of(board, kind, stack);
    }
}

void counts_take(struct counts *counts, const struct board *board, uint32_t pc, uint16_t stack,
                 uint64_t cycles)
{
    if (counts->is_in_call && is_back(&counts->caller, pc, stack)) {
        end_call(counts, board);
    }
    if (!counts->is_in_call && counts->kind[pc / 2] == KIND_API && counts->call_count < CALLS_MAX) {
        begin_call(counts, board, counts->name[pc / 2], stack);
    }
    if (!counts->is_in_call) {
        return;
    }
    follow(counts, board, pc, stack);
    struct call *call = &counts->calls[counts->call_count - 1];
    const enum kind spender = spender_of(counts);
    call->cycles[spender] += cycles;
    if (spender == KIND_LAYER || spender == KIND_WIPE) {
        call->profile[pc / 2] += cycles;
    }
    const uint16_t depth =
        stack < counts->entry_stack ? (uint16_t)(counts->entry_stack - stack) : (uint16_t)0;
    call->deepest = depth > call->deepest ? depth : call->deepest;
    if (spender == KIND_LAYER) {
        call->stack = depth > call->stack ? depth : call->stack;
    }
}

static void write_call(const struct counts *counts, const struct call *call, FILE *file)
{
    fprintf(file, "call %s", counts->names[call->name]);
    for (unsigned kind = 0; kind < KIND_API; kind++) {
        fprintf(file, " %s=%" PRIu64, kind_names[kind], call->cycles[kind]);
    }
    fprintf(file, " stack=%u deepest=%u transfers=%" PRIu64 " bytes=%" PRIu64 " line=%" PRIu64 "\n",
            call->stack, call->deepest, call->traffic.transfers, call->traffic.bytes,
            call->traffic.cycles);
    for (unsigned word = 0; word < WORDS; word++) {
        if (call->profile[word] > 0) {
            fprintf(file, "at %x %" PRIu64 "\n", word * 2, call->profile[word]);
        }
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
        write_call(counts, &counts->calls[i], file);
    }
    return fclose(file) == 0;
}
