/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "reads.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "reads_width.h"

void *__real_memcpy(void *to, const void *from, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size);
int __real_memcmp(const void *a, const void *b, size_t size);
int __wrap_memcmp(const void *a, const void *b, size_t size);
void *__real_memset(void *to, int value, size_t size);
void *__wrap_memset(void *to, int value, size_t size);

#define ARENA_SIZE 0x20000u
#define LONGEST 0x4000u /* longer inputs are not watched */
#define LONGEST_OUTPUT                                                                             \
    0x10000u /* nor are longer outputs: a signature of SLH-DSA has 49,856 bytes */
/* Instructions that are let through for one function with one algorithm, at microseconds each. */
#define PATIENCE 2000u
#define PATIENCE_OF_OUTPUTS 1000u
#define ALIGNED_TO 16u
#define MAX_RANGES 8u
#define MAX_FOUND 2048u
#define TRAP_FLAG 0x100
#define WRITE_FAULT 2 /* in the error code of a page fault */

/* Nothing here is instrumented: lengths are those that a test claims, and may be lies. */
#define PLAIN __attribute__((no_sanitize("address", "undefined")))

struct range {
    const uint8_t *data;
    size_t size;
    const char *parameter;
    size_t again; /* bytes of an input that were read more than once, of an output that were read */
    uint8_t *back; /* of an output: where the caller has it */
};

/* The output of the program about a parameter. */
enum kind { READ_ONCE, READ_AGAIN, WRITTEN, READ_BACK, KINDS };
static const char *const names[KINDS] = {"read once", "read again", "written", "read back"};

/* A finding, printed once for each function, parameter and algorithm. */
struct finding {
    enum kind kind;
    const char *function;
    const char *parameter;
    uint32_t about;
    size_t bytes; /* most of one call; 0: it was watched, and no more */
};

static struct {
    bool is_on;
    bool tells;
    bool is_calling;
    bool is_open;
    uint8_t *arena;
    size_t used;
    uint8_t seen[ARENA_SIZE];
    const char *function;
    uint32_t about;
    struct range inputs[MAX_RANGES];
    size_t input_count;
    struct range given[MAX_RANGES]; /* inputs where the caller has them, watched or not */
    size_t given_count;
    struct range outputs[MAX_RANGES];
    size_t output_count;
    struct range placed[MAX_RANGES]; /* outputs in the arena */
    size_t placed_count;
    struct patience {
        const char *function;
        uint32_t about;
        unsigned used;
        unsigned used_by_outputs;
    } patience[MAX_FOUND], *left;
    size_t patience_count;
    struct finding found[MAX_FOUND];
    size_t found_count;
} state;

/* A program built with a sanitizer prints the reader on request. With that of addresses it also
 * prints the bytes that are not to be read: around inputs, as around the caller's buffers. */
__attribute__((weak)) void __sanitizer_print_stack_trace(void);
__attribute__((weak)) void *__asan_region_is_poisoned(void *data, size_t size);
__attribute__((weak)) void __asan_poison_memory_region(const volatile void *data, size_t size);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void *data, size_t size);

static void give_up(const char *why)
{
    fprintf(stderr, "reads: %s\n", why);
    abort();
}

static PLAIN void find(enum kind kind, const char *parameter, uint32_t about, size_t bytes)
{
    struct finding *one = state.found;
    struct finding *const end = &state.found[state.found_count];

    while (one < end && (one->function != state.function || one->parameter != parameter ||
                         one->about != about || one->kind != kind)) {
        one++;
    }
    if (one == &state.found[MAX_FOUND]) {
        give_up("found more than there is room for");
    }
    if (one == end) {
        *one = (struct finding){kind, state.function, parameter, about, 0};
        state.found_count++;
    }
    if (one->bytes < bytes) {
        one->bytes = bytes;
    }
}

/* Bytes that may be of inputs are read. */
static PLAIN void note(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < state.input_count; i++) {
        struct range *const input = &state.inputs[i];
        const size_t before = input->again;
        for (size_t j = 0; j < size; j++) {
            if (data + j >= input->data && data + j < input->data + input->size) {
                uint8_t *const seen = &state.seen[data + j - state.arena];
                input->again += *seen == 1;
                *seen = *seen == 0 ? 1 : 2;
            }
        }
        if (state.tells && input->again > before && __sanitizer_print_stack_trace != NULL) {
            __sanitizer_print_stack_trace();
        }
    }
}

static PLAIN struct range *output_at(const uint8_t *data)
{
    for (size_t i = 0; i < state.placed_count; i++) {
        struct range *const output = &state.placed[i];
        if (data >= output->data && data < output->data + output->size) {
            return output;
        }
    }
    return NULL;
}

/* Bytes that may be of outputs are read. */
static PLAIN void note_back(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        struct range *const output = output_at(data + i);
        if (output != NULL) {
            uint8_t *const seen = &state.seen[data + i - state.arena];
            output->again += *seen == 0;
            *seen = 1;
            if (state.tells && i == 0 && __sanitizer_print_stack_trace != NULL) {
                __sanitizer_print_stack_trace();
            }
        }
    }
}

