/* SPDX-License-Identifier: Apache-2.0 */
/* A small host for the virtual chip, and the checks of these tests. Deliberately not the project's
 * driver: it shows what the chip does with exactly the bytes that a test sends. */
#ifndef TESTS_SIM_HOST_H
#define TESTS_SIM_HOST_H

#include "atecc608_sim.h"

#include <stdio.h>
#include <stdlib.h>

/* Stop the test program with file and line unless the condition holds. */
#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)
void check(bool ok, const char *text, const char *file, int line);

/* Two integers that must be equal; both are printed when they are not. */
#define CHECK_EQUAL(expected, actual)                                                              \
    check_equal((long long)(expected), (long long)(actual), #actual, __FILE__, __LINE__)
void check_equal(long long expected, long long actual, const char *text, const char *file,
                 int line);

#define CHECK_BYTES(expected, actual, length)                                                      \
    check_bytes((expected), (actual), (length), #actual, __FILE__, __LINE__)
void check_bytes(const uint8_t *expected, const uint8_t *actual, size_t length, const char *text,
                 const char *file, int line);

/* Run one named test and say that it passed. */
#define RUN(function) run(#function, function)
void run(const char *name, void (*function)(void));

/* A bus with one factory-fresh chip, without image file. */
struct rig {
    struct atecc608_sim_bus *bus;
    struct atecc608_sim_chip *chip;
    uint8_t address;
};

struct rig rig_new(void);
struct rig rig_with_image(const char *path);
void rig_free(struct rig *rig);

/* The answer of the chip to a command. */
struct reply {
    int status; /* status byte of a four-byte answer; 0 when data came; -1 no answer; -2 bad CRC */
    size_t length; /* bytes of data, 0 for a bare status */
    uint8_t data[152];
};

uint16_t host_crc(const uint8_t *data, size_t length);

/* Wake the chip and check its answer 04 11 33 43. false: it does not answer so. */
bool host_wake(const struct rig *rig);
void host_idle(const struct rig *rig);
void host_sleep(const struct rig *rig);

/* Send the bytes of a command packet, CRC added; the bus's answer. */
enum atecc608_sim_status host_send(const struct rig *rig, uint8_t opcode, uint8_t param1,
                                   uint16_t param2, const uint8_t *data, size_t length);

/* Poll every millisecond for the answer, for at most three seconds. */
struct reply host_receive(const struct rig *rig);

/* A whole exchange: wake, send, poll, idle. */
struct reply host_command(const struct rig *rig, uint8_t opcode, uint8_t param1, uint16_t param2,
                          const uint8_t *data, size_t length);

/* The same with a check of the status and, if output is not NULL, a copy of the expected data. */
#define EXPECT(rig, status, opcode, param1, param2, data, length)                                  \
    expect((rig), (status), (opcode), (param1), (param2), (data), (length), __FILE__, __LINE__)
struct reply expect(const struct rig *rig, int status, uint8_t opcode, uint8_t param1,
                    uint16_t param2, const uint8_t *data, size_t length, const char *file,
                    int line);

/* Write the 16-bit SlotConfig and KeyConfig of one slot into an unlocked chip. */
void host_configure_slot(const struct rig *rig, unsigned int slot, uint16_t slot_config,
                         uint16_t key_config);

/* Write one aligned word of the configuration zone. */
void host_write_config(const struct rig *rig, unsigned int offset, const uint8_t word[4]);

void host_lock_config(const struct rig *rig);
void host_lock_data(const struct rig *rig);

/* Write 32 bytes into the first block of a slot. */
void host_write_slot(const struct rig *rig, unsigned int slot, const uint8_t data[32]);

/* Nonce in pass-through mode into TempKey or the Message Digest Buffer. */
void host_load_tempkey(const struct rig *rig, const uint8_t data[32]);
void host_load_digest(const struct rig *rig, const uint8_t data[32]);

#endif
