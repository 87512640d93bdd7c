/* SPDX-License-Identifier: Apache-2.0 */
/* The bus and the chip's states on it: asleep, idle, waking, awake, busy. Time advances by traffic
 * and by delays; every entry point first brings each chip up to the present. */
#include "chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAKE_DELAY_US = 1500, /* tWHI: from the end of SDA low until the chip listens */
    WAKE_LOW_NS = 60000,  /* tWLO: SDA low for so long wakes it */
    WORD_RESET = 0x00,
    WORD_SLEEP = 0x01,
    WORD_IDLE = 0x02,
    WORD_COMMAND = 0x03,
};

/* A transfer that comes byte by byte. */
struct transfer {
    struct atecc608_sim_chip *chip; /* who acknowledged; NULL for none */
    struct fault fault;
    bool is_read;
    uint8_t data[COMMAND_MAX_SIZE + 1]; /* bytes written so far */
    size_t length;
};

struct atecc608_sim_bus {
    struct atecc608_sim_chip *chips[ATECC608_SIM_CHIPS_PER_BUS];
    size_t count;
    struct transfer transfer;
    uint64_t now_ns;
    uint32_t hz;
};

static uint64_t now_us(const struct atecc608_sim_bus *bus)
{
    return bus->now_ns / 1000;
}

/* --- one chip --- */

/* The address that configuration and ChipMode give; read when the chip powers up or leaves sleep.
 */
static void load_address(struct atecc608_sim_chip *chip)
{
    uint8_t byte = chip->nvm.config[CONFIG_I2C_ADDRESS];
    uint8_t extra = chip->nvm.config[CONFIG_USER_EXTRA_ADD];

    if ((chip->nvm.config[CONFIG_CHIP_MODE] & 1u) != 0 && extra != 0) {
        byte = extra;
    }
    chip->address = byte >> 1;
}

static void drop_buffers(struct atecc608_sim_chip *chip)
{
    memset(chip->command, 0, sizeof(chip->command));
    memset(chip->response, 0, sizeof(chip->response));
    chip->command_length = 0;
    chip->response_length = 0;
    chip->response_position = 0;
}

static void fall_asleep(struct atecc608_sim_chip *chip)
{
    memset(&chip->ram, 0, sizeof(chip->ram));
    drop_buffers(chip);
    chip->state = STATE_ASLEEP;
    load_address(chip);
}

void bus_power_loss(struct atecc608_sim_chip *chip, bool keep)
{
    if (chip->state == STATE_BUSY && !keep) {
        chip->nvm = chip->before;
    }
    if (chip->state == STATE_BUSY && keep && chip->nvm_path != NULL) {
        char error[256];

        if (!nvm_store(chip->nvm_path, &chip->nvm, error, sizeof(error))) {
            fprintf(stderr, "atecc608-sim: %s\n", error);
            chip->nvm = chip->before;
        }
    }
    chip->latch = false;
    chip->injected_status = 0;
    fall_asleep(chip);
}

/* The command is done: its changes become permanent and its answer can be read. */
static void finish_command(struct atecc608_sim_chip *chip)
{
    char error[256];

    chip->state = STATE_AWAKE;
    if (chip->nvm_path == NULL || memcmp(&chip->nvm, &chip->before, sizeof(chip->nvm)) == 0) {
        return;
    }
    if (!nvm_store(chip->nvm_path, &chip->nvm, error, sizeof(error))) {
        fprintf(stderr, "atecc608-sim: %s\n", error);
        chip->nvm = chip->before;
        packet_respond_status(chip, STATUS_EXECUTION);
    }
}

void bus_advance(struct atecc608_sim_chip *chip)
{
    uint64_t now = now_us(chip->bus);

    if (chip->state == STATE_WAKING && now >= chip->ready_at) {
        chip->state = STATE_AWAKE;
    }
    if (chip->state == STATE_BUSY && now >= chip->ready_at) {
        finish_command(chip); /* always before the watchdog: see run_command */
    }
    if (chip->state == STATE_AWAKE && now >= chip->watchdog_at) {
        fall_asleep(chip);
    }
}

static void wake(struct atecc608_sim_chip *chip)
{
    uint64_t now = now_us(chip->bus);

    if (chip->state != STATE_ASLEEP && chip->state != STATE_IDLE) {
        return;
    }
    if (chip->state == STATE_ASLEEP) {
        memset(&chip->ram, 0, sizeof(chip->ram));
        load_address(chip);
    }
    drop_buffers(chip);
    packet_respond_status(chip, STATUS_WAKE);
    chip->state = STATE_WAKING;
    chip->ready_at = now + WAKE_DELAY_US;
    chip->watchdog_at = now + time_watchdog(chip);
}

