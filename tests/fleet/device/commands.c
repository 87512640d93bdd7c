/* SPDX-License-Identifier: Apache-2.0 */
/* Commands: the protocol's worked examples, malformed commands, and replays. */
#include <string.h>

#include "../../../fleet/device/command.h"
#include "../../../fleet/device/device.h"
#include "../../persistent/device.h"
#include "material.h"
#include "network.h"
#include "vectors.h"

/* The statement in the published command: behind the headers, before the signature. */
#define STATEMENT (vector_command + 18)
#define STATEMENT_SIZE (sizeof vector_command - 18u - 66u)

#define COMMANDER_PLACE 1u /* its key is where the device's next one would be */

static const struct corral_flash_geometry geometry = {4096, 3, 8, false};
static const struct fleet_settings settings = {
    {"thermometer", FLEET_P256, FLEET_NO_KEY, 0, 0}, 4, false, NULL, NULL, NULL, NULL, 0};
static const struct fleet_profile commanding = {"valve", FLEET_ED25519, FLEET_NO_KEY, 0, 0};
static struct fleet_device device;
static struct fleet_command command;

/* The command that the tests' server hands out, and how often it first answers "not found". */
static uint8_t letter[300];
static size_t letter_length;
static bool is_signing; /* for each challenge anew; otherwise what is there */
static unsigned not_yet;
static uint8_t refusal;                   /* of the first question; 0: none */
static uint32_t delay;                    /* milliseconds to each answer */
static char last_of_name;                 /* of the command, which is "blink" otherwise */
static size_t other_name;                 /* length of another name; SIZE_MAX: none */
static struct fleet_number letter_number; /* which a command does not have */
static unsigned results;

static void import_commander(void)
{
    material_key(FLEET_KEYS + 2u * COMMANDER_PLACE, PSA_ECC_FAMILY_TWISTED_EDWARDS,
                 PSA_ALG_PURE_EDDSA, vector_ed25519_secret);
}

/* A device whose key is the published one, which is registered. */
static void install(void)
{
    uint8_t record[18] = {1, 0};

    device_fresh(&geometry);
    material_key(FLEET_KEYS, PSA_ECC_FAMILY_SECP_R1, FLEET_ECDSA, vector_p256_secret);
    memcpy(record + 2, vector_p256_identity, FLEET_IDENTITY_SIZE);
    NEED(psa_its_set(FLEET_ENTRIES, sizeof record, record, 0));
    NEED(psa_its_set(FLEET_ENTRIES + 1, 8, "\0\0\0\0\0\0\0\1", 0));
    NEED(fleet_device_start(&device, &settings));
    import_commander();
    device.is_registered = true;
    letter_length = 0;
    is_signing = true;
    not_yet = 0;
    refusal = 0;
    delay = 20;
    last_of_name = 'k';
    other_name = SIZE_MAX;
    letter_number = (struct fleet_number){{0}};
    results = 0;
}

static struct fleet_commander of(const uint8_t id[FLEET_IDENTITY_SIZE])
{
    struct fleet_commander commander = {{0}, true};

    memcpy(commander.id, id, sizeof commander.id);
    return commander;
}

/* Whether the device obeys this for the published challenge. */
static psa_status_t obey(const struct fleet_commander *commander, const uint8_t *object,
                         size_t length)
{
    const struct fleet_coap_message message = {.payload = object, .payload_length = length};

    return fleet_command_read(&device.identity, commander, vector_command_nonce, &message,
                              &command);
}

