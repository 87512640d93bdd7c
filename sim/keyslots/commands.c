/* SPDX-License-Identifier: Apache-2.0 */
/* Commands and answers, and the part's checks before it executes them. */
#include "part.h"

#include <stdlib.h>
#include <string.h>

enum { REFERENCE_SIZE = SERIAL_SIZE + 3 };

/* A command's arguments, and where its result goes. */
struct call {
    const uint8_t *data;
    size_t length;
    uint8_t *result;
    size_t result_length;
};

struct keyslots_sim *keyslots_sim_new(const char *nvm, char *error, size_t error_size)
{
    struct keyslots_sim *part = calloc(1, sizeof(*part));

    if (part != NULL && nvm != NULL) {
        part->nvm = strdup(nvm);
    }
    if (part != NULL && !memory_open(part, error, error_size)) {
        keyslots_sim_free(part);
        part = NULL;
    }
    return part;
}

void keyslots_sim_free(struct keyslots_sim *part)
{
    if (part != NULL) {
        free(part->nvm);
    }
    free(part);
}

uint32_t keyslots_sim_transactions(const struct keyslots_sim *part)
{
    return part->transactions;
}

size_t keyslots_sim_peek(const struct keyslots_sim *part, uint8_t slot,
                         uint8_t key[KEYSLOTS_SIM_KEY_SIZE])
{
    memcpy(key, part->memory.slots[slot].key, KEYSLOTS_SIM_KEY_SIZE);
    return part->memory.slots[slot].size;
}

bool keyslots_sim_has_pushed(const struct keyslots_sim *part)
{
    return part->engine.size != 0;
}

static void drop(struct keyslots_sim *part)
{
    memset(&part->engine, 0, sizeof(part->engine));
}

void keyslots_sim_power_cycle(struct keyslots_sim *part)
{
    drop(part);
    part->answer_length = 0;
}

/* The slot that a reference names; its revision is for the caller to compare. */
static enum status find(struct keyslots_sim *part, const struct call *call, struct slot **slot,
                        uint16_t *revision)
{
    const uint8_t *reference = call->data;

    if (reference[6] >= SLOTS) {
        return BAD_COMMAND;
    }
    *slot = &part->memory.slots[reference[6]];
    *revision = (uint16_t)(reference[4] | reference[5] << 8);
    return memcmp(reference, part->memory.serial, SERIAL_SIZE) == 0 ? OK : OTHER_PART;
}

/* The slot with the key that a reference names. */
static enum status find_key(struct keyslots_sim *part, const struct call *call, struct slot **slot)
{
    uint16_t revision;
    const enum status status = find(part, call, slot, &revision);

    if (status != OK) {
        return status;
    }
    return revision == (*slot)->revision && (*slot)->state != EMPTY && (*slot)->state != REVOKED
               ? OK
               : OTHER_KEY;
}

static enum status identify(struct keyslots_sim *part, struct call *call)
{
    memcpy(call->result, part->memory.serial, SERIAL_SIZE);
    call->result[SERIAL_SIZE] = SLOTS;
    call->result_length = SERIAL_SIZE + 1;
    return OK;
}

static enum status look(struct keyslots_sim *part, struct call *call)
{
    if (call->data[0] >= SLOTS) {
        return BAD_COMMAND;
    }
    const struct slot *slot = &part->memory.slots[call->data[0]];
    const uint8_t seen[] = {slot->state,
                            slot->policy,
                            slot->usage,
                            slot->size,
                            (uint8_t)slot->revision,
                            (uint8_t)(slot->revision >> 8)};

    memcpy(call->result, seen, sizeof(seen));
    call->result_length = sizeof(seen);
    return OK;
}

/* Write a key into its slot: `key`, or one of the generator if that is NULL. */
static enum status fill(struct keyslots_sim *part, struct call *call, const uint8_t *key,
                        size_t size)
{
    const uint8_t policy = call->data[REFERENCE_SIZE];
    const uint8_t usage = call->data[REFERENCE_SIZE + 1];
    struct slot *slot;
    uint16_t revision;
    const enum status status = find(part, call, &slot, &revision);

    if (status != OK) {
        return status;
    }
    if ((size != 16 && size != 32) || policy > LOCKED || usage > ALL_USAGE) {
        return BAD_COMMAND;
    }
    if (slot->state != EMPTY) {
        return TAKEN;
    }
    if (slot->revision == LAST_REVISION || revision != slot->revision + 1) {
        return OTHER_KEY;
    }
    *slot = (struct slot){.state = TORN, .revision = revision};
    if (key != NULL) {
        memcpy(slot->key, key, size);
    } else if (!engine_random(slot->key, size)) {
        return FAULT;
    }
    if (part->is_tearing) {
        memset(slot->key + 1, 0, sizeof(slot->key) - 1);
        return FAULT;
    }
    slot->policy = policy;
    slot->usage = usage;
    slot->size = (uint8_t)size;
    slot->state = PROVISIONED;
    return OK;
}

