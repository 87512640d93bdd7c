/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three habits of simavr 1.6 are put right here: its interrupt flag stays set for a program that
 * polls, a write's address is reported as data, and each bit takes a microsecond, whatever the
 * program has set.
 */
#include "chips.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <avr_twi.h>
#include <chip_spec.h>
#include <sim_avr.h>

/* Data addresses of bit rate and prescaler. */
enum { REGISTER_TWBR = 0xB8, REGISTER_TWSR = 0xB9, PRESCALER_MASK = 3 };
enum { BITS_PER_BYTE = 9, CYCLES_PER_US = BOARD_HZ / 1000000 };
enum { CYCLES_OF_SIMAVR = CYCLES_PER_US }; /* that it takes for a bit */

struct chips {
    struct board *board;
    struct atecc608_sim_bus *bus;
    avr_twi_t *port;
};

/* Cycles of one bit (data sheet, "Bit rate generator unit"). */
static uint32_t bit_cycles(const struct avr_t *avr)
{
    const unsigned prescaler = avr->data[REGISTER_TWSR] & PRESCALER_MASK;

    return 16u + (2u * avr->data[REGISTER_TWBR] << (2 * prescaler));
}

/* Stop the processor while the bus is busy, beyond the time that simavr adds. */
static void spend(struct chips *chips, unsigned bits, unsigned simavr_bits)
{
    struct avr_t *avr = chips->board->avr;
    const uint64_t cycles = (uint64_t)bits * bit_cycles(avr);
    const uint64_t passed = (uint64_t)simavr_bits * CYCLES_OF_SIMAVR;

    chips->board->traffic.cycles += cycles;
    avr->cycle += cycles > passed ? cycles - passed : 0;
}

/* Bring the chips up to the processor's time. */
static void catch_up(struct chips *chips)
{
    const uint64_t now = chips->board->avr->cycle / CYCLES_PER_US;
    uint64_t then = atecc608_sim_time_us(chips->bus);

    for (; then < now; then = atecc608_sim_time_us(chips->bus)) {
        const uint64_t step = now - then;
        atecc608_sim_delay_us(chips->bus, step < UINT32_MAX ? (uint32_t)step : UINT32_MAX);
    }
    atecc608_sim_set_hz(chips->bus, BOARD_HZ / bit_cycles(chips->board->avr));
}

static void reply(const struct chips *chips, uint8_t message, uint8_t address, uint8_t data)
{
    avr_raise_irq(chips->port->io.irq + TWI_IRQ_INPUT, avr_twi_irq_msg(message, address, data));
}

static void take_address(struct chips *chips, uint8_t byte)
{
    catch_up(chips);
    chips->port->state &= (uint8_t)~TWI_COND_WRITE; /* the address is no data */
    chips->board->traffic.transfers++;
    chips->board->traffic.bytes++;
    spend(chips, 1 + BITS_PER_BYTE, BITS_PER_BYTE); /* START, for which simavr takes no time */
    if (atecc608_sim_begin(chips->bus, byte >> 1, (byte & 1) != 0) == ATECC608_SIM_ACK) {
        reply(chips, TWI_COND_ACK, byte, 1);
    }
}

static void take_byte(struct chips *chips, const avr_twi_msg_t *message)
{
    chips->board->traffic.bytes++;
    spend(chips, BITS_PER_BYTE, BITS_PER_BYTE);
    if ((message->msg & TWI_COND_READ) != 0) {
        reply(chips, TWI_COND_READ, (uint8_t)message->addr, atecc608_sim_get(chips->bus));
    } else if (atecc608_sim_put(chips->bus, (uint8_t)message->data) == ATECC608_SIM_ACK) {
        reply(chips, TWI_COND_ACK, (uint8_t)message->addr, 1);
    }
}

static void take_message(struct avr_irq_t *irq, uint32_t value, void *context)
{
    struct chips *chips = context;
    avr_twi_msg_irq_t message;

    (void)irq;
    message.u.v = value;
    if ((message.u.twi.msg & TWI_COND_STOP) != 0) {
        spend(chips, 1, 0);
        atecc608_sim_end(chips->bus);
    } else if ((message.u.twi.msg & TWI_COND_START) != 0) {
        atecc608_sim_end(chips->bus); /* of a transfer that a repeated START ends */
        take_address(chips, (uint8_t)message.u.twi.addr);
    } else if ((message.u.twi.msg & (TWI_COND_READ | TWI_COND_WRITE)) != 0) {
        take_byte(chips, &message.u.twi);
    }
}

static avr_twi_t *find_port(const struct avr_t *avr)
{
    struct avr_io_t *io = avr->io_port;

    while (io != NULL && (io->kind == NULL || strcmp(io->kind, "twi") != 0)) {
        io = io->next;
    }
    return (avr_twi_t *)io; /* of which it is the first member */
}

struct chips *chips_new(struct board *board)
{
    struct chips *chips = calloc(1, sizeof *chips);

    if (chips == NULL) {
        return NULL;
    }
    chips->board = board;
    chips->bus = atecc608_sim_bus_new();
    chips->port = find_port(board->avr);
    if (chips->bus == NULL || chips->port == NULL) {
        fprintf(stderr, "mega2560-sim: no two-wire interface in this simavr\n");
        chips_free(chips);
        return NULL;
    }
    chips->port->twi.raise_sticky = 0;
    avr_irq_register_notify(chips->port->io.irq + TWI_IRQ_OUTPUT, take_message, chips);
    return chips;
}

bool chips_add(struct chips *chips, char *text)
{
    struct atecc608_sim_spec spec;
    char error[512];

    if (!atecc608_sim_parse_spec(text, &spec)) {
        return false;
    }
    if (spec.bus != 0) {
        fprintf(stderr, "mega2560-sim: chip on bus %lu: the board has bus 0 alone\n", spec.bus);
        return false;
    }
    struct atecc608_sim_chip *chip =
        atecc608_sim_attach(chips->bus, &spec.options, error, sizeof error);
    if (chip == NULL) {
        fprintf(stderr, "mega2560-sim: %s\n", error);
        return false;
    }
    for (size_t i = 0; i < spec.fault_count; i++) {
        if (!atecc608_sim_fault(chip, spec.faults[i])) {
            fprintf(stderr, "mega2560-sim: no such fault: %s\n", spec.faults[i]);
            return false;
        }
    }
    return true;
}

void chips_free(struct chips *chips)
{
    if (chips != NULL) {
        atecc608_sim_bus_free(chips->bus);
        free(chips);
    }
}