static void command__of_the_example__is_read_and_nothing_else(void)
{
    const struct fleet_commander commander = of(vector_ed25519_identity);
    uint8_t tagged[1 + sizeof vector_command] = {0xd2};
    uint8_t *copy;

    install();
    EXPECT(PSA_SUCCESS, obey(&commander, vector_command, sizeof vector_command));
    CHECK(strcmp(command.name, "blink") == 0);
    CHECK(command.kind == FLEET_INTEGER && command.number == 3);
    memcpy(tagged + 1, vector_command, sizeof vector_command);
    memset(command.hash, 0, sizeof command.hash);
    EXPECT(PSA_SUCCESS, obey(&commander, tagged, sizeof tagged));
    CHECK_BYTES(command.hash, sizeof command.hash, vector_command_hash, sizeof vector_command_hash);
    for (size_t at = 0; at < sizeof vector_command; at++) {
        copy = test_copy(vector_command, sizeof vector_command);
        copy[at] ^= 0x08;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, obey(&commander, copy, sizeof vector_command));
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, obey(&commander, test_copy(vector_command, at), at));
        test_free_buffers();
    }
    /* The unsigned header, with a count of 2^32 + 1. */
    static const uint8_t count[] = {0xbb, 0, 0, 0, 1, 0, 0, 0, 1};
    uint8_t counted[sizeof vector_command + sizeof count - 1];
    memcpy(counted, vector_command, 5);
    memcpy(counted + 5, count, sizeof count);
    memcpy(counted + 5 + sizeof count, vector_command + 6, sizeof vector_command - 6);
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, obey(&commander, counted, sizeof counted));
    device.identity.id[0] ^= 1; /* another device */
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, obey(&commander, vector_command, sizeof vector_command));
}

static void command__with_what_no_signature_covers__is_read_if_it_is_right(void)
{
    static const uint8_t named[] = {0xa2, 0x04, 0x50}; /* a map with the signer in front */
    const struct fleet_commander commander = of(vector_ed25519_identity);
    uint8_t longer[sizeof vector_command + 1] = {0};
    uint8_t signer[sizeof vector_command + sizeof named - 1 + FLEET_IDENTITY_SIZE];
    uint8_t *id = signer + 5 + sizeof named;

    install();
    memcpy(longer, vector_command, sizeof vector_command);
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, obey(&commander, longer, sizeof longer));
    memcpy(signer, vector_command, 5);
    memcpy(signer + 5, named, sizeof named);
    memcpy(id, vector_ed25519_identity, FLEET_IDENTITY_SIZE);
    memcpy(id + FLEET_IDENTITY_SIZE, vector_command + 6, sizeof vector_command - 6);
    EXPECT(PSA_SUCCESS, obey(&commander, signer, sizeof signer));
    for (size_t i = 0; i < sizeof named + FLEET_IDENTITY_SIZE; i++) {
        signer[5 + i] ^= 1;
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, obey(&commander, signer, sizeof signer));
        signer[5 + i] ^= 1;
    }
}

static void command__of_a_member__is_its_groups_and_its_own(void)
{
    struct fleet_commander commander = of(vector_operators);

    install();
    EXPECT(PSA_SUCCESS,
           obey(&commander, vector_command_of_member, sizeof vector_command_of_member));
    CHECK(strcmp(command.name, "heat") == 0);
    CHECK(command.kind == FLEET_BOOLEAN && command.number == 1);
    /* A commander that reveals no group is no member of one. */
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, obey(&commander, vector_command, sizeof vector_command));
    commander = of(vector_group_identity);
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           obey(&commander, vector_command_of_member, sizeof vector_command_of_member));
    commander = of(vector_ed25519_identity); /* another member */
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           obey(&commander, vector_command_of_member, sizeof vector_command_of_member));
}

static void commander__who_is_not_known__is_the_first_until_a_reset(void)
{
    const struct fleet_commander anybody = {{0}, false};
    uint8_t *forged;

    install();
    forged = test_copy(vector_command_of_member, sizeof vector_command_of_member);
    forged[sizeof vector_command_of_member - 1] ^= 1;
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, obey(&anybody, forged, sizeof vector_command_of_member));
    test_free_buffers();
    EXPECT(PSA_SUCCESS, obey(&anybody, vector_command, sizeof vector_command));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           obey(&anybody, vector_command_of_member, sizeof vector_command_of_member));
    EXPECT(PSA_SUCCESS, obey(&anybody, vector_command, sizeof vector_command));
    /* A commander that another identity obeyed is unknown to this one. */
    uint8_t entry[32] = {1};
    NEED(psa_its_set(FLEET_ENTRIES + 3, sizeof entry, entry, 0));
    EXPECT(PSA_SUCCESS, obey(&anybody, vector_command_of_member, sizeof vector_command_of_member));
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, obey(&anybody, vector_command, sizeof vector_command));
    NEED(psa_its_set(FLEET_ENTRIES + 3, 31, entry, 0));
    EXPECT(PSA_ERROR_DATA_CORRUPT, obey(&anybody, vector_command, sizeof vector_command));
}

