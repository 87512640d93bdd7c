/* SPDX-License-Identifier: Apache-2.0 */
#include "label.h"

#include <string.h>

#define DIGITS (2u * FLEET_IDENTITY_SIZE)
#define SCANNED "CF1:"
#define SCANNED_SIZE (sizeof SCANNED - 1)

/* The value of a digit; 16: it is none. */
static uint8_t digit(char text)
{
    const char small = (char)(text | 0x20);

    return (uint8_t)(text >= '0' && text <= '9'     ? text - '0'
                     : small >= 'a' && small <= 'f' ? small - 'a' + 10
                                                    : 16);
}

/* The addend of a digit to the sum of RFC 6920, section 7: every second one counts twice. */
static uint8_t weight(uint8_t value, bool is_doubled)
{
    const uint8_t weighed = (uint8_t)(is_doubled ? value * 2 : value);

    return (uint8_t)(weighed / 16 + weighed % 16);
}

bool label_read(const char *text, uint8_t id[FLEET_IDENTITY_SIZE])
{
    uint8_t count = 0;
    uint8_t sum = 0;

    if (strncmp(text, SCANNED, SCANNED_SIZE) == 0 || strncmp(text, "cf1:", SCANNED_SIZE) == 0) {
        text += SCANNED_SIZE;
    }
    for (; *text != '\0' && *text != ';'; text++) {
        const uint8_t value = digit(*text);
        if (*text == '-') {
            continue;
        }
        if (value > 15 || count == DIGITS) {
            return false;
        }
        const bool is_second = count % 2 != 0;
        id[count / 2] = (uint8_t)(is_second ? id[count / 2] | value : value << 4);
        sum = (uint8_t)((sum + weight(value, is_second)) % 16);
        count++;
    }
    if (count < DIGITS) {
        return false;
    }
    return *text == '\0' || (digit(text[1]) == (16 - sum) % 16 && text[2] == '\0');
}
