/* SPDX-License-Identifier: Apache-2.0 */
/* Verifying commands: PROTOCOL.md, 6. */
#include "command_read.h"

#include <string.h>

#include "sizes.h"

#if FLEET_OBEYS

/* The first commander, and the device it commanded: another identity, after a reset, has another
 * owner. */
#define FIRST 3u
#define FIRST_SIZE (2u * FLEET_IDENTITY_SIZE)

/* Numbers of the statement's parts (PROTOCOL.md, 2), how many numbers there are, and how many parts
 * at least. */
#define KEY 1u
#define GROUP 4u
#define LINKS 5u /* which no command has */
#define NAME 6u
#define ARGUMENT 7u
#define PARTS 8u
#define LEAST_PARTS 5u

#define SIMPLE_FALSE 20u
#define SIMPLE_TRUE 21u
#define SIMPLE_NULL 22u

/* The statements of a command. */
struct stated {
    struct fleet_cbor_source part[PARTS]; /* the position of each; of length 0: it is absent */
    struct fleet_cbor_item name;
};

static bool read_statement(struct fleet_cbor_source source, struct stated *stated)
{
    struct fleet_cbor_item item;

    stated->part[GROUP].length = 0;
    if (!fleet_cbor_take(&source, &item) || item.kind != CORRAL_CBOR_MAP) {
        return false;
    }
    const bool has_group = item.argument == LEAST_PARTS + 1u;
    if (!has_group && item.argument != LEAST_PARTS) {
        return false;
    }
    for (uint8_t part = KEY; part < PARTS; part++) {
        if (part == LINKS || (part == GROUP && !has_group)) {
            continue;
        }
        const uint8_t label = part;
        if (fleet_cbor_behind(&source, &label, 1, 0) == NULL ||
            !fleet_cbor_skip(&source, &stated->part[part])) {
            return false;
        }
    }
    const bool is_whole = source.length == 0;
    source = stated->part[NAME];
    return is_whole && fleet_cbor_take(&source, &stated->name) &&
           stated->name.kind == CORRAL_CBOR_TEXT && stated->name.argument >= 1 &&
           stated->name.argument <= FLEET_COMMAND_NAME_SIZE &&
           memchr(stated->name.content, '\0', (size_t)stated->name.argument) == NULL;
}

/* The identity that `count` parts of the statement have. */
static psa_status_t identify(const char *hashed_as, const struct fleet_cbor_source *parts,
                             uint8_t count, uint8_t *scratch, uint8_t id[FLEET_IDENTITY_SIZE])
{
    struct corral_cbor hashed;

    corral_cbor_begin(&hashed, scratch, FLEET_MESSAGE_SIZE);
    corral_cbor_head(&hashed, CORRAL_CBOR_ARRAY, 1u + count);
    corral_cbor_text(&hashed, hashed_as);
    for (uint8_t i = 0; i < count; i++) {
        corral_cbor_raw(&hashed, parts[i].data, parts[i].length);
    }
    return fleet_identity_hash(&hashed, id);
}

/* Whether the group that the statement reveals has the identity `group`, and `id` as a member. */
static psa_status_t check_group(const struct stated *stated, const uint8_t *id, uint8_t *scratch,
                                const uint8_t group[FLEET_IDENTITY_SIZE])
{
    struct fleet_cbor_source members = stated->part[GROUP];
    uint8_t revealed[FLEET_IDENTITY_SIZE];
    static const uint8_t before = 0x50; /* a string as long as an identity */
    struct fleet_cbor_item head;

    const psa_status_t status = identify("cf1-group", &members, 1, scratch, revealed);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (!fleet_identity_is(revealed, group)) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    (void)fleet_cbor_take(&members, &head); /* behind which they are */
    for (;;) {
        const uint8_t *member =
            fleet_cbor_behind(&members, &before, sizeof before, FLEET_IDENTITY_SIZE);
        if (member == NULL) {
            return PSA_ERROR_INVALID_SIGNATURE;
        }
        if (fleet_identity_is(member, id)) {
            return PSA_SUCCESS;
        }
    }
}

/*
 * Whether who `commands` may.
 *   commands  the identity of the device, and behind it that of the commander
 *   is_first  set if this is the first one, to be remembered
 */
