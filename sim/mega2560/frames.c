/* SPDX-License-Identifier: Apache-2.0 */
#include "frames.h"

#include <stdlib.h>
#include <string.h>

#include <sim_avr.h>

enum { WORDS = 256 * 1024 / 2, MEMORY = 0x2200 };
enum { FUNCTIONS_MAX = 1024, NAME_SIZE = 96, DEPTH_MAX = 32, CALLS_MAX = 2048 };
enum { RETURN_ADDRESS_SIZE = 3 };
/* Data addresses of the registers that point. */
enum { REGISTER_X = 26, REGISTER_Y = 28, REGISTER_Z = 30 };

enum kind { KIND_NONE, KIND_DRIVER, KIND_RANDOM, KIND_WIPER, KIND_API, KINDS };
static const char *const kind_names[KINDS] = {"", "driver", "random", "wiper", "api"};

struct function {
    enum kind kind;
    char name[NAME_SIZE];
    unsigned long calls;
    unsigned used;
    unsigned reached;
    unsigned left;
};

/* A call that has not returned. */
struct level {
    struct function *function;
    uint32_t back;   /* where it returns to */
    uint16_t top;    /* the stack pointer of its caller: free memory begins there */
    uint16_t lowest; /* written since its frames were overwritten last; `top` + 1: nothing */
};

/* The rest of a call of the API on the stack. */
struct remains {
    const struct function *function;
    uint8_t *bytes;
    size_t size;
};

struct frames {
    struct function functions[FUNCTIONS_MAX];
    size_t function_count;
    struct function *entries[WORDS]; /* by the word of flash where a function begins */
    bool may_store[WORDS];           /* whether an instruction that is there can write to memory */
    struct level levels[DEPTH_MAX];
    unsigned depth;
    uint8_t writer[MEMORY];  /* which kind of function has written a byte last */
    bool is_of_call[MEMORY]; /* it was written in the call of the API that is under way */
    uint16_t call_top;       /* `top` of that call; 0: there is none */
    struct remains calls[CALLS_MAX];
    size_t call_count;
    bool is_incomplete; /* a call was not followed, or what it has left not kept */
};

static bool add_line(struct frames *frames, const char *line)
{
    struct function *function = &frames->functions[frames->function_count];
    unsigned long address;
    char kind[16];

    if (frames->function_count == FUNCTIONS_MAX ||
        sscanf(line, "%lx %15s %95s", &address, kind, function->name) != 3 ||
        address / 2 >= WORDS) {
        return false;
    }
    for (unsigned i = KIND_DRIVER; i < KINDS; i++) {
        if (strcmp(kind, kind_names[i]) == 0) {
            function->kind = (enum kind)i;
        }
    }
    frames->entries[address / 2] = function;
    frames->function_count++;
    return function->kind != KIND_NONE;
}

static struct level *current(struct frames *frames)
{
    return frames->depth == 0 ? NULL : &frames->levels[frames->depth - 1];
}

static void enter(struct frames *frames, const struct board *board, struct function *function)
{
    const uint16_t stack = board_stack(board);
    const uint8_t *top = &board->avr->data[stack + 1u];
    const uint32_t back = (uint32_t)top[0] << 16 | (uint32_t)top[1] << 8 | top[2];
    const uint16_t free_top = (uint16_t)(stack + RETURN_ADDRESS_SIZE);

    function->calls++;
    if (frames->depth == DEPTH_MAX) {
        frames->is_incomplete = true;
        return;
    }
    frames->levels[frames->depth++] =
        (struct level){function, back * 2, free_top, (uint16_t)(free_top + 1)};
    if (function->kind == KIND_WIPER) { /* its return address lies where it overwrites */
        memset(&frames->writer[stack + 1u], KIND_WIPER, RETURN_ADDRESS_SIZE);
    }
    if (function->kind == KIND_API && frames->call_top == 0) {
        frames->call_top = free_top;
        memset(frames->is_of_call, 0, sizeof frames->is_of_call);
        memset(frames->writer, KIND_NONE, sizeof frames->writer);
    }
}

