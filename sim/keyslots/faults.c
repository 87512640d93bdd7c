/* SPDX-License-Identifier: Apache-2.0 */
/* The fault that a test sets: a kind and a range of transactions. */
#include "part.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum fault_kind kind;
} names[] = {
    {"silence", SILENCE},
    {"power", POWER},
    {"power-during", POWER_DURING},
    {"power-after", POWER_AFTER},
};

/* A number above 0 at *text, which moves behind it. */
static bool take_number(const char **text, uint32_t *number)
{
    char *end;

    if (**text < '1' || **text > '9') {
        return false;
    }
    *number = (uint32_t)strtoul(*text, &end, 10);
    *text = end;
    return true;
}

/* "", "@N", "@N+C" or "@N+". */
static bool take_range(const char *text, struct fault *fault)
{
    fault->first = 1;
    fault->repeats = UINT32_MAX;
    if (*text == '\0') {
        return true;
    }
    text++;
    if (!take_number(&text, &fault->first)) {
        return false;
    }
    if (*text != '+') {
        fault->repeats = 1;
        return *text == '\0';
    }
    text++;
    return *text == '\0' || (take_number(&text, &fault->repeats) && *text == '\0');
}

bool keyslots_sim_fault(struct keyslots_sim *part, const char *text)
{
    struct fault fault = {NO_FAULT, 0, 0};
    const size_t length = strcspn(text, "@");

    if (strcmp(text, "clear") != 0) {
        for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
            if (strlen(names[i].name) == length && strncmp(names[i].name, text, length) == 0) {
                fault.kind = names[i].kind;
            }
        }
        if (fault.kind == NO_FAULT || !take_range(text + length, &fault)) {
            return false;
        }
        fault.first += part->transactions;
    }
    part->fault = fault;
    return true;
}

enum fault_kind fault_next(struct keyslots_sim *part)
{
    const struct fault *fault = &part->fault;
    const uint32_t number = ++part->transactions;

    return number >= fault->first && number - fault->first < fault->repeats ? fault->kind
                                                                            : NO_FAULT;
}
