/* SPDX-License-Identifier: Apache-2.0 */
/* atecc608-sim: the command line. */
#include "chip.h"
#include "chip_spec.h"
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USAGE = 2 };

/* Where the serial number stands in the configuration zone. */
static const uint8_t serial_bytes[] = {0, 1, 2, 3, 8, 9, 10, 11, 12};

static const char help[] =
    "usage: atecc608-sim (--listen PATH | --fifo IN OUT) --chip SPEC [--chip SPEC ...] "
    "[--verbose]\n"
    "       atecc608-sim --serial FILE\n"
    "\n"
    "Virtual ATECC608 secure elements on virtual I2C buses, for programs that speak the protocol "
    "of\n"
    "sim/atecc608/README.md. Time is virtual: a chip works only while its host waits or talks.\n"
    "\n"
    "  --listen PATH    serve any number of clients on the Unix socket PATH, until SIGTERM or "
    "SIGINT\n"
    "  --fifo IN OUT    read requests from the FIFO IN and answer on the FIFO OUT, until IN is "
    "closed;\n"
    "                   FIFOs that do not exist are made\n"
    "  --chip SPEC      a chip: comma-separated settings\n"
    "                     bus=N         bus number, 0 to 255 (default 0)\n"
    "                     address=A     7-bit address of a new chip (default 0x60)\n"
    "                     nvm=FILE      image of its memory, made when absent; without it the chip "
    "is\n"
    "                                   factory-fresh at each start and forgets everything at the "
    "end\n"
    "                     time=PERCENT  execution times, percent of the maximum (default 100)\n"
    "                     fault=TEXT    a fault from the start, may be repeated:\n"
    "                                   nak@N crc@N garbage@N silence[@N] watchdog@N power@N\n"
    "                                   power-after@N status:XX@N, each also as @N+COUNT or @N+\n"
    "  --verbose        one line on standard error for each request\n"
    "  --serial FILE    print the serial number of the chip whose memory FILE is, and end\n"
    "  --help           this text\n"
    "\n"
    "example: atecc608-sim --listen /tmp/chips.sock \\\n"
    "           --chip bus=0,address=0x60,nvm=se0.nvm --chip bus=0,address=0x61,nvm=se1.nvm\n";

/* Two chips that answer to one address would talk at the same time. */
static bool address_free(const struct server *server, uint8_t bus,
                         const struct atecc608_sim_chip *chip)
{
    for (size_t i = 0; i < server->chip_count; i++) {
        if (server->chips[i].bus == bus &&
            atecc608_sim_address(server->chips[i].chip) == atecc608_sim_address(chip)) {
            return false;
        }
    }
    return true;
}

static bool add_chip(struct server *server, char *text)
{
    struct atecc608_sim_spec spec;
    struct atecc608_sim_chip *chip;
    char error[512];

    if (!atecc608_sim_parse_spec(text, &spec)) {
        return false;
    }
    if (server->chip_count == SERVER_CHIPS) {
        fprintf(stderr, "atecc608-sim: more than %d chips\n", SERVER_CHIPS);
        return false;
    }
    if (server->buses[spec.bus] == NULL) {
        server->buses[spec.bus] = atecc608_sim_bus_new();
    }
    chip = atecc608_sim_attach(server->buses[spec.bus], &spec.options, error, sizeof(error));
    if (chip == NULL) {
        fprintf(stderr, "atecc608-sim: %s\n", error);
        return false;
    }
    if (!address_free(server, (uint8_t)spec.bus, chip)) {
        fprintf(stderr, "atecc608-sim: two chips at address 0x%02X of bus %lu\n",
                atecc608_sim_address(chip), spec.bus);
        return false;
    }
    if (spec.options.address != 0 && spec.options.address != atecc608_sim_address(chip)) {
        fprintf(stderr, "atecc608-sim: note: the image %s gives address 0x%02X, not 0x%02X\n",
                spec.options.nvm_path, atecc608_sim_address(chip), spec.options.address);
    }
    for (size_t i = 0; i < spec.fault_count; i++) {
        if (!atecc608_sim_fault(chip, spec.faults[i])) {
            fprintf(stderr, "atecc608-sim: --chip: no such fault: %s (see --help)\n",
                    spec.faults[i]);
            return false;
        }
    }
    server->chips[server->chip_count].bus = (uint8_t)spec.bus;
    server->chips[server->chip_count++].chip = chip;
    return true;
}

/* What the command line asks for. */
struct arguments {
    const char *listen;
    const char *fifo_in;
    const char *fifo_out;
};

static bool parse_arguments(int count, char **values, struct server *server,
                            struct arguments *arguments)
{
    for (int i = 1; i < count; i++) {
        if (strcmp(values[i], "--listen") == 0 && i + 1 < count) {
            arguments->listen = values[++i];
        } else if (strcmp(values[i], "--fifo") == 0 && i + 2 < count) {
            arguments->fifo_in = values[++i];
            arguments->fifo_out = values[++i];
        } else if (strcmp(values[i], "--chip") == 0 && i + 1 < count) {
            if (!add_chip(server, values[++i])) {
                return false;
            }
        } else if (strcmp(values[i], "--verbose") == 0) {
            server->verbose = true;
        } else {
            fprintf(stderr,
                    "atecc608-sim: %s: unknown, or something is missing after it (see --help)\n",
                    values[i]);
            return false;
        }
    }
    if ((arguments->listen != NULL) == (arguments->fifo_in != NULL)) {
        fprintf(stderr, "atecc608-sim: give either --listen PATH or --fifo IN OUT (see --help)\n");
        return false;
    }
    if (server->chip_count == 0) {
        fprintf(stderr, "atecc608-sim: no chip: give at least one --chip (see --help)\n");
        return false;
    }
    return true;
}

/* What provisioning shows too, so that it can be told whose chip it has found. */
static int print_serial(const char *path)
{
    struct nvm nvm;
    char error[512];
    const int found = nvm_load(path, &nvm, error, sizeof(error));

    if (found != 1) {
        fprintf(stderr, "atecc608-sim: %s%s\n", found == 0 ? "no such file: " : "",
                found == 0 ? path : error);
        return 1;
    }
    for (size_t i = 0; i < sizeof(serial_bytes); i++) {
        printf("%02X", nvm.config[serial_bytes[i]]);
    }
    printf("\n");
    return 0;
}

int main(int argc, char **argv)
{
    static struct server server;
    struct arguments arguments = {NULL, NULL, NULL};
    int status;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(help, stdout);
            return 0;
        }
    }
    if (argc == 3 && strcmp(argv[1], "--serial") == 0) {
        return print_serial(argv[2]);
    }
    if (!parse_arguments(argc, argv, &server, &arguments)) {
        status = USAGE;
    } else if (arguments.listen != NULL) {
        status = server_run_socket(&server, arguments.listen);
    } else {
        status = server_run_fifo(&server, arguments.fifo_in, arguments.fifo_out);
    }
    for (size_t i = 0; i < SERVER_BUSES; i++) {
        atecc608_sim_bus_free(server.buses[i]);
    }
    return status;
}
