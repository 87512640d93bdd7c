/* SPDX-License-Identifier: Apache-2.0 */
/* Faults that a test sets. Each is a kind and a range of transactions. */
#include "chip.h"

#include <stdlib.h>
#include <string.h>

struct fault_name {
    const char *name;
    enum fault_kind kind;
};

static const struct fault_name names[] = {
    {"nak", FAULT_NAK},
    {"crc", FAULT_CRC},
    {"garbage", FAULT_GARBAGE},
    {"silence", FAULT_SILENCE},
    {"watchdog", FAULT_WATCHDOG},
    {"power", FAULT_POWER},
    {"power-after", FAULT_POWER_AFTER},
};

/* Read "N", "N+C" or "N+" after the @. */
static bool parse_range(const char *text, struct fault *fault)
{
    char *end;

    if (*text < '1' || *text > '9') {
        return false;
    }
    fault->first = strtoull(text, &end, 10);
    fault->repeats = 1;
    if (*end == '+') {
        text = end + 1;
        if (*text == '\0') {
            fault->repeats = UINT64_MAX;
            return true;
        }
        if (*text < '1' || *text > '9') {
            return false;
        }
        fault->repeats = strtoull(text, &end, 10);
    }
    return *end == '\0';
}

/* Read the two hexadecimal digits of "status:XX". */
static bool parse_status(const char *text, size_t length, struct fault *fault)
{
    static const char prefix[] = "status:";
    size_t prefix_length = sizeof(prefix) - 1;
    char digits[3];
    char *end;

    if (length != prefix_length + 2 || strncmp(text, prefix, prefix_length) != 0) {
        return false;
    }
    memcpy(digits, text + prefix_length, 2);
    digits[2] = '\0';
    fault->kind = FAULT_STATUS;
    fault->status = (uint8_t)strtoul(digits, &end, 16);
    return *end == '\0' && strchr("+- \t", digits[0]) == NULL && fault->status != 0;
}

static bool parse_fault(const char *text, struct fault *fault)
{
    const char *at = strchr(text, '@');
    size_t length = at != NULL ? (size_t)(at - text) : strlen(text);

    memset(fault, 0, sizeof(*fault));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strlen(names[i].name) == length && strncmp(names[i].name, text, length) == 0) {
            fault->kind = names[i].kind;
        }
    }
    if (fault->kind == FAULT_NONE && !parse_status(text, length, fault)) {
        return false;
    }
    if (at != NULL) {
        return parse_range(at + 1, fault);
    }
    fault->first = 1;
    fault->repeats = UINT64_MAX;
    return fault->kind == FAULT_SILENCE; /* the only one that means something without a number */
}

bool atecc608_sim_fault(struct atecc608_sim_chip *chip, const char *text)
{
    struct fault fault;

    if (strcmp(text, "clear") == 0) {
        memset(chip->faults, 0, sizeof(chip->faults));
        chip->injected_status = 0;
        return true;
    }
    if (!parse_fault(text, &fault)) {
        return false;
    }
    fault.first += chip->seen;
    for (size_t i = 0; i < FAULTS_PER_CHIP; i++) {
        struct fault *slot = &chip->faults[i];
        bool over = slot->kind != FAULT_NONE && chip->seen >= slot->first &&
                    chip->seen - slot->first + 1 >= slot->repeats;

        if (slot->kind == FAULT_NONE || over) {
            *slot = fault;
            return true;
        }
    }
    return false;
}

struct fault fault_next(struct atecc608_sim_chip *chip)
{
    static const struct fault none = {FAULT_NONE, 0, 0, 0};

    chip->seen++;
    chip->transactions++;
    for (size_t i = 0; i < FAULTS_PER_CHIP; i++) {
        const struct fault *fault = &chip->faults[i];

        if (fault->kind != FAULT_NONE && chip->seen >= fault->first &&
            chip->seen - fault->first < fault->repeats) {
            return *fault;
        }
    }
    return none;
}

void fault_damage(enum fault_kind kind, uint8_t *data, size_t length)
{
    if (kind == FAULT_CRC && length > 0) {
        data[length - 1] ^= 0x10;
    }
    if (kind == FAULT_GARBAGE) {
        for (size_t i = 0; i < length; i++) {
            data[i] = (uint8_t)(0xA7u + 0x3Bu * i); /* fixed, so that a failing test repeats */
        }
    }
}
