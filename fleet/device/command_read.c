/* SPDX-License-Identifier: Apache-2.0 */
/* Verifying commands: PROTOCOL.md, 6. */
#include "command_read.h"

#include <string.h>

#if FLEET_OBEYS

/* Who commanded first, and whom: another identity, after a reset, has another owner. */
#define FIRST_UID (FLEET_ENTRIES + 3u)
#define FIRST_SIZE (2u * FLEET_IDENTITY_SIZE)

/* Numbers of the statement's parts (PROTOCOL.md, 2). */
#define KEY 1
#define KIND 2
#define AGREEMENT 3
#define GROUP 4
#define NAME 6
#define ARGUMENT 7

#define SIMPLE_FALSE 20u
#define SIMPLE_TRUE 21u
#define SIMPLE_NULL 22u

/* What a command states, where it stands. */
struct stated {
    struct fleet_cbor_source key;
    struct fleet_cbor_source kind;
    struct fleet_cbor_source agreement;
    struct fleet_cbor_source group; /* of length 0: none */
    struct fleet_cbor_item name;
    struct fleet_cbor_item argument;
};

/* Take a part of the statement: its number, and whatever it holds. */
static bool take_part(struct fleet_cbor_source *source, uint32_t number,
                      struct fleet_cbor_source *part)
{
    return fleet_cbor_expect(source, FLEET_CBOR_UNSIGNED, number) && fleet_cbor_skip(source, part);
}

static bool read_statement(struct fleet_cbor_source source, struct stated *stated)
{
    struct fleet_cbor_item map;

    if (!fleet_cbor_take(&source, &map) || map.kind != FLEET_CBOR_MAP ||
        (map.argument != 5 && map.argument != 6) || !take_part(&source, KEY, &stated->key) ||
        !take_part(&source, KIND, &stated->kind) ||
        !take_part(&source, AGREEMENT, &stated->agreement)) {
        return false;
    }
    stated->group.length = 0;
    if (map.argument == 6 && !take_part(&source, GROUP, &stated->group)) {
        return false;
    }
    return fleet_cbor_expect(&source, FLEET_CBOR_UNSIGNED, NAME) &&
           fleet_cbor_take(&source, &stated->name) && stated->name.kind == FLEET_CBOR_TEXT &&
           stated->name.argument >= 1 && stated->name.argument <= FLEET_COMMAND_NAME_SIZE &&
           fleet_cbor_expect(&source, FLEET_CBOR_UNSIGNED, ARGUMENT) &&
           fleet_cbor_take(&source, &stated->argument) && source.length == 0;
}

static psa_status_t hash_of(const struct fleet_cbor *hashed, uint8_t id[FLEET_IDENTITY_SIZE])
{
    uint8_t hash[PSA_HASH_LENGTH(PSA_ALG_SHA_256)];
    size_t length;

    if (hashed->is_full) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const psa_status_t status =
        psa_hash_compute(PSA_ALG_SHA_256, hashed->data, hashed->length, hash, sizeof hash, &length);
    memcpy(id, hash, FLEET_IDENTITY_SIZE);
    return status;
}

static void write_part(struct fleet_cbor *writer, const struct fleet_cbor_source *part)
{
    fleet_cbor_raw(writer, part->data, part->length);
}

/* The identity that the statement's keys and kind have. */
static psa_status_t identify(const struct stated *stated, uint8_t *scratch,
                             uint8_t id[FLEET_IDENTITY_SIZE])
{
    struct fleet_cbor hashed;

    fleet_cbor_begin(&hashed, scratch, FLEET_MESSAGE_SIZE);
    fleet_cbor_head(&hashed, FLEET_CBOR_ARRAY, 4);
    fleet_cbor_text(&hashed, FLEET_HASHED_AS);
    write_part(&hashed, &stated->key);
    write_part(&hashed, &stated->kind);
    write_part(&hashed, &stated->agreement);
    return hash_of(&hashed, id);
}

