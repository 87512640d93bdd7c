/* SPDX-License-Identifier: Apache-2.0 */
#include "chip_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUS_MAX = 255 };

static bool parse_number(const char *text, unsigned long maximum, unsigned long *value)
{
    char *end;

    *value = strtoul(text, &end, 0);
    return *text >= '0' && *text <= '9' && *end == '\0' && *value <= maximum;
}

/* One setting, name and value. Says on stderr what is wrong. */
static bool parse_setting(struct atecc608_sim_spec *spec, const char *name, const char *value)
{
    unsigned long number = 0;

    if (strcmp(name, "bus") == 0 && parse_number(value, BUS_MAX, &number)) {
        spec->bus = number;
    } else if (strcmp(name, "address") == 0 && parse_number(value, 0x7F, &number) && number > 0) {
        spec->options.address = (uint8_t)number;
    } else if (strcmp(name, "time") == 0 && parse_number(value, 10000, &number) && number > 0) {
        spec->options.time_percent = (uint32_t)number;
    } else if (strcmp(name, "nvm") == 0 && *value != '\0') {
        spec->options.nvm_path = value;
    } else if (strcmp(name, "fault") == 0 && spec->fault_count < ATECC608_SIM_SPEC_FAULTS) {
        spec->faults[spec->fault_count++] = value;
    } else {
        fprintf(stderr,
                "atecc608-sim: --chip: %s=%s is not possible (bus 0 to 255, address 0x01 to 0x7F "
                "in 7 bits, "
                "nvm, time 1 to 10000, at most 8 faults; see --help)\n",
                name, value);
        return false;
    }
    return true;
}

bool atecc608_sim_parse_spec(char *text, struct atecc608_sim_spec *spec)
{
    memset(spec, 0, sizeof(*spec));
    while (*text != '\0') {
        char *next = text + strcspn(text, ",");
        char *value;

        if (*next == ',') {
            *next++ = '\0';
        }
        value = strchr(text, '=');
        if (value == NULL) {
            fprintf(stderr, "atecc608-sim: --chip: '%s' is not name=value (see --help)\n", text);
            return false;
        }
        *value++ = '\0';
        if (!parse_setting(spec, text, value)) {
            return false;
        }
        text = next;
    }
    return true;
}
