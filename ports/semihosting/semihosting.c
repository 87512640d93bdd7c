/* SPDX-License-Identifier: Apache-2.0 */
#include "semihosting.h"

#include <string.h>

enum operation {
    OPERATION_OPEN = 0x01,
    OPERATION_WRITE = 0x05,
    OPERATION_READ = 0x06,
    OPERATION_SEEK = 0x0a,
    OPERATION_COMMAND_LINE = 0x15,
    OPERATION_EXIT_EXTENDED = 0x20,
};

/* ADP_Stopped_ApplicationExit: the program ended of itself. */
#define REASON_APPLICATION_EXIT 0x20026u

/* The instruction is not the same on all processors. On a RISC-V, whose EBREAK a debugger also
 * uses, two instructions without effect mark it, on the same page. Alignment comes before
 * norvc: in front of it there may be half a word, which no instruction of a whole one fills. */
#if defined(__riscv)
#define TRAP                                                                                       \
    ".balign 16\n\t.option push\n\t.option norvc\n\t"                                              \
    "slli x0, x0, 0x1f\n\tebreak\n\tsrai x0, x0, 7\n\t.option pop"
#define FIRST "a0"
#define SECOND "a1"
#define RETURNS_BY "ra"
#else
#if __ARM_ARCH_PROFILE == 'M'
#define TRAP "bkpt 0xab"
#elif defined(__thumb__)
#define TRAP "svc 0xab"
#else
#define TRAP "svc 0x123456"
#endif
#define FIRST "r0"
#define SECOND "r1"
#define RETURNS_BY "lr"
#endif

/* `arguments` are the words that the operation takes; some operations answer in them. */
static int32_t ask_host(enum operation operation, uint32_t *arguments)
{
    register uint32_t first __asm__(FIRST) = operation;
    register uint32_t *second __asm__(SECOND) = arguments;

    /* In Arm's supervisor mode a svc writes its own return address over that of the function. */
    __asm__ volatile(TRAP : "+r"(first) : "r"(second) : "memory", RETURNS_BY);
    return (int32_t)first;
}

int semihosting_open(const char *path, enum semihosting_mode mode)
{
    uint32_t arguments[3] = {(uint32_t)path, mode, strlen(path)};

    return ask_host(OPERATION_OPEN, arguments);
}

bool semihosting_seek(int handle, size_t position)
{
    uint32_t arguments[2] = {(uint32_t)handle, position};

    return ask_host(OPERATION_SEEK, arguments) == 0;
}

size_t semihosting_read(int handle, uint8_t *data, size_t size)
{
    size_t done = 0;

    while (done < size) {
        uint32_t arguments[3] = {(uint32_t)handle, (uint32_t)(data + done), size - done};
        const int32_t missing = ask_host(OPERATION_READ, arguments);
        /* The answer is the number of missing bytes: all of them at the end of the file. */
        if (missing < 0 || (size_t)missing >= size - done) {
            break;
        }
        done = size - (size_t)missing;
    }
    return done;
}

bool semihosting_write(int handle, const uint8_t *data, size_t size)
{
    uint32_t arguments[3] = {(uint32_t)handle, (uint32_t)data, size};

    return ask_host(OPERATION_WRITE, arguments) == 0;
}

bool semihosting_command_line(char *line, size_t size)
{
    uint32_t arguments[2] = {(uint32_t)line, size};
    const bool is_there = ask_host(OPERATION_COMMAND_LINE, arguments) == 0;

    if (!is_there) {
        line[0] = '\0';
    }
    return is_there;
}

_Noreturn void semihosting_exit(int status)
{
    uint32_t arguments[2] = {REASON_APPLICATION_EXIT, (uint32_t)status};

    for (;;) {
        (void)ask_host(OPERATION_EXIT_EXTENDED, arguments);
    }
}
