/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of the part. Names and numbers are those of the data sheet, README.md. */
#ifndef KEYSLOTS_SIM_PART_H
#define KEYSLOTS_SIM_PART_H

#include "keyslots_sim.h"

enum { SLOTS = 16, SERIAL_SIZE = 4, BLOCK = 16, DATA_MAX = 64, LAST_REVISION = 0xFFFF };

enum command { IDENTIFY = 1, LOOK, PROVISION, GENERATE, REVOKE, PUSH, RUN, DROP };

enum status {
    OK,
    BAD_COMMAND,
    OTHER_PART,
    OTHER_KEY,
    TAKEN,
    LOCKED_SLOT,
    BAD_USAGE,
    NO_KEY,
    FAULT
};

enum state { EMPTY, PROVISIONED, REVOKED, TORN };

enum policy { ROTATING, SINGLE, LOCKED };

enum usage { ENCRYPT = 1, DECRYPT = 2, COUNTER = 4, MAC = 8, ALL_USAGE = 15 };

enum mode { ECB_ENCRYPT, ECB_DECRYPT, CBC_ENCRYPT, CBC_DECRYPT, CTR, MAC_MORE, MAC_LAST, MODES };

struct slot {
    uint8_t state;
    uint8_t policy;
    uint8_t usage;
    uint8_t size;
    uint16_t revision;
    uint8_t key[KEYSLOTS_SIM_KEY_SIZE];
};

struct memory {
    uint8_t serial[SERIAL_SIZE];
    struct slot slots[SLOTS];
};

/* A key that was pushed. size 0: none. */
struct engine {
    uint8_t size;
    uint8_t usage;
    uint8_t key[KEYSLOTS_SIM_KEY_SIZE];
};

enum fault_kind { NO_FAULT, SILENCE, POWER, POWER_DURING, POWER_AFTER };

struct fault {
    enum fault_kind kind;
    uint32_t first;
    uint32_t repeats;
};

struct keyslots_sim {
    struct memory memory;
    struct engine engine;
    uint8_t answer[1 + BLOCK + DATA_MAX];
    size_t answer_length; /* 0: none waits to be read */
    char *nvm;            /* NULL: memory in RAM only */
    uint32_t transactions;
    struct fault fault;
    bool is_tearing; /* power fails while the command at work writes to memory */
};

/* --- memory.c --- */

/* Read an image, or make a fresh part when there is none. false: `error` says why not. */
bool memory_open(struct keyslots_sim *part, char *error, size_t error_size);
/* Write the image. The program ends when that is impossible: nothing after it would be true. */
void memory_keep(const struct keyslots_sim *part);

/* --- engine.c --- */

/* Whether the engine may do this with its key; BAD_COMMAND for data of an impossible length. */
enum status engine_check(const struct engine *engine, uint8_t mode, size_t length);
/* Run it: `state` is IV, counter or chain, and follows; output is as long as data, none for MAC. */
bool engine_run(const struct engine *engine, uint8_t mode, uint8_t state[BLOCK],
                const uint8_t *data, size_t length, uint8_t *output);
bool engine_random(uint8_t *data, size_t length);

/* --- faults.c --- */

/* The fault that this transaction meets. */
enum fault_kind fault_next(struct keyslots_sim *part);

#endif
