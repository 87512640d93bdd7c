/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many bytes an instruction of x86-64 reads: of those that compilers make of C and that
 * libraries have for it. Where there is doubt it is fewer.
 */
#ifndef TEST_READS_WIDTH_H
#define TEST_READS_WIDTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reads_prefixes {
    bool is_half; /* 0x66 */
    bool is_wide; /* REX.W */
    uint8_t rep;  /* 0xf2, 0xf3: of scalars, where it is part of the opcode */
};

static inline size_t reads_word(struct reads_prefixes of)
{
    return of.is_wide ? 8 : of.is_half ? 2 : 4;
}

/* Opcodes behind 0x0f, of 16 bytes unless they are listed. */
static inline size_t reads_two_bytes(uint8_t opcode, struct reads_prefixes of)
{
    switch (opcode) {
    case 0xb6: /* movzx, movsx */
    case 0xbe:
        return 1;
    case 0xb7:
    case 0xbf:
    case 0xc4: /* pinsrw */
        return 2;
    case 0x6e: /* movd, movq */
    case 0xa3: /* bt */
    case 0xaf: /* imul */
    case 0x2a: /* cvtsi2sd */
    case 0xbc: /* tzcnt, lzcnt, popcnt */
    case 0xbd:
    case 0xb8:
        return reads_word(of);
    case 0x12: /* movlps, movhps */
    case 0x16:
    case 0xd6:
        return 8;
    case 0x7e: /* movq */
        return of.rep == 0xf3 ? 8 : reads_word(of);
    case 0x38: /* movbe, pmovzx and others: of many widths */
    case 0x3a:
        return 1;
    default:
        break;
    }
    if (opcode >= 0x40 && opcode < 0x50) {
        return reads_word(of); /* cmov */
    }
    return of.rep == 0xf2 ? 8 : of.rep == 0xf3 && opcode != 0x6f ? 4 : 16;
}

__attribute__((no_sanitize("address", "undefined"))) static inline size_t
reads_width(const uint8_t *code)
{
    struct reads_prefixes of = {false, false, 0};

    for (;; code++) {
        if (*code == 0x66) {
            of.is_half = true;
        } else if (*code == 0xf2 || *code == 0xf3) {
            of.rep = *code;
        } else if (*code != 0x2e && *code != 0x3e) {
            break;
        }
    }
    if ((*code & 0xf0) == 0x40) {
        of.is_wide = (*code & 8) != 0;
        code++;
    }
    switch (*code) {
    case 0x0f:
        return reads_two_bytes(code[1], of);
    case 0xc5: /* VEX, EVEX: scalars among them read fewer */
    case 0xc4:
    case 0x62:
        return 1;
    case 0x63: /* movsxd */
        return 4;
    default: /* the lowest bit tells bytes from words */
        return (*code & 1) != 0 ? reads_word(of) : 1;
    }
}

#endif