/* Judge a wiper that returns to `level`. */
static void judge(struct frames *frames, const struct level *wiper, struct level *level)
{
    struct function *function = wiper->function;
    const unsigned reached = wiper->top + 1u - wiper->lowest;
    const unsigned used = level->lowest <= wiper->top ? wiper->top + 1u - level->lowest : 0;
    unsigned left = 0;

    for (unsigned at = level->lowest; at <= wiper->top; at++) {
        left += frames->writer[at] == KIND_DRIVER;
    }
    function->used = used > function->used ? used : function->used;
    function->left = left > function->left ? left : function->left;
    if (function->reached == 0 || reached < function->reached) {
        function->reached = reached;
    }
    level->lowest = (uint16_t)(level->top + 1);
}

/* Keep what the call of the API that ends has left. */
static void keep(struct frames *frames, const struct board *board, const struct level *call)
{
    struct remains *remains = &frames->calls[frames->call_count];
    unsigned at = board->data_end;

    while (at <= call->top && !frames->is_of_call[at]) {
        at++;
    }
    if (frames->call_count == CALLS_MAX) {
        frames->is_incomplete = true;
        return;
    }
    remains->size = call->top + 1u - at;
    remains->bytes = calloc(1, remains->size + 1);
    for (size_t i = 0; remains->bytes != NULL && i < remains->size; i++) {
        remains->bytes[i] = frames->is_of_call[at + i] ? board->avr->data[at + i] : 0;
    }
    remains->function = call->function;
    frames->call_count += remains->bytes != NULL;
    frames->is_incomplete |= remains->bytes == NULL;
}

static bool is_outermost(const struct frames *frames)
{
    for (unsigned i = 0; i < frames->depth; i++) {
        if (frames->levels[i].function->kind == KIND_API) {
            return false;
        }
    }
    return true;
}

static void leave(struct frames *frames, const struct board *board)
{
    const struct level left = frames->levels[--frames->depth];
    struct level *outer = current(frames);

    if (left.function->kind == KIND_WIPER && outer != NULL) {
        judge(frames, &left, outer);
    } else if (left.function->kind == KIND_DRIVER && outer != NULL && left.lowest <= left.top &&
               left.lowest < outer->lowest) {
        outer->lowest = left.lowest;
    } else if (left.function->kind == KIND_API && is_outermost(frames)) {
        keep(frames, board, &left);
        frames->call_top = 0;
    }
}

static void note_store(struct frames *frames, const struct board *board, uint16_t address)
{
    struct level *level = current(frames);

    if (level == NULL || address < board->data_end) {
        return;
    }
    /* Calls from a driver count for frames of the core above its own. */
    frames->is_of_call[address] |= address <= frames->call_top;
    if (address > level->top) {
        return;
    }
    frames->writer[address] = (uint8_t)level->function->kind;
    level->lowest = address < level->lowest ? address : level->lowest;
}

static uint16_t pointer(const struct board *board, unsigned reg)
{
    return (uint16_t)(board->avr->data[reg] | board->avr->data[reg + 1] << 8);
}

static bool is_call(uint16_t code)
{
    return (code & 0xfe0eu) == 0x940eu || (code & 0xf000u) == 0xd000u || code == 0x9509u ||
           code == 0x9519u;
}

/* STD, or ST without a change of Y or Z. */
static bool is_std(uint16_t code)
{
    return (code & 0xd200u) == 0x8200u;
}

/* STS, PUSH, or ST. */
static bool is_st(uint16_t code)
{
    return (code & 0xfe00u) == 0x9200u;
}

static uint16_t code_at(const struct board *board, uint32_t address)
{
    const uint8_t *at = &board->avr->flash[address];

    return (uint16_t)(at[0] | at[1] << 8);
}

/* ST with one of the three pointers. false: no such instruction. */
static bool by_pointer(const struct board *board, uint16_t code, uint16_t *address)
{
    static const struct {
        uint8_t mode;
        uint8_t reg;
        uint8_t before; /* subtracted first */
    } modes[] = {{0x1, REGISTER_Z, 0}, {0x2, REGISTER_Z, 1}, {0x9, REGISTER_Y, 0},
                 {0xa, REGISTER_Y, 1}, {0xc, REGISTER_X, 0}, {0xd, REGISTER_X, 0},
                 {0xe, REGISTER_X, 1}};

    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (modes[i].mode == (code & 0xfu)) {
            *address = (uint16_t)(pointer(board, modes[i].reg) - modes[i].before);
            return true;
        }
    }
    return false;
}

