/* SPDX-License-Identifier: Apache-2.0 */
#include "look.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../harness/buffers.h"
#include "../../harness/entropy.h"
#include "../../harness/harness.h"
#include "../common/residue.h"

/* Of the linker script. */
extern uint8_t data_start[];
extern uint8_t bss_end[];

/* Deeper than any call goes. */
#define DEPTH 0x40000u
/* Deeper than a test goes between two of its calls. */
#define NEAR 0x8000u
/* Static memory and heap of all programs here. The rest of the 4 MB, up to the stack, is free. */
#define IMAGE_SIZE 0x80000u
#define LISTS_SIZE 0x80000u
#define PUBLIC_SIZE 0x10000u
#define MAX_SHOWN 4u

enum watch { NOT_WATCHING, WATCHING, IN_CALL };

struct word {
    uint32_t place; /* bytes below the stack pointer of the caller */
    uint32_t value;
};

/* One call; its words follow it. */
struct call {
    const struct residue_function *function;
    uint32_t count;
};

/* The residue of one run. */
struct run {
    uint32_t image[IMAGE_SIZE / 4]; /* of static memory and heap, at its end */
    uint32_t lists[LISTS_SIZE / 4]; /* calls with their words */
    size_t used;                    /* of the lists */
    uint8_t open[PUBLIC_SIZE];      /* bytes that are no secret, one after the other */
    size_t open_size;
};

/* Above the heap, out of reach of the restored and compared memory. */
struct store {
    uint32_t before[IMAGE_SIZE / 4];
    uint8_t drawn[IMAGE_SIZE / 4]; /* not 0: a word that drawing random bytes changes */
    size_t reach;                  /* how much of the image was ever in use */
    bool is_clean;                 /* the free stack is zero further down than NEAR */
    struct run runs[2];
};
#define STORE ((struct store *)(void *)(data_start + IMAGE_SIZE))

/* Also read by the assembler, which relies on the order. */
uint32_t residue_watch;
uint32_t residue_saved[7]; /* r0 to r3, the function, the return address, the stack pointer */
uint32_t residue_stack[512];
static struct run *now;
static uint64_t seed;

/* The free stack and all of static memory as words: not for a compiler to reason about. */
#define UNCHECKED __attribute__((noinline, optimize("no-tree-loop-distribute-patterns")))

uint32_t *residue_begin(const uint32_t *block);
psa_status_t residue_end(psa_status_t status, uintptr_t top);

static UNCHECKED void copy_words(volatile uint32_t *to, const volatile uint32_t *from, size_t size)
{
    for (size_t i = 0; i < size / 4; i++) {
        to[i] = from[i];
    }
}

UNCHECKED uint32_t *residue_begin(const uint32_t *block)
{
    const uintptr_t top = (uintptr_t)(block + 6);

    residue_watch = IN_CALL;
    copy_words(residue_saved, block, 24);
    residue_saved[6] = (uint32_t)top;
    for (uintptr_t at = top - (STORE->is_clean ? NEAR : DEPTH); at < top; at += 4) {
        *(volatile uint32_t *)at = 0;
    }
    return residue_saved;
}

/* The first word from `at` on that is not zero; eight at a time, because few calls go deep. */
static UNCHECKED uintptr_t next_written(uintptr_t at, uintptr_t top)
{
    for (; top - at >= 32; at += 32) {
        const volatile uint32_t *const w = (const volatile uint32_t *)at;
        if ((w[0] | w[1] | w[2] | w[3] | w[4] | w[5] | w[6] | w[7]) != 0) {
            break;
        }
    }
    while (at < top && *(const volatile uint32_t *)at == 0) {
        at += 4;
    }
    return at;
}

UNCHECKED psa_status_t residue_end(psa_status_t status, uintptr_t top)
{
    const uint32_t room = sizeof now->lists / 4;
    struct call *const call = (struct call *)(void *)&now->lists[now->used];
    struct word *const words = (struct word *)(void *)(call + 1);

    REQUIRE(now->used + 4 < room);
    call->function = (const struct residue_function *)residue_saved[4];
    call->count = 0;
    for (uintptr_t at = next_written(top - DEPTH, top); at < top; at = next_written(at, top)) {
        REQUIRE(now->used + 4 + 2 * call->count < room);
        words[call->count].place = (uint32_t)(top - at);
        words[call->count].value = *(volatile uint32_t *)at;
        call->count++;
        *(volatile uint32_t *)at = 0;
    }
    STORE->is_clean = true;
    now->used += 2 + 2 * call->count;
    residue_watch = WATCHING;
    return status;
}