/* The whole packet is there: execute it now, show the result when its time has passed. */
static void run_command(struct atecc608_sim_chip *chip)
{
    uint64_t now = now_us(chip->bus);

    chip->before = chip->nvm;
    if (chip->injected_status != 0) {
        packet_respond_status(chip, chip->injected_status);
        chip->injected_status = 0;
        chip->ready_at = now + time_of(chip, chip->command[1]);
    } else if (now + time_of(chip, chip->command[1]) > chip->watchdog_at) {
        packet_respond_status(chip, STATUS_WATCHDOG);
        chip->ready_at = now;
    } else {
        chip->ready_at = now + command_execute(chip);
    }
    chip->command_length = 0;
    chip->state = STATE_BUSY;
    bus_advance(chip);
}

/* Bytes for the command buffer. Returns false at the first byte that the chip does not take. */
static bool take_command(struct atecc608_sim_chip *chip, const uint8_t *data, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (chip->state == STATE_BUSY) {
            return false; /* the packet was complete before this byte */
        }
        chip->response_length = 0; /* one buffer for both directions */
        chip->command[chip->command_length++] = data[i];
        if (chip->command[0] < COMMAND_OVERHEAD || chip->command[0] > COMMAND_MAX_SIZE) {
            packet_respond_status(chip, STATUS_COMMUNICATION);
            chip->command_length = 0;
            return i + 1 == length;
        }
        if (chip->command_length == chip->command[0]) {
            run_command(chip);
        }
    }
    return true;
}

/* A write to an awake chip. */
static bool take_write(struct atecc608_sim_chip *chip, const uint8_t *data, size_t length)
{
    if (length == 0) {
        return true;
    }
    switch (data[0]) {
    case WORD_RESET:
        chip->response_position = 0;
        chip->command_length = 0;
        return true;
    case WORD_SLEEP:
        fall_asleep(chip);
        return true;
    case WORD_IDLE:
        drop_buffers(chip);
        chip->state = STATE_IDLE;
        return true;
    case WORD_COMMAND:
        return take_command(chip, data + 1, length - 1);
    default:
        return false;
    }
}

/* false: not listening, or a packet is half there, or nothing to say. */
static bool can_be_read(const struct atecc608_sim_chip *chip)
{
    return chip->state == STATE_AWAKE && chip->command_length == 0 && chip->response_length > 0;
}

static bool give_read(struct atecc608_sim_chip *chip, uint8_t *data, size_t length)
{
    if (!can_be_read(chip)) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = 0xFF;

        if (chip->response_position < chip->response_length) {
            byte = chip->response[chip->response_position++];
        }
        data[i] &= byte;
    }
    return true;
}

/* Faults that act before the transaction. Returns true when the chip does not see it at all. */
static bool fault_before(struct atecc608_sim_chip *chip, const struct fault *fault)
{
    switch (fault->kind) {
    case FAULT_NAK:
    case FAULT_SILENCE:
        return true;
    case FAULT_WATCHDOG:
        if (chip->state == STATE_BUSY) {
            chip->nvm = chip->before;
        }
        fall_asleep(chip);
        return true;
    case FAULT_POWER:
        bus_power_loss(chip, false);
        return true;
    default:
        return false;
    }
}

/* A write that the chip sees, as far as the fault lets it. */
static bool take_with_fault(struct atecc608_sim_chip *chip, const struct fault *fault,
                            const uint8_t *data, size_t length)
{
    uint8_t damaged[COMMAND_MAX_SIZE + 1];
    bool taken;

    if (length > 1 && length <= sizeof(damaged) && data[0] == WORD_COMMAND) {
        chip->injected_status = fault->kind == FAULT_STATUS ? fault->status : 0;
        memcpy(damaged, data, length);
        /* the count stays, so that the packet still ends where the host thinks it does */
        fault_damage(fault->kind, damaged + 2, length - 2);
        data = damaged;
    }
    taken = chip->state == STATE_AWAKE && take_write(chip, data, length);
    if (fault->kind == FAULT_POWER_AFTER) {
        bus_power_loss(chip, true);
        return false;
    }
    return taken;
}

static bool chip_write(struct atecc608_sim_chip *chip, const uint8_t *data, size_t length)
{
    const struct fault fault = fault_next(chip);

    return !fault_before(chip, &fault) && take_with_fault(chip, &fault, data, length);
}