/* Sign a command for this challenge, of the published statement up to its argument. */
static void write_letter(const uint8_t nonce[FLEET_NONCE_SIZE], const uint8_t *argument,
                         size_t size)
{
    uint8_t bound[2 + 2 + FLEET_IDENTITY_SIZE + FLEET_NONCE_SIZE];
    struct fleet_identity commander = {&commanding, COMMANDER_PLACE, {0}};
    static const uint8_t name[FLEET_COMMAND_NAME_SIZE + 1] = "a name of as many bytes as may be";
    static const uint8_t before_argument = 7;
    uint8_t statement[STATEMENT_SIZE + 68];
    struct corral_cbor writer;
    size_t used = STATEMENT_SIZE - 1;

    memcpy(commander.id, device.identity.id, sizeof commander.id);
    memcpy(statement, STATEMENT, STATEMENT_SIZE - 1);
    statement[STATEMENT_SIZE - 3] = (uint8_t)last_of_name;
    if (other_name != SIZE_MAX) {
        used -= sizeof "eblink"; /* with the head of the text, and the number of the argument */
        corral_cbor_begin(&writer, statement + used, sizeof statement - used);
        corral_cbor_head(&writer, CORRAL_CBOR_TEXT, other_name);
        corral_cbor_raw(&writer, name, other_name);
        corral_cbor_raw(&writer, &before_argument, 1);
        used += writer.length;
    }
    memcpy(statement + used, argument, size);
    corral_cbor_begin(&writer, bound, sizeof bound);
    corral_cbor_head(&writer, CORRAL_CBOR_ARRAY, 2);
    corral_cbor_bytes(&writer, vector_ed25519_identity, FLEET_IDENTITY_SIZE);
    corral_cbor_bytes(&writer, nonce, FLEET_NONCE_SIZE);
    const struct fleet_object object = {.purpose = "cf1-command",
                                        .bound = bound,
                                        .bound_length = writer.length,
                                        .number = letter_number,
                                        .payload = statement,
                                        .payload_length = used + size};
    NEED(fleet_object_sign(&commander, &object, letter, sizeof letter, &letter_length));
}

/* The challenge keeps a command from being repeated: a signed number would say otherwise. */
static void command__with_a_number__is_refused(void)
{
    static const uint8_t argument = 3;
    const struct fleet_commander commander = of(vector_ed25519_identity);

    install();
    write_letter(vector_command_nonce, &argument, 1);
    EXPECT(PSA_SUCCESS, obey(&commander, letter, letter_length));
    for (size_t i = 0; i < FLEET_NUMBER_SIZE; i++) {
        letter_number = (struct fleet_number){{0}};
        letter_number.bytes[i] = 1;
        write_letter(vector_command_nonce, &argument, 1);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, obey(&commander, letter, letter_length));
    }
}

static void answer_with(const struct network_message *sent, uint8_t code, uint16_t option,
                        const uint8_t *value, size_t length, bool has_letter)
{
    struct fleet_coap_head head = network_read(sent).head;
    struct fleet_coap_writer writer;
    uint8_t bytes[400];
    size_t room;

    head.type = FLEET_COAP_ACK;
    head.code = code;
    fleet_coap_begin(&writer, bytes, sizeof bytes, &head);
    if (option != 0) {
        fleet_coap_option(&writer, option, value, length);
    }
    if (has_letter) {
        uint8_t *payload = fleet_coap_payload(&writer, &room);
        memcpy(payload, letter, letter_length);
        fleet_coap_payload_is(&writer, letter_length);
    }
    network_deliver(delay, sent->peer, bytes, fleet_coap_end(&writer));
}

