/* SPDX-License-Identifier: Apache-2.0 */
/* keyslots-sim: parts on a virtual bus. */
#include "keyslots_sim.h"

#include "../common/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 32 };

static const char help[] =
    "usage: keyslots-sim (--listen PATH | --fifo IN OUT) --chip SPEC [--chip SPEC ...] "
    "[--verbose]\n"
    "       keyslots-sim --serial FILE\n"
    "\n"
    "Virtual parts that keep AES keys, for programs that speak the protocol of sim/README.md.\n"
    "SPEC: comma-separated settings\n"
    "  bus=N       bus number, 0 to 255 (default 0)\n"
    "  address=A   7-bit address\n"
    "  nvm=FILE    image of its memory, made when absent; without it all is forgotten at the end\n"
    "  fault=TEXT  a fault from the start, as sim/keyslots/README.md describes it\n";

struct served_part {
    unsigned long bus;
    unsigned long address;
    struct keyslots_sim *part;
};

/* Those of the process; the first without a part ends them. */
static struct served_part parts[PARTS + 1];

static struct keyslots_sim *find(const struct served_part *served, unsigned bus, unsigned address)
{
    while (served->part != NULL && (served->bus != bus || served->address != address)) {
        served++;
    }
    return served->part;
}

/* The values of a specification, which lie in it. */
struct settings {
    const char *bus;
    const char *address;
    const char *nvm;
    const char *fault;
};

static bool set(struct settings *settings, const char *name, const char *value)
{
    const struct {
        const char *name;
        const char **value;
    } known[] = {{"bus", &settings->bus},
                 {"address", &settings->address},
                 {"nvm", &settings->nvm},
                 {"fault", &settings->fault}};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(known[i].name, name) == 0) {
            *known[i].value = value;
            return true;
        }
    }
    fprintf(stderr, "keyslots-sim: --chip: %s is unknown (see --help)\n", name);
    return false;
}

static bool take_apart(char *text, struct settings *settings)
{
    for (char *setting = strtok(text, ","); setting != NULL; setting = strtok(NULL, ",")) {
        char *value = strchr(setting, '=');

        if (value == NULL) {
            fprintf(stderr, "keyslots-sim: --chip: '%s' is not name=value\n", setting);
            return false;
        }
        *value++ = '\0';
        if (!set(settings, setting, value)) {
            return false;
        }
    }
    return true;
}

static bool add(void *chips, char *text)
{
    struct settings settings = {"0", "", NULL, "clear"};
    struct served_part *served = chips;
    char error[512];

    while (served->part != NULL) {
        served++;
    }
    if (!take_apart(text, &settings)) {
        return false;
    }
    served->bus = strtoul(settings.bus, NULL, 0);
    served->address = strtoul(settings.address, NULL, 0);
    if (served == parts + PARTS || served->bus > 255 || served->address == 0 ||
        served->address > 0x7F ||
        find(parts, (unsigned)served->bus, (unsigned)served->address) != NULL) {
        fprintf(stderr, "keyslots-sim: no place for another part at address %s of bus %s\n",
                settings.address, settings.bus);
        return false;
    }
    served->part = keyslots_sim_new(settings.nvm, error, sizeof(error));
    if (served->part == NULL) {
        fprintf(stderr, "keyslots-sim: %s\n", error);
        return false;
    }
    if (!keyslots_sim_fault(served->part, settings.fault)) {
        fprintf(stderr, "keyslots-sim: --chip: no such fault: %s\n", settings.fault);
        return false;
    }
    return true;
}

static int print_serial(const char *path)
{
    return keyslots_sim_print_serial(path) ? 0 : 1;
}

static uint8_t write_to(void *chips, uint8_t bus, uint8_t address, const uint8_t *data,
                        size_t length)
{
    struct keyslots_sim *part = find(chips, bus, address);

    return part != NULL && keyslots_sim_write(part, data, length) ? SERVER_DONE
                                                                  : SERVER_NOT_ACKNOWLEDGED;
}

static uint8_t read_from(void *chips, uint8_t bus, uint8_t address, uint8_t *data, size_t length)
{
    struct keyslots_sim *part = find(chips, bus, address);

    return part != NULL && keyslots_sim_read(part, data, length) ? SERVER_DONE
                                                                 : SERVER_NOT_ACKNOWLEDGED;
}

static void pass_time(void *chips, uint32_t microseconds)
{
    (void)chips; /* a part has its answer at once */
    (void)microseconds;
}

static uint8_t control(void *chips, uint8_t bus, uint8_t address, const char *text, char *answer,
                       size_t room)
{
    struct keyslots_sim *part = find(chips, bus, address);

    if (part == NULL) {
        snprintf(answer, room, "no part with address 0x%02X on bus %u", address, bus);
        return SERVER_ERROR;
    }
    if (strcmp(text, "transactions") == 0) {
        snprintf(answer, room, "%lu", (unsigned long)keyslots_sim_transactions(part));
    } else if (strcmp(text, "power-cycle") == 0) {
        keyslots_sim_power_cycle(part);
    } else if (!keyslots_sim_fault(part, text)) {
        snprintf(answer, room, "neither a fault nor a question: %s", text);
        return SERVER_ERROR;
    }
    return SERVER_DONE;
}

int main(int argc, char **argv)
{
    struct server server = {
        .program = "keyslots-sim",
        .help = help,
        .chips = parts,
        .add = add,
        .print_serial = print_serial,
        .write = write_to,
        .read = read_from,
        .delay = pass_time,
        .control = control,
    };
    const int status = server_main(&server, argc, argv);

    for (size_t i = 0; i < PARTS; i++) {
        keyslots_sim_free(parts[i].part);
    }
    return status;
}
