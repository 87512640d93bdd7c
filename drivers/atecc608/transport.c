/* SPDX-License-Identifier: Apache-2.0 */
#include "transport.h"

#include <stdbool.h>

#include <corral/port.h>

/* First byte of a write (data sheet, "Word address values"). */
enum { WORD_RESET = 0x00, WORD_SLEEP = 0x01, WORD_IDLE = 0x02, WORD_COMMAND = 0x03 };

/* Status bytes of a four-byte answer, and two codes of our own that no chip sends. */
enum {
    CODE_SUCCESS = 0x00,
    CODE_MISCOMPARE = 0x01,
    CODE_PARSE = 0x03,
    CODE_ECC_FAULT = 0x05,
    CODE_SELF_TEST = 0x07,
    CODE_HEALTH = 0x08,
    CODE_EXECUTION = 0x0F,
    CODE_WOKEN = 0x11,
    CODE_SILENT = 0x80,  /* ours: not acknowledged; the chip is busy, asleep or absent */
    CODE_GARBLED = 0x81, /* ours: an answer, but none that can be read */
    CODE_WATCHDOG = 0xEE,
    CODE_DAMAGED = 0xFF, /* the command did not arrive intact */
};

#define WAKE_DELAY_US 1500u /* tWHI */
#define WAKE_TRIES 7u       /* with doubled delays: 190 ms, longer than any command left running */
#define SEND_TRIES 3u
#define READ_TRIES 3u
#define POLL_MS 2u
#define ANSWER_LIMIT_MS 1300u /* the watchdog: nothing runs longer */
#define PACKET_MS 16u         /* a full packet each way at 100 kHz */
#define AWAKE_LIMIT_MS 350u   /* half the shortest watchdog: leaves room for the longest command */
#define STATUS_ANSWER_SIZE 4u

uint16_t atecc608_crc(const uint8_t *data, size_t length)
{
    uint16_t crc = 0;

    for (size_t i = 0; i < length; i++) {
        for (uint8_t bit = 1; bit != 0; bit = (uint8_t)(bit << 1)) {
            const bool flip = ((data[i] & bit) != 0) != (crc >> 15 != 0);

            crc = (uint16_t)((uint16_t)(crc << 1) ^ (flip ? 0x8005u : 0u));
        }
    }
    return crc;
}

static psa_status_t write_bytes(const struct atecc608_session *session, const uint8_t *data,
                                size_t length)
{
    return corral_port_i2c_write(session->device->bus, session->device->address, data, length);
}

static void tell(const struct atecc608_session *session, uint8_t word)
{
    (void)write_bytes(session, &word, 1);
}

/* Read an answer of `size` bytes, or the four bytes of a status instead of it. */
static uint8_t receive(struct atecc608_session *session, size_t size)
{
    uint8_t *answer = session->answer;

    for (unsigned tries = 0; tries < READ_TRIES; tries++) {
        if (corral_port_i2c_read(session->device->bus, session->device->address, answer, size) !=
            PSA_SUCCESS) {
            return CODE_SILENT;
        }
        const size_t count = answer[0];
        if (count == size || count == STATUS_ANSWER_SIZE) {
            const uint16_t crc = atecc608_crc(answer, count - 2);

            if (answer[count - 2] == (uint8_t)crc && answer[count - 1] == (uint8_t)(crc >> 8)) {
                return count == STATUS_ANSWER_SIZE ? answer[1] : (uint8_t)CODE_SUCCESS;
            }
        }
        tell(session, WORD_RESET); /* the next read begins at the count again */
    }
    return CODE_GARBLED;
}

/*
 * Wake the chip from sleep or idle. A chip that is awake already, or busy with a command of a host
 * that restarted, is idled as soon as it listens, and woken from there.
 */