/* The broker, and the commander behind it. */
static void server(const struct network_message *sent)
{
    const struct fleet_coap_message message = network_read(sent);
    struct fleet_coap_option_value echo;

    if (message.head.code == FLEET_COAP_PUT) {
        results++;
        answer_with(sent, FLEET_COAP_CHANGED, 0, NULL, 0, false);
    } else if (refusal != 0) {
        answer_with(sent, refusal, FLEET_COAP_MAX_AGE, (const uint8_t *)"\x0a", 1, false);
    } else if (!fleet_coap_find(&message, FLEET_COAP_ECHO, &echo)) {
        answer_with(sent, FLEET_COAP_UNAUTHORIZED, FLEET_COAP_ECHO, vector_registration_nonce,
                    sizeof vector_registration_nonce, false);
    } else if (message.payload_length > 0) {
        /* [h'..', {6: h'8 bytes'}, h'50 nonce', signature] */
        REQUIRE(message.payload_length > 34);
        if (is_signing) {
            write_letter(message.payload + 18, (const uint8_t *)"\x03", 1);
        }
        answer_with(sent, FLEET_COAP_CHANGED, 0, NULL, 0, false);
    } else if (not_yet > 0) {
        not_yet--;
        answer_with(sent, FLEET_COAP_CHANGED, 0, NULL, 0, false);
    } else {
        answer_with(sent, FLEET_COAP_CONTENT, 0, NULL, 0, true);
    }
}

static psa_status_t take(void)
{
    const struct fleet_commander commander = of(vector_ed25519_identity);

    return fleet_device_take_command(&device, &commander, &command);
}

static void command__that_is_being_signed__is_waited_for_and_its_result_told(void)
{
    static const int32_t value = -7;

    install();
    not_yet = 3;
    network_reset(0, server);
    EXPECT(PSA_SUCCESS, take());
    CHECK(strcmp(command.name, "blink") == 0 && command.number == 3);
    CHECK(fleet_port_now() > 3 * 500);
    EXPECT(PSA_SUCCESS, fleet_device_report(&device, &command, FLEET_DONE, &value));
    CHECK(results == 1 && network_sent_count == 2 + 4 + 1);
    const struct fleet_coap_message told = network_read(&network_sent[network_sent_count - 1]);
    /* {1: 0, 2: -7} */
    CHECK_BYTES(told.payload + 16, 6, (const uint8_t *)"\x45\xa2\x01\x00\x02\x26", 6);
}

static void result__of_the_example__is_byte_for_byte_the_published_one(void)
{
    install();
    memcpy(command.hash, vector_command_hash, sizeof command.hash);
    device.sequence.next = (struct fleet_number){{0, 0, 0, 0, 0, 1, 0, 3}};
    device.sequence.left = 61;
    network_reset(0, server);
    EXPECT(PSA_SUCCESS, fleet_device_report(&device, &command, FLEET_DONE, NULL));
    const struct fleet_coap_message told = network_read(&network_sent[0]);
    CHECK_BYTES(told.payload, told.payload_length, vector_result, sizeof vector_result);
}

static void command__once_more__answers_no_challenge_of_now(void)
{
    install();
    network_reset(0, server);
    EXPECT(PSA_SUCCESS, take());
    is_signing = false;
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, take());
    NEED(fleet_device_start(&device, &settings)); /* power was lost: so were the keys' remains */
    import_commander();
    device.is_registered = true;
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, take());
    is_signing = true;
    EXPECT(PSA_SUCCESS, take());
}

static void broker__that_has_no_command_or_no_time__is_told_apart(void)
{
    install();
    network_reset(0, server);
    refusal = FLEET_COAP_CHANGED;
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, take());
    CHECK(network_sent_count == 1 && network_read(&network_sent[0]).payload_length == 0);
    refusal = FLEET_COAP_NOT_FOUND;
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, take());
    refusal = 0;
    not_yet = 100;
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, take());
    CHECK(fleet_port_now() > 3000 && fleet_port_now() < 10000);
    network_reset(fleet_port_now(), server);
    refusal = FLEET_COAP_TOO_MANY;
    EXPECT(PSA_ERROR_NOT_PERMITTED, take());
    const unsigned sent = network_sent_count;
    EXPECT(PSA_ERROR_BAD_STATE, take());
    CHECK(network_sent_count == sent);
    network_reset(fleet_port_now() + 10000, NULL);
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, take());
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE,
           fleet_device_report(&device, &command, FLEET_DONE, NULL));
}