/* Leads a call through the two functions above, without a byte of its own on the caller's stack. */
__asm__(".text\n.syntax unified\n.thumb\n.globl residue_call\n.thumb_func\n"
        ".type residue_call, %function\n"
        "residue_call:\n"
        "    push {r0, r1}\n"
        "    ldr r0, =residue_watch\n"
        "    ldr r0, [r0]\n"
        "    cmp r0, #1\n"
        "    pop {r0, r1}\n"
        "    beq 1f\n"
        "    ldr r12, [r12, #4]\n"
        "    bx r12\n"
        "1:  push {r0-r3, r12, lr}\n"
        "    mov r0, sp\n"
        "    ldr r1, =residue_stack+2048\n"
        "    mov sp, r1\n"
        "    bl residue_begin\n"
        "    mov r12, r0\n"
        "    ldr r0, [r12, #24]\n"
        "    mov sp, r0\n"
        "    ldm r12, {r0-r3}\n"
        "    ldr r12, [r12, #16]\n"
        "    ldr r12, [r12, #4]\n"
        "    blx r12\n"
        "    mov r1, sp\n"
        "    ldr r2, =residue_stack+2048\n"
        "    mov sp, r2\n"
        "    push {r1, r2}\n"
        "    bl residue_end\n"
        "    pop {r1, r2}\n"
        "    mov sp, r1\n"
        "    ldr r1, =residue_saved\n"
        "    ldr r12, [r1, #20]\n"
        "    bx r12\n"
        "    .ltorg\n"
        ".size residue_call, . - residue_call\n");

unsigned residue_number(void)
{
    return now == &STORE->runs[1] ? 1 : 0;
}

void residue_public(const uint8_t *data, size_t size)
{
    REQUIRE(size <= sizeof now->open - now->open_size);
    memcpy(now->open + now->open_size, data, size);
    now->open_size += size;
}

/* Whether a word is a piece of a public value, in either order of its bytes. */
static bool is_open(const struct run *run, uint32_t value)
{
    const uint32_t turned = __builtin_bswap32(value);

    for (size_t i = 0; i + 4 <= run->open_size; i++) {
        uint32_t found;
        memcpy(&found, run->open + i, 4);
        if (found == value || found == turned) {
            return true;
        }
    }
    return false;
}

/*
 * A word that differs between the runs in more than a byte (a count, a flag), and is no
 * copy of a public value.
 */
static bool depends(uint32_t first, uint32_t second)
{
    unsigned bytes = 0;

    for (uint32_t rest = first ^ second; rest != 0; rest >>= 8) {
        bytes += (rest & 0xff) != 0;
    }
    return bytes > 1 && !(is_open(&STORE->runs[0], first) && is_open(&STORE->runs[1], second));
}

/* Words found in one place. */
struct finding {
    unsigned count;
    uint32_t lowest;
    uint32_t highest;
    uint32_t values[MAX_SHOWN][2];
};

static void add(struct finding *finding, uint32_t place, uint32_t first, uint32_t second)
{
    if (!depends(first, second)) {
        return;
    }
    if (finding->count < MAX_SHOWN) {
        finding->values[finding->count][0] = first;
        finding->values[finding->count][1] = second;
    }
    finding->lowest = finding->count == 0 || place < finding->lowest ? place : finding->lowest;
    finding->highest = place > finding->highest ? place : finding->highest;
    finding->count++;
}

static void report(const struct finding *finding, const char *name, unsigned call)
{
    if (finding->count == 0) {
        return;
    }
    printf("  %s (call %u): %u words, %lx to %lx:", name, call, finding->count,
           (unsigned long)finding->lowest, (unsigned long)finding->highest);
    for (unsigned i = 0; i < finding->count && i < MAX_SHOWN; i++) {
        printf(" %08lx/%08lx", (unsigned long)finding->values[i][0],
               (unsigned long)finding->values[i][1]);
    }
    printf("\n");
    CHECK(finding->count == 0);
}

/* Verifies with a public key; that of a pair is computed as for psa_export_public_key(). */
static bool is_public(const struct residue_function *function)
{
    static const char start[] = "psa_verify_";

    return strncmp(function->name, start, sizeof start - 1) == 0;
}

/* The words that two runs have left below the same call, deepest first. */
static void compare_call(const struct call *const calls[2], unsigned number)
{
    const struct word *words[2];
    const struct word *ends[2];
    struct finding finding = {0};

    for (size_t i = 0; i < 2; i++) {
        words[i] = (const struct word *)(const void *)(calls[i] + 1);
        ends[i] = words[i] + calls[i]->count;
    }
    while (words[0] < ends[0] || words[1] < ends[1]) {
        const uint32_t first = words[0] < ends[0] ? words[0]->place : 0;
        const uint32_t second = words[1] < ends[1] ? words[1]->place : 0;
        const uint32_t place = first > second ? first : second;
        const uint32_t values[2] = {first == place ? words[0]->value : 0,
                                    second == place ? words[1]->value : 0};
        words[0] += first == place;
        words[1] += second == place;
        add(&finding, place, values[0], values[1]);
    }
    report(&finding, calls[0]->function->name, number);
}

