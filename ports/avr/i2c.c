/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two-wire interface as a bus master at 100 kHz, polled (ATmega2560 data sheet, "Using the
 * TWI"). SDA and SCL are PD1 and PD0, with pull-ups on the board. There is one bus, number 0.
 */
#include <stdbool.h>

#include <corral/port.h>
#include <psa/crypto.h>

#include <avr/io.h>
#include <util/twi.h>

#define SCL_HZ 100000UL
#define DIVIDER ((uint8_t)((F_CPU / SCL_HZ - 16UL) / 2UL))

/* Rounds to wait for one byte: 90 us of traffic, the rest for a chip that stretches the clock. */
#define PATIENCE 20000u

#define STATUS_STUCK 0xffu /* no status of the interface */

/* Let the interface do one step: a condition, or a byte from or to TWDR. Returns its status. */
static uint8_t step(uint8_t control)
{
    uint16_t rounds = PATIENCE;

    TWCR = (uint8_t)(_BV(TWINT) | _BV(TWEN) | control);
    while ((TWCR & _BV(TWINT)) == 0) {
        if (--rounds == 0) {
            TWCR = 0; /* lets go of both lines */
            return STATUS_STUCK;
        }
    }
    return TW_STATUS;
}

static uint8_t send(uint8_t byte)
{
    TWDR = byte;
    return step(0);
}

/* START and the address with its direction bit. false: not acknowledged, or the bus is stuck. */
static bool begin(uint8_t address, uint8_t direction)
{
    TWBR = DIVIDER;
    const uint8_t status = step((uint8_t)_BV(TWSTA));
    if (status != TW_START && status != TW_REP_START) {
        return false;
    }
    return send((uint8_t)(address << 1 | direction)) ==
           (direction == TW_READ ? TW_MR_SLA_ACK : TW_MT_SLA_ACK);
}

/* STOP, however the transfer went. */
static void end(void)
{
    uint16_t rounds = PATIENCE;

    TWCR = (uint8_t)(_BV(TWINT) | _BV(TWEN) | _BV(TWSTO));
    while ((TWCR & _BV(TWSTO)) != 0 && rounds > 0) {
        rounds--;
    }
}

psa_status_t corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data, size_t length)
{
    (void)bus;
    bool is_fine = begin(address, TW_WRITE);

    for (size_t i = 0; i < length && is_fine; i++) {
        is_fine = send(data[i]) == TW_MT_DATA_ACK;
    }
    end();
    /* Address 0 is never acknowledged: it is the wake condition, and no error. */
    return is_fine || address == 0 ? PSA_SUCCESS : PSA_ERROR_COMMUNICATION_FAILURE;
}

psa_status_t corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data, size_t length)
{
    (void)bus;
    bool is_fine = begin(address, TW_READ);

    for (size_t i = 0; i < length && is_fine; i++) {
        /* The last byte is not acknowledged: that is how the chip learns of the end. */
        const bool is_last = i + 1 == length;
        const uint8_t status = step(is_last ? 0 : (uint8_t)_BV(TWEA));
        is_fine = status == (is_last ? TW_MR_DATA_NACK : TW_MR_DATA_ACK);
        data[i] = TWDR;
    }
    end();
    return is_fine ? PSA_SUCCESS : PSA_ERROR_COMMUNICATION_FAILURE;
}
