/* SPDX-License-Identifier: Apache-2.0 */
/* Verifying commands: PROTOCOL.md, 6. */
#include "command_read.h"

#include <string.h>

#if FLEET_OBEYS

/* Who commanded first, and whom: another identity, after a reset, has another owner. */
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

/* What a command states. */
struct stated {
    struct fleet_cbor_source part[PARTS]; /* where each stands; of length 0: it is not there */
    struct fleet_cbor_item name;
};

static bool read_statement(struct fleet_cbor_source source, struct stated *stated)
{
    struct fleet_cbor_item item;

    memset(stated, 0, sizeof *stated);
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
        if (fleet_cbor_behind(&source, &part, 1, 0) == NULL ||
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
    struct fleet_cbor_item member;
    bool is_member = false;

    const psa_status_t status = identify("cf1-group", &members, 1, scratch, revealed);
    if (status != PSA_SUCCESS) {
        return status;
    }
    (void)fleet_cbor_take(&members, &member); /* the head, behind which they are */
    while (fleet_cbor_take(&members, &member)) {
        is_member = is_member ||
                    (member.kind == CORRAL_CBOR_BYTES && member.argument == FLEET_IDENTITY_SIZE &&
                     memcmp(member.content, id, FLEET_IDENTITY_SIZE) == 0);
    }
    return is_member && memcmp(revealed, group, sizeof revealed) == 0 ? PSA_SUCCESS
                                                                      : PSA_ERROR_INVALID_SIGNATURE;
}

/* Read who commanded first. PSA_ERROR_DOES_NOT_EXIST: nobody commanded this identity. */
static psa_status_t read_first(const struct fleet_identity *identity,
                               uint8_t first[FLEET_IDENTITY_SIZE])
{
    uint8_t entry[FIRST_SIZE + 1u];
    const psa_status_t status = fleet_entry_read(FIRST, entry, FIRST_SIZE);

    if (status != PSA_SUCCESS) {
        return status;
    }
    memcpy(first, entry + FLEET_IDENTITY_SIZE, FLEET_IDENTITY_SIZE);
    return memcmp(entry, identity->id, FLEET_IDENTITY_SIZE) == 0 ? PSA_SUCCESS
                                                                 : PSA_ERROR_DOES_NOT_EXIST;
}

static psa_status_t write_first(const struct fleet_identity *identity,
                                const uint8_t first[FLEET_IDENTITY_SIZE])
{
    uint8_t entry[FIRST_SIZE];

    memcpy(entry, identity->id, FLEET_IDENTITY_SIZE);
    memcpy(entry + FLEET_IDENTITY_SIZE, first, FLEET_IDENTITY_SIZE);
    return fleet_entry_write(FIRST, entry, sizeof entry);
}

/*
 * Whether who has the identity `id` may command.
 *   is_first  set if nobody did before, so that it is to be remembered
 */
static psa_status_t check_commander(const struct fleet_identity *identity,
                                    const struct fleet_commander *commander,
                                    const struct stated *stated, const uint8_t *id,
                                    uint8_t *scratch, bool *is_first)
{
    uint8_t allowed[FLEET_IDENTITY_SIZE];

    *is_first = false;
    memcpy(allowed, commander->id, sizeof allowed);
    if (!commander->is_known) {
        const psa_status_t status = read_first(identity, allowed);
        *is_first = status == PSA_ERROR_DOES_NOT_EXIST;
        if (status != PSA_SUCCESS) {
            return *is_first ? PSA_SUCCESS : status;
        }
    }
    if (memcmp(id, allowed, sizeof allowed) == 0) {
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

/* Take name and argument over; what there is no room for is FLEET_OTHER. */
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
    } else if (item.kind == CORRAL_CBOR_SIMPLE && item.argument == SIMPLE_NULL) {
        command->kind = FLEET_NOTHING;
    } else if (item.kind == CORRAL_CBOR_SIMPLE &&
               (item.argument == SIMPLE_TRUE || item.argument == SIMPLE_FALSE)) {
        command->kind = FLEET_BOOLEAN;
        command->number = item.argument == SIMPLE_TRUE;
    }
}

psa_status_t fleet_command_read(const struct fleet_identity *identity,
                                const struct fleet_commander *commander,
                                const uint8_t nonce[FLEET_NONCE_SIZE],
                                const struct fleet_coap_message *message, uint8_t *scratch,
                                struct fleet_command *command)
{
    struct fleet_received received;
    struct stated stated;
    uint8_t id[FLEET_IDENTITY_SIZE];
    bool is_first;
    size_t length;

    if (!fleet_object_read(message->payload, message->payload_length, &received) ||
        !read_statement(received.payload, &stated) || received.number != 0) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    psa_status_t status = identify(FLEET_HASHED_AS, &stated.part[KEY], 3, scratch, id);
    if (status == PSA_SUCCESS && received.signer != NULL &&
        memcmp(received.signer, id, sizeof id) != 0) {
        status = PSA_ERROR_INVALID_SIGNATURE;
    }
    if (status == PSA_SUCCESS) {
        status = check_commander(identity, commander, &stated, id, scratch, &is_first);
    }
    if (status == PSA_SUCCESS) {
        status = check_signature(identity, &received, &stated, id, nonce, scratch);
    }
    if (status == PSA_SUCCESS && is_first) {
        status = write_first(identity, id);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    take_over(&stated, command);
    return psa_hash_compute(PSA_ALG_SHA_256, received.bare.data, received.bare.length,
                            command->hash, sizeof command->hash, &length);
}

#endif