static enum status provision(struct keyslots_sim *part, struct call *call)
{
    return fill(part, call, call->data + REFERENCE_SIZE + 2, call->length - REFERENCE_SIZE - 2);
}

static enum status generate(struct keyslots_sim *part, struct call *call)
{
    return fill(part, call, NULL, call->data[REFERENCE_SIZE + 2]);
}

static enum status revoke(struct keyslots_sim *part, struct call *call)
{
    struct slot *slot;
    enum status status = find_key(part, call, &slot);

    if (status == OK && slot->policy == LOCKED) {
        status = LOCKED_SLOT;
    }
    if (status == OK) {
        const uint8_t after =
            part->is_tearing ? TORN : (uint8_t)(slot->policy == ROTATING ? EMPTY : REVOKED);

        *slot = (struct slot){.state = after, .policy = slot->policy, .revision = slot->revision};
        drop(part);
    }
    return status;
}

static enum status push(struct keyslots_sim *part, struct call *call)
{
    const uint8_t engine = call->data[REFERENCE_SIZE];
    struct slot *slot;
    enum status status = find_key(part, call, &slot);

    drop(part);
    if (status != OK) {
        return status;
    }
    if (engine == 0 || engine > ALL_USAGE) {
        return BAD_COMMAND;
    }
    if (slot->state == TORN) {
        return OTHER_KEY;
    }
    if ((slot->usage & engine) != engine) {
        return BAD_USAGE;
    }
    part->engine.size = slot->size;
    part->engine.usage = engine;
    memcpy(part->engine.key, slot->key, sizeof(slot->key));
    return OK;
}

static enum status run(struct keyslots_sim *part, struct call *call)
{
    const uint8_t mode = call->data[0];
    const uint8_t *data = call->data + 1 + BLOCK;
    const size_t length = call->length - 1 - BLOCK;
    const enum status status = engine_check(&part->engine, mode, length);

    if (status != OK) {
        return status;
    }
    memcpy(call->result, call->data + 1, BLOCK);
    call->result_length = BLOCK + (mode < MAC_MORE ? length : 0);
    return engine_run(&part->engine, mode, call->result, data, length, call->result + BLOCK)
               ? OK
               : FAULT;
}

static enum status drop_key(struct keyslots_sim *part, struct call *call)
{
    (void)call;
    drop(part);
    return OK;
}

/* By command: its function, and the length of its arguments. */
static const struct {
    enum status (*perform)(struct keyslots_sim *part, struct call *call);
    size_t shortest;
    size_t longest;
} commands[] = {
    [IDENTIFY] = {identify, 0, 0},
    [LOOK] = {look, 1, 1},
    [PROVISION] = {provision, REFERENCE_SIZE + 2, REFERENCE_SIZE + 2 + KEYSLOTS_SIM_KEY_SIZE},
    [GENERATE] = {generate, REFERENCE_SIZE + 3, REFERENCE_SIZE + 3},
    [REVOKE] = {revoke, REFERENCE_SIZE, REFERENCE_SIZE},
    [PUSH] = {push, REFERENCE_SIZE + 1, REFERENCE_SIZE + 1},
    [RUN] = {run, 1 + BLOCK, 1 + BLOCK + DATA_MAX},
    [DROP] = {drop_key, 0, 0},
};

static void obey(struct keyslots_sim *part, const uint8_t *data, size_t length)
{
    const struct memory before = part->memory;
    struct call call = {data + 1, length - 1, part->answer + 1, 0};
    enum status status = BAD_COMMAND;
    const uint8_t command = data[0];

    if (command >= IDENTIFY && command <= DROP && call.length >= commands[command].shortest &&
        call.length <= commands[command].longest) {
        status = commands[command].perform(part, &call);
    }
    part->answer[0] = (uint8_t)status;
    part->answer_length = 1 + (status == OK ? call.result_length : 0);
    if (memcmp(&before, &part->memory, sizeof(before)) != 0) {
        memory_keep(part);
    }
}

bool keyslots_sim_write(struct keyslots_sim *part, const uint8_t *data, size_t length)
{
    const enum fault_kind fault = fault_next(part);

    part->answer_length = 0;
    if (length > 0 && (fault == NO_FAULT || fault == POWER_DURING || fault == POWER_AFTER)) {
        part->is_tearing = fault == POWER_DURING;
        obey(part, data, length);
        part->is_tearing = false;
    }
    if (fault >= POWER) {
        keyslots_sim_power_cycle(part);
    }
    return fault == NO_FAULT;
}

bool keyslots_sim_read(struct keyslots_sim *part, uint8_t *data, size_t length)
{
    const enum fault_kind fault = fault_next(part);
    const size_t available = part->answer_length;

    if (fault >= POWER) {
        keyslots_sim_power_cycle(part);
    }
    if (fault != NO_FAULT || available == 0) {
        return false;
    }
    memset(data, 0xFF, length);
    memcpy(data, part->answer, available < length ? available : length);
    part->answer_length = 0;
    return true;
}