static uint8_t wake(struct atecc608_session *session)
{
    static const uint8_t low = 0;
    uint32_t delay = WAKE_DELAY_US;
    uint8_t code = CODE_SILENT;

    if (session->awake_ms != 0) {
        tell(session, WORD_IDLE);
    }
    for (unsigned tries = 0; tries < WAKE_TRIES; tries++) {
        (void)corral_port_i2c_write(session->device->bus, 0, &low, 1);
        corral_port_delay_us(delay);
        code = receive(session, STATUS_ANSWER_SIZE);
        if (code == CODE_WOKEN || code == CODE_SELF_TEST) {
            break;
        }
        tell(session, WORD_IDLE);
        delay *= 2;
    }
    session->awake_ms = 1;
    return code;
}

/* Send the packet once and wait for its answer. */
static uint8_t exchange(struct atecc608_session *session, size_t length, size_t answer_size)
{
    if (write_bytes(session, session->send, length) != PSA_SUCCESS) {
        return CODE_DAMAGED; /* the chip ignores what is not complete */
    }
    session->awake_ms = (uint16_t)(session->awake_ms + PACKET_MS);
    for (unsigned waited = 0; waited < ANSWER_LIMIT_MS; waited += POLL_MS) {
        corral_port_delay_us(POLL_MS * 1000u);
        session->awake_ms = (uint16_t)(session->awake_ms + POLL_MS);
        const uint8_t code = receive(session, answer_size);
        if (code != CODE_SILENT) {
            return code;
        }
    }
    return CODE_SILENT;
}

static psa_status_t translate(uint8_t code)
{
    switch (code) {
    case CODE_SUCCESS:
        return PSA_SUCCESS;
    case CODE_MISCOMPARE:
        return PSA_ERROR_INVALID_SIGNATURE;
    case CODE_PARSE:
        return PSA_ERROR_NOT_SUPPORTED;
    case CODE_ECC_FAULT:
    case CODE_SELF_TEST:
        return PSA_ERROR_HARDWARE_FAILURE;
    case CODE_HEALTH:
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    case CODE_EXECUTION:
        return PSA_ERROR_NOT_PERMITTED;
    default:
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
}

/* Put header and CRC around the data. Returns the bytes to send, the word address included. */
static size_t complete_packet(struct atecc608_session *session, uint32_t command,
                              size_t input_length)
{
    uint8_t *packet = session->send;
    const size_t count = input_length + 7;

    packet[0] = WORD_COMMAND;
    packet[1] = (uint8_t)count;
    packet[2] = (uint8_t)(command >> 24);
    packet[3] = (uint8_t)(command >> 16);
    packet[4] = (uint8_t)command; /* the second parameter travels low byte first */
    packet[5] = (uint8_t)(command >> 8);
    const uint16_t crc = atecc608_crc(packet + 1, count - 2);
    packet[count - 1] = (uint8_t)crc;
    packet[count] = (uint8_t)(crc >> 8);
    return count + 1;
}

psa_status_t atecc608_execute(struct atecc608_session *session, uint32_t command,
                              size_t input_length, size_t output_length)
{
    const size_t length = complete_packet(session, command, input_length);
    const size_t answer_size = output_length == 0 ? STATUS_ANSWER_SIZE : output_length + 3;
    uint8_t code = CODE_SILENT;

    for (unsigned tries = 0; tries < SEND_TRIES; tries++) {
        if (session->awake_ms == 0 || session->awake_ms > AWAKE_LIMIT_MS) {
            code = wake(session);
            if (code != CODE_WOKEN) {
                break;
            }
        }
        code = exchange(session, length, answer_size);
        if (code != CODE_DAMAGED && code != CODE_WATCHDOG && code != CODE_WOKEN) {
            break;
        }
        session->awake_ms = AWAKE_LIMIT_MS + 1; /* not executed: wake it anew and send again */
    }
    if (code == CODE_SUCCESS && session->answer[0] != answer_size) {
        code = CODE_GARBLED; /* success, but not the data that was asked for */
    }
    return translate(code);
}

void atecc608_sleep(struct atecc608_session *session)
{
    if (session->awake_ms != 0) {
        tell(session, WORD_SLEEP);
        session->awake_ms = 0;
    }
}