static PLAIN size_t watched_size(void)
{
    return (state.used + 0xfff) & ~(size_t)0xfff;
}

static PLAIN void permit(int what)
{
    if (mprotect(state.arena, watched_size(), what) != 0) {
        abort();
    }
    state.is_open = what != PROT_NONE;
}

static PLAIN bool is_watched(const void *data)
{
    const uintptr_t at = (uintptr_t)data;
    const uintptr_t first = (uintptr_t)state.arena;

    return state.is_calling && at >= first && at < first + ARENA_SIZE;
}

/* Let the instruction through that accesses an output. */
static PLAIN void open_output(const uint8_t *data, const uint8_t *code, bool is_write)
{
    if (!is_write || reads_before_it_writes(code)) {
        note_back(data, reads_width(code));
    }
    state.left->used_by_outputs++;
    permit(PROT_READ | PROT_WRITE);
}

static PLAIN void on_fault(int number, siginfo_t *info, void *context)
{
    greg_t *const registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    const uint8_t *const code = (const uint8_t *)registers[REG_RIP];
    const bool is_write = (registers[REG_ERR] & WRITE_FAULT) != 0;

    if (is_watched(info->si_addr) && output_at(info->si_addr) != NULL) {
        open_output(info->si_addr, code, is_write);
    } else if (is_watched(info->si_addr) && !state.is_open) {
        note(info->si_addr, reads_width(code));
        state.left->used++;
        permit(PROT_READ);
    } else {
        /* A real fault, or an input that is written to. */
        signal(number, SIG_DFL);
        return;
    }
    registers[REG_EFL] |= TRAP_FLAG;
}

static PLAIN void on_step(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    permit(PROT_NONE);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
}

/* Nothing in the arena is to be read but what is admitted. */
static PLAIN void forbid(size_t size)
{
    if (__asan_poison_memory_region != NULL) {
        __asan_poison_memory_region(state.arena, size);
    }
}

static PLAIN void admit(const uint8_t *data, size_t size)
{
    if (__asan_unpoison_memory_region != NULL) {
        __asan_unpoison_memory_region(data, size);
    }
}

/* Whether a test claims more than there is, which is refused without reading, or found. */
static PLAIN bool is_lie(const void *data, size_t size)
{
    return __asan_region_is_poisoned != NULL &&
           __asan_region_is_poisoned((void *)(uintptr_t)data, size) != NULL;
}

/* Before there are threads, which read what this writes. */
__attribute__((constructor)) static void start(void)
{
    struct sigaction action;

    const char *const wish = getenv("CORRAL_TEST_READS");
    state.is_on = wish != NULL;
    state.tells = wish != NULL && strcmp(wish, "trace") == 0;
    if (!state.is_on) {
        return;
    }
    state.arena =
        mmap(NULL, ARENA_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (state.arena == MAP_FAILED) {
        abort();
    }
    forbid(ARENA_SIZE);
    memset(&action, 0, sizeof action);
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = on_fault;
    sigaction(SIGSEGV, &action, NULL);
    action.sa_sigaction = on_step;
    sigaction(SIGTRAP, &action, NULL);
}

/* The budget that the function has used with this algorithm. */
static PLAIN struct patience *patience_of(const char *function, uint32_t about)
{
    struct patience *one = state.patience;

    while (one < &state.patience[state.patience_count] &&
           (one->function != function || one->about != about)) {
        one++;
    }
    if (one == &state.patience[MAX_FOUND]) {
        give_up("watched more algorithms than there is room for");
    }
    if (one == &state.patience[state.patience_count]) {
        *one = (struct patience){function, about, 0, 0};
        state.patience_count++;
    }
    return one;
}

bool reads_begin(const char *function)
{
    if (!state.is_on || state.is_calling) {
        return false;
    }
    state.function = function;
    state.used = 0;
    state.input_count = 0;
    state.given_count = 0;
    state.output_count = 0;
    state.placed_count = 0;
    return true;
}

static PLAIN bool watches_inputs(void)
{
    return state.left->used < PATIENCE;
}

static PLAIN bool watches_outputs(void)
{
    return state.left->used_by_outputs < PATIENCE_OF_OUTPUTS;
}

PLAIN bool reads_about(uint32_t about)
{
    state.about = about;
    state.left = patience_of(state.function, about);
    return watches_inputs() || watches_outputs();
}

static PLAIN void add(struct range *ranges, size_t *count, struct range range)
{
    if (*count == MAX_RANGES) {
        give_up("more parameters than there is room for");
    }
    ranges[(*count)++] = range;
}

void reads_output(const void *data, size_t size)
{
    add(state.outputs, &state.output_count, (struct range){data, size, NULL, 0, NULL});
}

/* How many of these ranges have bytes of this one. */
static PLAIN size_t overlapping(const struct range *ranges, size_t count, const uint8_t *data,
                                size_t size)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        found += (uintptr_t)data < (uintptr_t)ranges[i].data + ranges[i].size &&
                 (uintptr_t)ranges[i].data < (uintptr_t)data + size;
    }
    return found;
}

