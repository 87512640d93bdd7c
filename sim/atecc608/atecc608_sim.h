/* SPDX-License-Identifier: Apache-2.0 */
/* A virtual ATECC608B on a virtual I2C bus: the interface for programs that run in the same
 * process.
 *
 * A bus carries up to ATECC608_SIM_CHIPS_PER_BUS chips. A host drives it with three calls: write,
 * read and delay. Time is virtual: it advances only by delays and by the bus traffic itself, so a
 * test repeats exactly. Not thread-safe: one caller at a time per bus. README.md lists the
 * chip's functions, the missing ones, and the same three operations over a socket or two FIFOs.
 */
#ifndef ATECC608_SIM_H
#define ATECC608_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ATECC608_SIM_CHIPS_PER_BUS 8

/* 7-bit address of a factory-fresh chip (0xC0 as the 8-bit form that data sheets print). */
#define ATECC608_SIM_DEFAULT_ADDRESS 0x60

/* The answers of the bus. The values are those of the wire protocol. */
enum atecc608_sim_status {
    ATECC608_SIM_ACK = 0,      /* some chip acknowledged, and every byte went through */
    ATECC608_SIM_NAK = 1,      /* absent, asleep, busy, or a byte was rejected */
    ATECC608_SIM_BUS_ERROR = 2 /* the request itself is impossible (NULL bus, address above 0x7F) */
};

struct atecc608_sim_bus;
struct atecc608_sim_chip;

/* How to make a chip. Zero-initialise it, then set what differs. */
struct atecc608_sim_options {
    const char *nvm_path; /* image file, made when absent; NULL keeps the memory in RAM only */
    uint8_t address; /* 7-bit factory address, 0 means ATECC608_SIM_DEFAULT_ADDRESS; ignored when
                        an image exists: there configuration byte 16 decides */
    uint32_t time_percent; /* execution times in percent of the maximum, 0 means 100 */
};

/* --- bus --- */

/* A bus without chips, at 100 kHz, time 0. NULL when there is no memory. */
struct atecc608_sim_bus *atecc608_sim_bus_new(void);

/* Free the bus and every chip on it. A command still executing then is lost, as at power off.
 * NULL is allowed. */
void atecc608_sim_bus_free(struct atecc608_sim_bus *bus);

/* Make a chip and attach it to the bus, which owns it from then on. The chip starts asleep.
 * Returns NULL on failure (no memory, bus full, image unreadable or damaged) with the reason, which
 * names the file, in error[0..error_size-1]; error may be NULL. A damaged image is left untouched.
 */
struct atecc608_sim_chip *atecc608_sim_attach(struct atecc608_sim_bus *bus,
                                              const struct atecc608_sim_options *options,
                                              char *error, size_t error_size);

/* One I2C write: START, address with the write bit, the bytes, STOP. Address 0 is the wake
 * condition (SDA low); no chip acknowledges it, so it always returns NAK. A write with length 0
 * probes the address. data may be NULL when length is 0. data[0] is the word address: 0x00 reset,
 * 0x01 sleep, 0x02 idle, 0x03 command. */
enum atecc608_sim_status atecc608_sim_write(struct atecc608_sim_bus *bus, uint8_t address,
                                            const uint8_t *data, size_t length);

/* One I2C read: START, address with the read bit, length bytes, STOP. On NAK data is
 * filled with 0xFF, the value of a floating bus. Reading continues where the last read
 * stopped; past the end of the response the chip sends 0xFF. */
enum atecc608_sim_status atecc608_sim_read(struct atecc608_sim_bus *bus, uint8_t address,
                                           uint8_t *data, size_t length);

/* The same two transfers byte by byte, for a host that does not know what comes next: begin (START
 * and address), put or get any number of bytes, end (STOP, or the next START). Written
 * bytes take effect at the end, so a byte is acknowledged before the chip has
 * understood it; only an unknown word address is rejected at once. A transfer that was
 * not acknowledged ends too. Not to be mixed with the calls above within a transfer. */
enum atecc608_sim_status atecc608_sim_begin(struct atecc608_sim_bus *bus, uint8_t address,
                                            bool is_read);
enum atecc608_sim_status atecc608_sim_put(struct atecc608_sim_bus *bus, uint8_t byte);
uint8_t atecc608_sim_get(struct atecc608_sim_bus *bus);
void atecc608_sim_end(struct atecc608_sim_bus *bus);

/* Let virtual time pass, for every chip of this bus. */
void atecc608_sim_delay_us(struct atecc608_sim_bus *bus, uint32_t microseconds);

/* Virtual time since the bus was made, in microseconds. */
uint64_t atecc608_sim_time_us(const struct atecc608_sim_bus *bus);

/* Clock of SCL; the default is 100000. Above 133333 Hz an address byte of zeros no longer holds SDA
 * low for the 60 us a wake takes, and chips do not wake: real hosts have this problem too. */
void atecc608_sim_set_hz(struct atecc608_sim_bus *bus, uint32_t hz);

/* --- chip --- */

/* The address it answers to now, 7 bits. */
uint8_t atecc608_sim_address(const struct atecc608_sim_chip *chip);

/* Bus transactions that the chip has seen since it was made or since the last reset of the counter:
 * each write or read to its address, acknowledged or not, and each wake condition. Count a clean
 * run, then make each transaction fail in turn. */
uint32_t atecc608_sim_transactions(const struct atecc608_sim_chip *chip);
void atecc608_sim_reset_transactions(struct atecc608_sim_chip *chip);

/* Set a fault from its text; several can be set at once.
 *     nak@N          transaction N is not acknowledged and has no effect
 *     crc@N          one bit of transaction N is flipped: a read arrives with a wrong CRC, and a
 *                    command reaches the chip with one (it answers 0xFF)
 *     garbage@N      transaction N carries other bytes than it should
 *     silence@N      the chip is absent at transaction N
 *     watchdog@N     the watchdog expires just before transaction N: the chip falls asleep
 *     power@N        power is lost just before transaction N: neither its command nor one that was
 *                    executing changes the memory
 *     power-after@N  the same, but the memory holds the result of that command
 *     status:XX@N    the command of transaction N is not executed: it answers XX (hex).
 * N counts from 1, from the moment the fault is set. The form "@N+C" repeats it for C transactions,
 * and "@N+" for ever. The word "silence" means "silence@1+". The word "clear" removes every fault.
 * Returns false, and changes nothing, when the text is none of these. */
bool atecc608_sim_fault(struct atecc608_sim_chip *chip, const char *text);

/* Take the supply away and give it back: the chip is asleep, its RAM is lost. */
void atecc608_sim_power_cycle(struct atecc608_sim_chip *chip);

/* For tests that compare memory: copies of the three zones, straight from the array.
 * zone 0 configuration (128 bytes), 1 OTP (64), 2 data (1208, slot after slot: 8 of 36, one of 416,
 * 7 of 72). Returns the size of the zone, or 0 when there is no such zone; at most size bytes are
 * copied. */
size_t atecc608_sim_peek(const struct atecc608_sim_chip *chip, unsigned int zone, uint8_t *data,
                         size_t size);

/* "asleep", "idle", "awake" or "busy". */
const char *atecc608_sim_state(const struct atecc608_sim_chip *chip);

#ifdef __cplusplus
}
#endif

#endif