/* Whether the group that the statement reveals has the identity `group`, and `id` as a member. */
static psa_status_t check_group(const struct stated *stated, const uint8_t *id, uint8_t *scratch,
                                const uint8_t group[FLEET_IDENTITY_SIZE])
{
    struct fleet_cbor_source members = stated->group;
    uint8_t revealed[FLEET_IDENTITY_SIZE];
    struct fleet_cbor_item member;
    struct fleet_cbor hashed;
    bool is_member = false;

    fleet_cbor_begin(&hashed, scratch, FLEET_MESSAGE_SIZE);
    fleet_cbor_head(&hashed, FLEET_CBOR_ARRAY, 2);
    fleet_cbor_text(&hashed, "cf1-group");
    write_part(&hashed, &stated->group);
    const psa_status_t status = hash_of(&hashed, revealed);
    if (status != PSA_SUCCESS) {
        return status;
    }
    (void)fleet_cbor_take(&members, &member); /* the head, behind which they are */
    while (fleet_cbor_take(&members, &member)) {
        is_member = is_member ||
                    (member.kind == FLEET_CBOR_BYTES && member.argument == FLEET_IDENTITY_SIZE &&
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
    size_t length = 0;

    const psa_status_t status = psa_its_get(FIRST_UID, 0, sizeof entry, entry, &length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (length != FIRST_SIZE) {
        return PSA_ERROR_DATA_CORRUPT;
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
    return psa_its_set(FIRST_UID, sizeof entry, entry, PSA_STORAGE_FLAG_NONE);
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
    return stated->group.length > 0 ? check_group(stated, id, scratch, allowed)
                                    : PSA_ERROR_INVALID_SIGNATURE;
}

static psa_status_t check_signature(const struct fleet_identity *identity,
                                    const struct fleet_received *received,
                                    const struct stated *stated, const uint8_t *id,
                                    const uint8_t nonce[FLEET_NONCE_SIZE], uint8_t *scratch)
{
    uint8_t bound[1u + 1u + FLEET_IDENTITY_SIZE + 1u + FLEET_NONCE_SIZE];
    struct fleet_cbor writer;

    fleet_cbor_begin(&writer, bound, sizeof bound);
    fleet_cbor_head(&writer, FLEET_CBOR_ARRAY, 2);
    fleet_cbor_bytes(&writer, id, FLEET_IDENTITY_SIZE);
    fleet_cbor_bytes(&writer, nonce, FLEET_NONCE_SIZE);
    return fleet_object_verify(received, "cf1-command", identity->id, &writer, &stated->key,
                               scratch, FLEET_MESSAGE_SIZE);
}

static void take_string(const struct fleet_cbor_item *item, struct fleet_command *command)
{
    if (item->argument > FLEET_ARGUMENT_SIZE) {
        return;
    }
    command->kind = item->kind == FLEET_CBOR_TEXT ? FLEET_TEXT : FLEET_DATA;
    command->length = (uint8_t)item->argument;
    memcpy(command->data, item->content, command->length);
}

static void take_simple(const struct fleet_cbor_item *item, struct fleet_command *command)
{
    if (item->argument == SIMPLE_NULL) {
        command->kind = FLEET_NOTHING;
    } else if (item->argument == SIMPLE_TRUE || item->argument == SIMPLE_FALSE) {
        command->kind = FLEET_BOOLEAN;
        command->number = item->argument == SIMPLE_TRUE;
    }
}

/* Take name and argument over; what there is no room for is FLEET_OTHER. */
static void take_over(const struct stated *stated, struct fleet_command *command)
{
    const struct fleet_cbor_item *item = &stated->argument;

    memset(command, 0, sizeof *command);
    memcpy(command->name, stated->name.content, (size_t)stated->name.argument);
    command->kind = FLEET_OTHER;
    switch (item->kind) {
    case FLEET_CBOR_UNSIGNED:
    case FLEET_CBOR_NEGATIVE:
        if (!item->is_long && item->argument <= INT32_MAX) {
            const int32_t number = (int32_t)item->argument;
            command->kind = FLEET_INTEGER;
            command->number = item->kind == FLEET_CBOR_UNSIGNED ? number : -1 - number;
        }
        break;
    case FLEET_CBOR_BYTES:
    case FLEET_CBOR_TEXT:
        take_string(item, command);
        break;
    case FLEET_CBOR_SIMPLE:
        take_simple(item, command);
        break;
    default:
        break;
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
    psa_status_t status = identify(&stated, scratch, id);
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