/* Copy the caller's bytes to the arena, aligned as they are. NULL: there is no room for them. */
static PLAIN uint8_t *take(const uint8_t *from, size_t size)
{
    if (state.used + size > ARENA_SIZE - 4 * ALIGNED_TO) {
        return NULL;
    }
    uint8_t *const to = state.arena + state.used + ALIGNED_TO + (uintptr_t)from % ALIGNED_TO;
    admit(to, size);
    for (size_t i = 0; i < size; i++) {
        ((volatile uint8_t *)to)[i] = ((const volatile uint8_t *)from)[i];
    }
    state.used = ((size_t)(to - state.arena) + size + 2 * ALIGNED_TO) & ~(size_t)(ALIGNED_TO - 1);
    return to;
}

PLAIN const void *reads_input(const char *parameter, const void *data, size_t size)
{
    const uint8_t *const from = data;

    add(state.given, &state.given_count, (struct range){from, size, parameter, 0, NULL});
    if (data == NULL || size == 0 || size > LONGEST || !watches_inputs() ||
        overlapping(state.outputs, state.output_count, from, size) > 0 || is_lie(from, size)) {
        return data;
    }
    uint8_t *const to = take(from, size);
    if (to == NULL) {
        return data;
    }
    add(state.inputs, &state.input_count, (struct range){to, size, parameter, 0, NULL});
    return to;
}

PLAIN void *reads_placed(const char *parameter, void *data, size_t size)
{
    uint8_t *const from = data;

    if (data == NULL || size == 0 || size > LONGEST_OUTPUT || !watches_outputs() ||
        overlapping(state.given, state.given_count, from, size) > 0 ||
        overlapping(state.outputs, state.output_count, from, size) > 1 || is_lie(from, size)) {
        return data;
    }
    uint8_t *const to = take(from, size);
    if (to == NULL) {
        return data;
    }
    add(state.placed, &state.placed_count, (struct range){to, size, parameter, 0, from});
    return to;
}

PLAIN void reads_call(void)
{
    if (state.input_count + state.placed_count > 0) {
        memset(state.seen, 0, state.used);
        state.is_calling = true;
        permit(PROT_NONE);
    }
}

PLAIN void reads_end(void)
{
    if (!state.is_calling) {
        return;
    }
    permit(PROT_READ | PROT_WRITE);
    state.is_calling = false;
    for (size_t i = 0; i < state.input_count; i++) {
        find(READ_ONCE, state.inputs[i].parameter, 0, 0);
        if (state.inputs[i].again > 0) {
            find(READ_AGAIN, state.inputs[i].parameter, state.about, state.inputs[i].again);
        }
    }
    for (size_t i = 0; i < state.placed_count; i++) {
        const struct range *const output = &state.placed[i];
        for (size_t j = 0; j < output->size; j++) {
            ((volatile uint8_t *)output->back)[j] = output->data[j];
        }
        find(WRITTEN, output->parameter, 0, 0);
        if (output->again > 0) {
            find(READ_BACK, output->parameter, state.about, output->again);
        }
    }
    forbid(state.used);
}

/* The bytes that the C library is about to read as a whole, in any steps. */
static PLAIN bool opens(const void *data, size_t size)
{
    if (size == 0 || !is_watched(data)) {
        return false;
    }
    note(data, size);
    note_back(data, size);
    permit(PROT_READ | PROT_WRITE);
    return true;
}

/* The bytes that it is about to write. An input is not to be written to, and faults. */
static PLAIN bool opens_output(const void *data, size_t size)
{
    if (size == 0 || !is_watched(data) || output_at(data) == NULL) {
        return false;
    }
    permit(PROT_READ | PROT_WRITE);
    return true;
}

static PLAIN void close_again(bool was_opened)
{
    if (was_opened) {
        permit(PROT_NONE);
    }
}

PLAIN void *__wrap_memcpy(void *to, const void *from, size_t size)
{
    const bool is_input = opens(from, size);
    const bool is_output = opens_output(to, size);
    void *const result = __real_memcpy(to, from, size);

    close_again(is_input || is_output);
    return result;
}

PLAIN void *__wrap_memmove(void *to, const void *from, size_t size)
{
    const bool is_input = opens(from, size);
    const bool is_output = opens_output(to, size);
    void *const result = __real_memmove(to, from, size);

    close_again(is_input || is_output);
    return result;
}

PLAIN void *__wrap_memset(void *to, int value, size_t size)
{
    const bool is_output = opens_output(to, size);
    void *const result = __real_memset(to, value, size);

    close_again(is_output);
    return result;
}

PLAIN int __wrap_memcmp(const void *a, const void *b, size_t size)
{
    const bool is_first = opens(a, size);
    const bool is_second = opens(b, size);
    const int result = __real_memcmp(a, b, size);

    close_again(is_first || is_second);
    return result;
}

__attribute__((destructor)) static void say(void)
{
    for (size_t i = 0; i < state.found_count; i++) {
        const struct finding *const one = &state.found[i];
        printf("%s %s %s 0x%08lx %lu\n", names[one->kind], one->function, one->parameter,
               (unsigned long)one->about, (unsigned long)one->bytes);
    }
}
