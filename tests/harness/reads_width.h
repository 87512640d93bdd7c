/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many bytes an instruction of x86-64 reads, and whether one that writes reads the same bytes
 * before: of those that compilers make of C and that libraries have for it. If there is doubt, the
 * width is the smaller one, and the instruction does not read.
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

/* The opcode behind prefixes, of which those that matter are kept. */
__attribute__((no_sanitize("address", "undefined"))) static inline const uint8_t *
reads_opcode(const uint8_t *code, struct reads_prefixes *of)
{
    for (;; code++) {
        if (*code == 0x66) {
            of->is_half = true;
        } else if (*code == 0xf2 || *code == 0xf3) {
            of->rep = *code;
        } else if (*code != 0x2e && *code != 0x3e && *code != 0xf0) {
            break;
        }
    }
    if ((*code & 0xf0) == 0x40) {
        of->is_wide = (*code & 8) != 0;
        code++;
    }
    return code;
}

/* Whether an instruction that writes to memory computes with the bytes that are there. */
__attribute__((no_sanitize("address", "undefined"))) static inline bool
reads_before_it_writes(const uint8_t *code)
{
    struct reads_prefixes of = {false, false, 0};

    code = reads_opcode(code, &of);
    if (*code < 0x40) {
        return *code != 0x0f && (*code & 7) < 2; /* add, or, adc, sbb, and, sub, xor */
    }
    switch (*code) {
    case 0x80: /* the same with a constant */
    case 0x81:
    case 0x83:
    case 0x86: /* xchg */
    case 0x87:
    case 0xc0: /* shifts and rotations */
    case 0xc1:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
    case 0xf6: /* not, neg */
    case 0xf7:
    case 0xfe: /* inc, dec */
    case 0xff:
        return true;
    case 0x0f: /* shld, shrd, bts, btr, btc, cmpxchg, xadd */
        return code[1] == 0xa4 || code[1] == 0xa5 || code[1] == 0xac || code[1] == 0xad ||
               code[1] == 0xab || code[1] == 0xb3 || code[1] == 0xba || code[1] == 0xbb ||
               code[1] == 0xb0 || code[1] == 0xb1 || code[1] == 0xc0 || code[1] == 0xc1;
    default:
        return false;
    }
}

__attribute__((no_sanitize("address", "undefined"))) static inline size_t
reads_width(const uint8_t *code)
{
    struct reads_prefixes of = {false, false, 0};

    code = reads_opcode(code, &of);
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