static void arguments__of_each_kind__are_taken_over_or_said_to_be_too_much(void)
{
    static const struct {
        const char *bytes;
        size_t size;
        uint8_t kind;
        int32_t number;
        const char *data;
    } rows[] = {
        {"\xf6", 1, FLEET_NOTHING, 0, ""},
        {"\xf4", 1, FLEET_BOOLEAN, 0, ""},
        {"\x38\x63", 2, FLEET_INTEGER, -100, ""},
        {"\x1a\x7f\xff\xff\xff", 5, FLEET_INTEGER, INT32_MAX, ""},
        {"\x3a\x7f\xff\xff\xff", 5, FLEET_INTEGER, INT32_MIN, ""},
        {"\x1a\x80\x00\x00\x00", 5, FLEET_OTHER, 0, ""},
        {"\x1b\x00\x00\x00\x01\x00\x00\x00\x00", 9, FLEET_OTHER, 0, ""},
        {"\x63off", 4, FLEET_TEXT, 0, "off"},
        {"\x42\x07\x08", 3, FLEET_DATA, 0, "\x07\x08"},
        {"\x60", 1, FLEET_TEXT, 0, ""},
        {"\x78\x42" /* one more than fits */
         "123456789012345678901234567890123456789012345678901234567890123456",
         68, FLEET_OTHER, 0, ""},
        {"\xf7", 1, FLEET_OTHER, 0, ""},
    };
    static const struct {
        const char *bytes;
        size_t size;
    } malformed[] = {{"\x18\x17", 2},
                     {"\x80\x00", 2},
                     {"\x1b\0\0\0\0\1\0\0\0", 9},
                     {"\x5f\xff", 2},
                     {"\x03\x03", 2},
                     {"\x03\x64heat", 6}, /* not another name, behind the statement */
                     {"", 0},
                     /* floats whose low half is that of true */
                     {"\xfb\0\0\0\1\0\0\0\x15", 9},
                     {"\xfa\0\0\0\x15", 5}};
    const struct fleet_commander commander = of(vector_ed25519_identity);

    install();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        write_letter(vector_command_nonce, (const uint8_t *)rows[i].bytes, rows[i].size);
        EXPECT(PSA_SUCCESS, obey(&commander, letter, letter_length));
        CHECK(command.kind == rows[i].kind && command.number == rows[i].number);
        CHECK(strcmp((const char *)command.data, rows[i].data) == 0);
        CHECK(command.length == strlen(rows[i].data));
    }
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        write_letter(vector_command_nonce, (const uint8_t *)malformed[i].bytes, malformed[i].size);
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, obey(&commander, letter, letter_length));
    }
    last_of_name = '\0'; /* it would be taken for another, shorter name */
    write_letter(vector_command_nonce, (const uint8_t *)"\x03", 1);
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, obey(&commander, letter, letter_length));
}

static void name__of_a_command__has_as_many_bytes_as_the_header_says(void)
{
    static const size_t lengths[] = {0, 1, FLEET_COMMAND_NAME_SIZE, FLEET_COMMAND_NAME_SIZE + 1};
    const struct fleet_commander commander = of(vector_ed25519_identity);

    install();
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const bool is_right = lengths[i] >= 1 && lengths[i] <= FLEET_COMMAND_NAME_SIZE;
        test_context("length", lengths[i]);
        other_name = lengths[i];
        write_letter(vector_command_nonce, (const uint8_t *)"\x03", 1);
        EXPECT(is_right ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE,
               obey(&commander, letter, letter_length));
        CHECK(!is_right || strlen(command.name) == lengths[i]);
    }
    test_context(NULL, 0);
}

/* A server may delay a command: after a minute the device no longer accepts it. */
static void command__that_was_kept_back__is_none(void)
{
    install();
    network_reset(UINT32_MAX - 30000u, server); /* the clock goes round meanwhile */
    delay = 19000;
    EXPECT(PSA_SUCCESS, take());
    network_reset(0, server);
    delay = 21000;
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, take());
    CHECK(fleet_port_now() < 64000);
}

/*
 * Power fails at each step of the flash while a command is executed and reported. The device does
 * not know its commander yet. Afterwards an attacker repeats the messages.
 */