static bool chip_read(struct atecc608_sim_chip *chip, uint8_t *data, size_t length)
{
    struct fault fault = fault_next(chip);

    if (fault_before(chip, &fault)) {
        return false;
    }
    if (fault.kind == FAULT_POWER_AFTER) {
        bus_power_loss(chip, true);
        return false;
    }
    if (!give_read(chip, data, length)) {
        return false;
    }
    fault_damage(fault.kind, data, length);
    return true;
}

static void chip_wake(struct atecc608_sim_chip *chip)
{
    struct fault fault = fault_next(chip);

    if (!fault_before(chip, &fault)) {
        wake(chip);
    }
    if (fault.kind == FAULT_POWER_AFTER) {
        bus_power_loss(chip, true);
    }
}

/* --- the bus --- */

static void advance_all(struct atecc608_sim_bus *bus)
{
    for (size_t i = 0; i < bus->count; i++) {
        bus_advance(bus->chips[i]);
    }
}

/* Nine clocks for the address and for each byte. */
static void spend_bytes(struct atecc608_sim_bus *bus, size_t length)
{
    bus->now_ns += (uint64_t)(length + 1) * 9u * 1000000000u / bus->hz;
    advance_all(bus);
}

static void wake_all(struct atecc608_sim_bus *bus)
{
    bool long_enough = 8ull * 1000000000u / bus->hz >= WAKE_LOW_NS;

    for (size_t i = 0; i < bus->count; i++) {
        if (long_enough) {
            chip_wake(bus->chips[i]);
        }
    }
}

enum atecc608_sim_status atecc608_sim_write(struct atecc608_sim_bus *bus, uint8_t address,
                                            const uint8_t *data, size_t length)
{
    bool taken = false;

    if (bus == NULL || address > 0x7F || (data == NULL && length > 0)) {
        return ATECC608_SIM_BUS_ERROR;
    }
    spend_bytes(bus, length);
    if (address == 0) {
        wake_all(bus);
        return ATECC608_SIM_NAK;
    }
    for (size_t i = 0; i < bus->count; i++) {
        if (bus->chips[i]->address == address && chip_write(bus->chips[i], data, length)) {
            taken = true;
        }
    }
    return taken ? ATECC608_SIM_ACK : ATECC608_SIM_NAK;
}

enum atecc608_sim_status atecc608_sim_read(struct atecc608_sim_bus *bus, uint8_t address,
                                           uint8_t *data, size_t length)
{
    bool given = false;

    if (bus == NULL || address > 0x7F || (data == NULL && length > 0)) {
        return ATECC608_SIM_BUS_ERROR;
    }
    if (length > 0) {
        memset(data, 0xFF, length);
    }
    for (size_t i = 0; i < bus->count; i++) {
        if (bus->chips[i]->address == address && chip_read(bus->chips[i], data, length)) {
            given = true;
        }
    }
    spend_bytes(bus, given ? length : 0);
    return given ? ATECC608_SIM_ACK : ATECC608_SIM_NAK;
}

/* --- the same byte by byte --- */

static struct atecc608_sim_chip *chip_at(const struct atecc608_sim_bus *bus, uint8_t address)
{
    for (size_t i = 0; i < bus->count; i++) {
        if (bus->chips[i]->address == address) {
            return bus->chips[i];
        }
    }
    return NULL;
}

static bool acknowledges(struct atecc608_sim_chip *chip, const struct transfer *transfer)
{
    if (fault_before(chip, &transfer->fault)) {
        return false;
    }
    if (transfer->is_read && transfer->fault.kind == FAULT_POWER_AFTER) {
        bus_power_loss(chip, true);
        return false;
    }
    return transfer->is_read ? can_be_read(chip) : chip->state == STATE_AWAKE;
}

enum atecc608_sim_status atecc608_sim_begin(struct atecc608_sim_bus *bus, uint8_t address,
                                            bool is_read)
{
    struct transfer *transfer = &bus->transfer;
    struct atecc608_sim_chip *chip;

    memset(transfer, 0, sizeof(*transfer));
    transfer->is_read = is_read;
    spend_bytes(bus, 0);
    if (address == 0) {
        wake_all(bus);
        return ATECC608_SIM_NAK;
    }
    chip = chip_at(bus, address);
    if (chip == NULL) {
        return ATECC608_SIM_NAK;
    }
    transfer->fault = fault_next(chip);
    if (acknowledges(chip, transfer)) {
        transfer->chip = chip;
    }
    return transfer->chip != NULL ? ATECC608_SIM_ACK : ATECC608_SIM_NAK;
}

enum atecc608_sim_status atecc608_sim_put(struct atecc608_sim_bus *bus, uint8_t byte)
{
    struct transfer *transfer = &bus->transfer;

