/* SPDX-License-Identifier: Apache-2.0 */
/* atecc608-sim: the command line. */
#include "chip.h"
#include "chip_spec.h"
#include "serve.h"

#include "../common/server.h"

#include <stdio.h>

/* Position of the serial number in the configuration zone. */
static const uint8_t serial_bytes[] = {0, 1, 2, 3, 8, 9, 10, 11, 12};

static const char help[] =
    "usage: atecc608-sim (--listen PATH | --fifo IN OUT) --chip SPEC [--chip SPEC ...] "
    "[--verbose]\n"
    "       atecc608-sim --serial FILE\n"
    "\n"
    "Virtual ATECC608 secure elements on virtual I2C buses, for programs that speak the protocol "
    "of\n"
    "sim/README.md. Time is virtual: a chip works only while its host waits or talks.\n"
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
static bool address_free(const struct served *served, uint8_t bus,
                         const struct atecc608_sim_chip *chip)
{
    for (size_t i = 0; i < served->chip_count; i++) {
        if (served->chips[i].bus == bus &&
            atecc608_sim_address(served->chips[i].chip) == atecc608_sim_address(chip)) {
            return false;
        }
    }
    return true;
}

static bool add_chip(void *chips, char *text)
{
    struct served *served = chips;
    struct atecc608_sim_spec spec;
    struct atecc608_sim_chip *chip;
    char error[512];

    if (!atecc608_sim_parse_spec(text, &spec)) {
        return false;
    }
    if (served->chip_count == SERVED_CHIPS) {
        fprintf(stderr, "atecc608-sim: more than %d chips\n", SERVED_CHIPS);
        return false;
    }
    if (served->buses[spec.bus] == NULL) {
        served->buses[spec.bus] = atecc608_sim_bus_new();
    }
    chip = atecc608_sim_attach(served->buses[spec.bus], &spec.options, error, sizeof(error));
    if (chip == NULL) {
        fprintf(stderr, "atecc608-sim: %s\n", error);
        return false;
    }
    if (!address_free(served, (uint8_t)spec.bus, chip)) {
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
    served->chips[served->chip_count].bus = (uint8_t)spec.bus;
    served->chips[served->chip_count++].chip = chip;
    return true;
}

/* The serial number, which provisioning also prints to identify the chip. */
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
    static struct served served;
    struct server server = {
        .program = "atecc608-sim",
        .help = help,
        .chips = &served,
        .add = add_chip,
        .print_serial = print_serial,
        .write = served_write,
        .read = served_read,
        .delay = served_delay,
        .control = served_control,
    };
    const int status = server_main(&server, argc, argv);

    for (size_t i = 0; i < SERVED_BUSES; i++) {
        atecc608_sim_bus_free(served.buses[i]);
    }
    return status;
}
