/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The chip's command protocol on I2C: wake, packets with count and CRC-16, polling, idle, sleep.
 * Source: Microchip ATECC608A data sheet, "I2C interface" and "Device commands".
 *
 * A session is one run of commands to one chip, all under the chip's lock. Within it the chip stays
 * awake, so that TempKey and the SHA state last; before its watchdog (0.7 s at least) can expire it
 * is sent to idle and woken again, which keeps both. Everything that passes through a session is
 * wiped when it closes.
 */
#ifndef ATECC608_TRANSPORT_H
#define ATECC608_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

#include <psa/crypto_library.h>

#include "atecc608_device.h"

/* The longest command (Verify with an external key) and the longest answer (a point or signature).
 */
#define ATECC608_INPUT_SIZE 128u
#define ATECC608_OUTPUT_SIZE 64u

/* Word address, count, operation code, parameters and CRC around a command's data. */
#define ATECC608_PACKET_OVERHEAD 8u

struct atecc608_session {
    const struct atecc608_device *device;
    uint16_t awake_ms; /* a bound on the time since it woke; 0: asleep */
    uint8_t slot;      /* of the key that the session was opened for */
    uint8_t send[ATECC608_PACKET_OVERHEAD + ATECC608_INPUT_SIZE];
    uint8_t answer[1 + ATECC608_OUTPUT_SIZE + 2]; /* count, data or status, CRC */
};

/* A command: operation code, first and second parameter in one word. */
#define ATECC608_COMMAND(opcode, param1, param2)                                                   \
    ((uint32_t)(opcode) << 24 | (uint32_t)(param1) << 16 | (uint32_t)(uint16_t)(param2))

/* Where the caller puts a command's data before atecc608_execute(). */
static inline uint8_t *atecc608_input(struct atecc608_session *session)
{
    return session->send + 6;
}

/* Where the data of the answer is after a successful atecc608_execute(). */
static inline const uint8_t *atecc608_output(const struct atecc608_session *session)
{
    return session->answer + 1;
}

/* The chip's CRC: polynomial 0x8005, low bit of each byte first, initial value 0. */
uint16_t atecc608_crc(const uint8_t *data, size_t length);

/*
 * Send a command and fetch its answer; wake the chip first if need be.
 *   input_length   bytes of data that the caller has put into atecc608_input()
 *   output_length  bytes of data expected in atecc608_output(); 0 if the answer is a status.
 * A command is sent again only if the chip did not execute it: it did not acknowledge it, or
 * rejected it for its CRC, or because the watchdog is about to expire. An answer that arrives
 * damaged is read again. Returns after 1.5 s at the latest.
 *   PSA_ERROR_COMMUNICATION_FAILURE  no chip, or no intact answer
 *   PSA_ERROR_INVALID_SIGNATURE      status 0x01: the comparison failed
 *   PSA_ERROR_NOT_SUPPORTED          status 0x03: this chip does not have this command or mode
 *   PSA_ERROR_HARDWARE_FAILURE       status 0x05, 0x07: fault in ECC arithmetic, failed self test
 *   PSA_ERROR_INSUFFICIENT_ENTROPY   status 0x08: health test of the random generator
 *   PSA_ERROR_NOT_PERMITTED          status 0x0F: slot configuration or chip state forbids it
 */
psa_status_t atecc608_execute(struct atecc608_session *session, uint32_t command,
                              size_t input_length, size_t output_length);

/* Send the chip to sleep if the session woke it: TempKey and SHA state are gone. No failure: the
 * watchdog does the same a second later. */
void atecc608_sleep(struct atecc608_session *session);

#endif