    spend_bytes(bus, 0);
    if (transfer->chip == NULL || transfer->length == sizeof(transfer->data) ||
        (transfer->length == 0 && byte > WORD_COMMAND)) {
        return ATECC608_SIM_NAK;
    }
    transfer->data[transfer->length++] = byte;
    return ATECC608_SIM_ACK;
}

uint8_t atecc608_sim_get(struct atecc608_sim_bus *bus)
{
    struct transfer *transfer = &bus->transfer;
    struct atecc608_sim_chip *chip = transfer->chip;
    uint8_t byte = 0xFF;

    spend_bytes(bus, 0);
    if (chip == NULL || !give_read(chip, &byte, 1)) {
        return 0xFF;
    }
    /* The end of a read is not known before it; the end of the response is as good. */
    if (transfer->fault.kind != FAULT_CRC || chip->response_position == chip->response_length) {
        fault_damage(transfer->fault.kind, &byte, 1);
    }
    return byte;
}

void atecc608_sim_end(struct atecc608_sim_bus *bus)
{
    struct transfer *transfer = &bus->transfer;

    if (transfer->chip != NULL && !transfer->is_read) {
        (void)take_with_fault(transfer->chip, &transfer->fault, transfer->data, transfer->length);
    }
    transfer->chip = NULL;
}

void atecc608_sim_delay_us(struct atecc608_sim_bus *bus, uint32_t microseconds)
{
    bus->now_ns += (uint64_t)microseconds * 1000;
    advance_all(bus);
}

uint64_t atecc608_sim_time_us(const struct atecc608_sim_bus *bus)
{
    return now_us(bus);
}

void atecc608_sim_set_hz(struct atecc608_sim_bus *bus, uint32_t hz)
{
    bus->hz = hz > 0 ? hz : 1;
}

struct atecc608_sim_bus *atecc608_sim_bus_new(void)
{
    struct atecc608_sim_bus *bus = calloc(1, sizeof(*bus));

    if (bus != NULL) {
        bus->hz = 100000;
    }
    return bus;
}

static void free_chip(struct atecc608_sim_chip *chip)
{
    if (chip != NULL) {
        free(chip->nvm_path);
        memset(chip, 0, sizeof(*chip));
        free(chip);
    }
}

void atecc608_sim_bus_free(struct atecc608_sim_bus *bus)
{
    if (bus == NULL) {
        return;
    }
    for (size_t i = 0; i < bus->count; i++) {
        free_chip(bus->chips[i]);
    }
    free(bus);
}

/* --- making a chip --- */

/* Load the image, or make factory memory and, with a path, its image. */
static bool prepare_memory(struct atecc608_sim_chip *chip, uint8_t address, char *error,
                           size_t error_size)
{
    int found = 0;

    if (chip->nvm_path != NULL) {
        found = nvm_load(chip->nvm_path, &chip->nvm, error, error_size);
    }
    if (found < 0) {
        return false;
    }
    if (found == 0 && !zones_factory(&chip->nvm, address)) {
        snprintf(error, error_size, "no randomness for a serial number");
        return false;
    }
    if (found == 0 && chip->nvm_path != NULL) {
        return nvm_store(chip->nvm_path, &chip->nvm, error, error_size);
    }
    return true;
}

struct atecc608_sim_chip *atecc608_sim_attach(struct atecc608_sim_bus *bus,
                                              const struct atecc608_sim_options *options,
                                              char *error, size_t error_size)
{
    char ignored[1];
    struct atecc608_sim_chip *chip = NULL;
    uint8_t address = options->address != 0 ? options->address : ATECC608_SIM_DEFAULT_ADDRESS;
    bool ok;

    if (error == NULL || error_size == 0) {
        error = ignored;
        error_size = sizeof(ignored);
    }
    if (bus == NULL || bus->count == ATECC608_SIM_CHIPS_PER_BUS || address > 0x7F) {
        snprintf(error, error_size, "no such bus, no room on it, or an address above 0x7F");
        return NULL;
    }
    chip = calloc(1, sizeof(*chip));
    ok = chip != NULL;
    if (ok && options->nvm_path != NULL) {
        chip->nvm_path = strdup(options->nvm_path);
        ok = chip->nvm_path != NULL;
    }
    if (!ok) {
        snprintf(error, error_size, "out of memory");
    }
    if (!ok || !prepare_memory(chip, address, error, error_size)) {
        free_chip(chip);
        return NULL;
    }
    chip->bus = bus;
    chip->time_percent = options->time_percent != 0 ? options->time_percent : 100;
    chip->state = STATE_ASLEEP;
    load_address(chip);
    bus->chips[bus->count++] = chip;
    return chip;
}