static psa_status_t check_commander(const struct fleet_commander *commander,
                                    const struct stated *stated, const uint8_t commands[FIRST_SIZE],
                                    uint8_t *scratch, bool *is_first)
{
    const uint8_t *allowed = commander->id;
    uint8_t first[FIRST_SIZE + 1u];

    *is_first = false;
    if (!commander->is_known) {
        psa_status_t status = fleet_entry_read(FIRST, first, FIRST_SIZE);
        if (status == PSA_SUCCESS && !fleet_identity_is(first, commands)) {
            status = PSA_ERROR_DOES_NOT_EXIST;
        }
        *is_first = status == PSA_ERROR_DOES_NOT_EXIST;
        if (status != PSA_SUCCESS) {
            return *is_first ? PSA_SUCCESS : status;
        }
        allowed = first + FLEET_IDENTITY_SIZE;
    }
    const uint8_t *id = commands + FLEET_IDENTITY_SIZE;
    if (fleet_identity_is(id, allowed)) {
        return PSA_SUCCESS;
    }
    return stated->part[GROUP].length > 0 ? check_group(stated, id, scratch, allowed)
                                          : PSA_ERROR_INVALID_SIGNATURE;
}

static psa_status_t check_signature(const struct fleet_identity *identity,
                                    const struct fleet_received *received,
                                    const struct stated *stated, const uint8_t *id,
                                    const uint8_t nonce[FLEET_NONCE_SIZE], uint8_t *scratch)
{
    uint8_t bound[1u + 1u + FLEET_IDENTITY_SIZE + 1u + FLEET_NONCE_SIZE];
    struct corral_cbor writer;

    corral_cbor_begin(&writer, bound, sizeof bound);
    corral_cbor_head(&writer, CORRAL_CBOR_ARRAY, 2);
    corral_cbor_bytes(&writer, id, FLEET_IDENTITY_SIZE);
    corral_cbor_bytes(&writer, nonce, FLEET_NONCE_SIZE);
    return fleet_object_verify(received, "cf1-command", identity->id, &writer, &stated->part[KEY],
                               scratch, FLEET_MESSAGE_SIZE);
}

/* Copy name and argument; for a text that is too long the result is FLEET_OTHER. */
static void take_over(struct stated *stated, struct fleet_command *command)
{
    struct fleet_cbor_item item;

    memset(command, 0, sizeof *command);
    memcpy(command->name, stated->name.content, (size_t)stated->name.argument);
    command->kind = FLEET_OTHER;
    (void)fleet_cbor_take(&stated->part[ARGUMENT], &item); /* it was read before */
    if (item.kind <= CORRAL_CBOR_NEGATIVE) {
        if (!item.is_long && item.argument <= INT32_MAX) {
            const int32_t number = (int32_t)item.argument;
            command->kind = FLEET_INTEGER;
            command->number = item.kind == CORRAL_CBOR_UNSIGNED ? number : -1 - number;
        }
    } else if (item.content != NULL) {
        if (item.argument <= FLEET_ARGUMENT_SIZE) {
            command->kind = item.kind == CORRAL_CBOR_TEXT ? FLEET_TEXT : FLEET_DATA;
            command->length = (uint8_t)item.argument;
            memcpy(command->data, item.content, command->length);
        }
    } else if (item.kind == CORRAL_CBOR_SIMPLE && item.argument >= SIMPLE_FALSE &&
               item.argument <= SIMPLE_NULL) {
        command->kind = item.argument == SIMPLE_NULL ? FLEET_NOTHING : FLEET_BOOLEAN;
        command->number = item.argument == SIMPLE_TRUE;
    }
}

psa_status_t fleet_command_read(const struct fleet_identity *identity,
                                const struct fleet_commander *commander,
                                const uint8_t nonce[FLEET_NONCE_SIZE],
                                const struct fleet_coap_message *message,
                                struct fleet_command *command)
{
    struct fleet_received received;
    struct stated stated;
    uint8_t scratch[FLEET_MESSAGE_SIZE]; /* for the hash's input, and then for the signed bytes */
    uint8_t commands[FIRST_SIZE];        /* the device, and its commander */
    uint8_t *id = commands + FLEET_IDENTITY_SIZE;
    bool is_first;

    if (!fleet_object_read(message->payload, message->payload_length, &received) ||
        !read_statement(received.payload, &stated) || fleet_number_read(received.number) != 0) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    fleet_identity_copy(commands, identity->id);
    psa_status_t status = identify(FLEET_HASHED_AS, &stated.part[KEY], 3, scratch, id);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (received.signer != NULL && !fleet_identity_is(received.signer, id)) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    status = check_commander(commander, &stated, commands, scratch, &is_first);
    if (status == PSA_SUCCESS) {
        status = check_signature(identity, &received, &stated, id, nonce, scratch);
    }
    if (status == PSA_SUCCESS && is_first) {
        status = fleet_entry_write(FIRST, commands, sizeof commands);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    take_over(&stated, command);
    return fleet_identity_digest(received.bare.data, received.bare.length, command->hash);
}

#endif