static void command__whenever_power_fails__is_handed_out_once_at_most(void)
{
    const struct fleet_commander anybody = {{0}, false};
    unsigned cuts = 0;

    for (unsigned tear = 0; tear < FLASH_MODEL_TEARS; tear++) {
        for (uint32_t step = 1;; step++) {
            install();
            network_reset(0, server);
            flash_model_cut(step, (enum flash_model_tear)tear);
            const psa_status_t status = fleet_device_take_command(&device, &anybody, &command);
            if (status == PSA_SUCCESS) {
                (void)fleet_device_report(&device, &command, FLEET_DONE, NULL);
            }
            const bool was_cut = flash_model_power_on();
            device_restart();
            NEED(fleet_device_start(&device, &settings));
            device.is_registered = true;
            is_signing = letter_length == 0;
            network_reset(0, server);
            if (letter_length > 0) {
                CHECK(fleet_device_take_command(&device, &anybody, &command) ==
                      PSA_ERROR_INVALID_SIGNATURE);
            }
            if (!was_cut) {
                CHECK(status == PSA_SUCCESS && results == 1);
                break;
            }
            cuts++;
        }
    }
    CHECK(cuts > 10);
}

/* The device, the server and applications agree on these cases. */
static bool verifies(const struct ed25519_case *one)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;

    if (fleet_key_has_small_order(one->key) || fleet_key_has_small_order(one->signature)) {
        return false;
    }
    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_TWISTED_EDWARDS));
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_set_key_algorithm(&attributes, PSA_ALG_PURE_EDDSA);
    NEED(psa_import_key(&attributes, one->key, sizeof one->key, &key));
    const psa_status_t status = psa_verify_message(
        key, PSA_ALG_PURE_EDDSA, one->message, one->length, one->signature, sizeof one->signature);
    NEED(psa_destroy_key(key));
    return status == PSA_SUCCESS;
}

static void signatures__at_the_edges_of_ed25519__hold_as_published(void)
{
    device_fresh(&geometry);
    for (size_t i = 0; i < sizeof ed25519_cases / sizeof ed25519_cases[0]; i++) {
        test_context("case", i);
        CHECK(verifies(&ed25519_cases[i]) == (ed25519_cases[i].holds != 0));
    }
    test_context(NULL, 0);
}

/* R is the base point and s is 1, which holds for any message by a key that is the neutral one. */
static void object__signed_by_a_key_of_small_order__is_refused(void)
{
    const struct ed25519_case *neutral =
        &ed25519_cases[sizeof ed25519_cases / sizeof ed25519_cases[0] - 1];
    static const uint8_t number[FLEET_NUMBER_SIZE];
    uint8_t cose[FLEET_BEFORE_X_SIZE + FLEET_COORDINATE_SIZE];
    uint8_t scratch[128];
    uint8_t bytes[8];
    struct corral_cbor bound;
    struct fleet_received received = {.algorithm = 0x27, /* EdDSA, as it is written */
                                      .number = number,
                                      .payload = {number, sizeof number},
                                      .signature = neutral->signature};

    device_fresh(&geometry);
    memcpy(cose, fleet_key_before_x(FLEET_ED25519), FLEET_BEFORE_X_SIZE);
    memcpy(cose + FLEET_BEFORE_X_SIZE, neutral->key, FLEET_COORDINATE_SIZE);
    corral_cbor_begin(&bound, bytes, sizeof bytes);
    corral_cbor_int(&bound, 1);
    const struct fleet_cbor_source key = {cose, sizeof cose};
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           fleet_object_verify(&received, "cf1-command", vector_p256_identity, &bound, &key,
                               scratch, sizeof scratch));
}

static const struct test_case tests[] = {
    TEST(signatures__at_the_edges_of_ed25519__hold_as_published),
    TEST(object__signed_by_a_key_of_small_order__is_refused),
    TEST(command__of_the_example__is_read_and_nothing_else),
    TEST(command__with_what_no_signature_covers__is_read_if_it_is_right),
    TEST(command__of_a_member__is_its_groups_and_its_own),
    TEST(command__with_a_number__is_refused),
    TEST(commander__who_is_not_known__is_the_first_until_a_reset),
    TEST(command__that_is_being_signed__is_waited_for_and_its_result_told),
    TEST(result__of_the_example__is_byte_for_byte_the_published_one),
    TEST(command__once_more__answers_no_challenge_of_now),
    TEST(broker__that_has_no_command_or_no_time__is_told_apart),
    TEST(arguments__of_each_kind__are_taken_over_or_said_to_be_too_much),
    TEST(name__of_a_command__has_as_many_bytes_as_the_header_says),
    TEST(command__that_was_kept_back__is_none),
    TEST(command__whenever_power_fails__is_handed_out_once_at_most),
};
TEST_SUITE(commands, tests);