static void compare_stacks(void)
{
    size_t at[2] = {0, 0};
    struct run *const runs = STORE->runs;

    for (unsigned number = 1; at[0] < runs[0].used && at[1] < runs[1].used; number++) {
        const struct call *calls[2];
        for (size_t i = 0; i < 2; i++) {
            calls[i] = (const struct call *)(const void *)&runs[i].lists[at[i]];
            at[i] += 2 + 2 * calls[i]->count;
        }
        REQUIRE(calls[0]->function == calls[1]->function);
        if (!is_public(calls[0]->function)) {
            compare_call(calls, number);
        }
    }
    CHECK(at[0] == runs[0].used && at[1] == runs[1].used);
}

/* How many bytes of static memory from here are of the tests themselves. */
static size_t own(const uint8_t *address)
{
    const struct {
        const void *start;
        size_t size;
    } regions[] = {{residue_stack, sizeof residue_stack},
                   {residue_saved, sizeof residue_saved},
                   {subject_hits, 4 * subject_function_count},
                   {&now, sizeof now}};

    for (size_t i = 0; i < sizeof regions / sizeof regions[0]; i++) {
        if (address == (const uint8_t *)regions[i].start) {
            return regions[i].size;
        }
    }
    return test_buffers_skip(address);
}

/* Nothing, a size or an address: by these the heap knows its blocks, also those that are free. */
static bool is_link(uint32_t value)
{
    return value < IMAGE_SIZE || value - (uint32_t)(uintptr_t)data_start < IMAGE_SIZE;
}

/* Static memory, or the heap behind it, from one offset to another. */
static void compare_memory(const char *name, size_t start, size_t end, bool has_links)
{
    const struct run *const runs = STORE->runs;
    struct finding finding = {0};

    for (size_t at = start; at < end; at += 4) {
        const size_t skip = own(data_start + at);
        if (skip >= 4) {
            at += skip / 4 * 4 - 4;
            continue;
        }
        const uint32_t first = runs[0].image[at / 4];
        const uint32_t second = runs[1].image[at / 4];
        if (STORE->drawn[at / 4] == 0 && !(has_links && is_link(first) && is_link(second))) {
            add(&finding, (uint32_t)(uintptr_t)(data_start + at), first, second);
        }
    }
    report(&finding, name, 0);
}

/* The parts of static memory and heap that were ever in use: all bytes behind them are still
 * zero. */
static size_t reach(void)
{
    const size_t used = ((size_t)((const uint8_t *)sbrk(0) - data_start) + 3) & ~(size_t)3;

    REQUIRE(used <= IMAGE_SIZE);
    STORE->reach = used > STORE->reach ? used : STORE->reach;
    return STORE->reach;
}

/* The words up to an offset that a draw has changed; some return to their old value. */
static void note_drawn(const uint32_t *memory, size_t end)
{
    for (size_t i = 0; i < end / 4; i++) {
        if (memory[i] != STORE->before[i]) {
            STORE->drawn[i] = 1;
        }
    }
}

/* Learn which words are the generator's, and of the entropy source behind it. */
static void learn_generator(uint32_t *memory, size_t heap)
{
    uint8_t output[200];

    copy_words(STORE->before, memory, reach());
    memset(STORE->drawn, 0, reach() / 4);
    test_entropy_seed(seed + 2);
    for (size_t size = sizeof output; size > 0; size /= 2) {
        NEED(psa_generate_random(output, size));
        note_drawn(memory, heap);
    }
    note_drawn(memory, reach());
    copy_words(memory, STORE->before, reach());
}

/* One run. */
static void watch(void (*test)(const struct subject_row *row), const struct subject_row *row,
                  size_t number)
{
    now = &STORE->runs[number];
    now->used = 0;
    now->open_size = 0;
    test_entropy_seed(seed + number);
    STORE->is_clean = false;
    residue_watch = WATCHING;
    test(row);
    test_destroy_keys();
    residue_watch = NOT_WATCHING;
    test_free_buffers();
    copy_words(now->image, (const uint32_t *)(const void *)data_start, reach());
}

void residue_run(void (*test)(const struct subject_row *row), const struct subject_row *row)
{
    uint32_t *const memory = (uint32_t *)(void *)data_start;
    const size_t heap = (size_t)(bss_end - data_start) & ~(size_t)3;

    residue_watch = NOT_WATCHING;
    seed += 3; /* no sequence comes twice, or the health tests would notice */
    learn_generator(memory, heap);
    watch(test, row, 0);
    copy_words(memory, STORE->before, reach());
    watch(test, row, 1);
    compare_stacks();
    compare_memory("static memory", 0, heap, false);
    compare_memory("heap", heap, reach(), true);
    now = STORE->runs;
}