/* Once, and not at each turn of a loop: a program does not change. */
static void find_stores(struct frames *frames, const struct board *board)
{
    for (size_t i = 0; i < WORDS && 2 * i <= board->avr->flashend; i++) {
        const uint16_t code = code_at(board, (uint32_t)(2 * i));
        frames->may_store[i] = is_call(code) || is_std(code) || is_st(code);
    }
}

/* See to which bytes the next instruction stores. */
static void follow_store(struct frames *frames, const struct board *board)
{
    const uint32_t pc = board->avr->pc;
    const uint16_t code = code_at(board, pc);
    const uint16_t stack = board_stack(board);
    uint16_t address;

    if (is_call(code)) {
        for (unsigned i = 0; i < RETURN_ADDRESS_SIZE; i++) {
            note_store(frames, board, (uint16_t)(stack - i));
        }
    } else if (is_std(code)) {
        const unsigned offset = (code >> 8 & 0x20u) | (code >> 7 & 0x18u) | (code & 0x7u);
        const unsigned reg = (code & 0x8u) != 0 ? REGISTER_Y : REGISTER_Z;
        note_store(frames, board, (uint16_t)(pointer(board, reg) + offset));
    } else if (!is_st(code)) {
        return;
    } else if ((code & 0xfu) == 0) { /* STS */
        note_store(frames, board, code_at(board, pc + 2));
    } else if ((code & 0xfu) == 0xf) { /* PUSH */
        note_store(frames, board, stack);
    } else if (by_pointer(board, code, &address)) {
        note_store(frames, board, address);
    }
}

void frames_follow(struct frames *frames, const struct board *board)
{
    const uint32_t pc = board->avr->pc;
    const uint16_t stack = board_stack(board);
    struct function *function = frames->entries[pc / 2];

    while (frames->depth > 0 && pc == current(frames)->back && stack >= current(frames)->top) {
        leave(frames, board);
    }
    /* A loop that goes back to the first instruction of its function is no call. */
    const bool is_again = frames->depth > 0 && current(frames)->function == function &&
                          current(frames)->top == stack + RETURN_ADDRESS_SIZE;
    if (function != NULL && !is_again) {
        enter(frames, board, function);
    }
    if (frames->depth > 0 && frames->may_store[pc / 2]) {
        follow_store(frames, board);
    }
}

struct frames *frames_new(const char *path, const struct board *board)
{
    FILE *file = fopen(path, "r");
    struct frames *frames = file == NULL ? NULL : calloc(1, sizeof *frames);
    char line[256];

    if (file == NULL) {
        perror(path);
        return NULL;
    }
    while (frames != NULL && fgets(line, sizeof line, file) != NULL) {
        if (!add_line(frames, line)) {
            fprintf(stderr, "mega2560-sim: not a line of a table of names: %s", line);
            frames_free(frames);
            frames = NULL;
        }
    }
    fclose(file);
    if (frames != NULL) {
        find_stores(frames, board);
    }
    return frames;
}

void frames_free(struct frames *frames)
{
    for (size_t i = 0; frames != NULL && i < frames->call_count; i++) {
        free(frames->calls[i].bytes);
    }
    free(frames);
}

static void write_function(const struct function *function, FILE *file)
{
    fprintf(file, "%s %s calls=%lu", kind_names[function->kind], function->name, function->calls);
    if (function->kind == KIND_WIPER) {
        fprintf(file, " used=%u reached=%u left=%u", function->used, function->reached,
                function->left);
    }
    fprintf(file, "\n");
}

bool frames_write(const struct frames *frames, const char *path)
{
    FILE *file = frames->is_incomplete ? NULL : fopen(path, "w");

    if (frames->is_incomplete) {
        fputs("mega2560-sim: more calls than frames= has room for\n", stderr);
        return false;
    }
    if (file == NULL) {
        perror(path);
        return false;
    }
    for (size_t i = 0; i < frames->function_count; i++) {
        if (frames->functions[i].calls > 0) {
            write_function(&frames->functions[i], file);
        }
    }
    for (size_t i = 0; i < frames->call_count; i++) {
        const struct remains *remains = &frames->calls[i];

        fprintf(file, "left %s ", remains->function->name);
        for (size_t at = 0; at < remains->size; at++) {
            fprintf(file, "%02x", remains->bytes[at]);
        }
        fprintf(file, "\n");
    }
    return fclose(file) == 0;
}
