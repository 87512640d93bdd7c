/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Identities, registrations and readings against the worked examples of the protocol, and the
 * device's reactions to a server's answers. vectors.h is made from tests/fleet/vectors.json.
 */
#include <string.h>

#include "../../../fleet/device/device.h"
#include "../../../fleet/device/object.h"
#include "../../persistent/device.h"
#include "material.h"
#include "network.h"
#include "vectors.h"

#define DIRECTORY_AND_BROKER 2u

static const struct corral_flash_geometry geometry = {4096, 3, 8, false};
static struct fleet_settings settings = {
    {"thermometer", FLEET_P256, FLEET_NO_KEY, 0, 0}, 4, false, NULL, NULL, NULL, NULL, 0};
static struct fleet_device device;

/*
 * The tests' server answers successive readings with these codes, and with success after a 0.
 */
static uint8_t codes[6];
static unsigned next_code;
static unsigned registrations;
static uint8_t registration_code;

/* A device whose key is the published one, and whose next number is `next`. */
static void install(uint64_t next)
{
    uint8_t record[18] = {1, 0};
    uint8_t number[8];

    device_fresh(&geometry);
    material_key(FLEET_KEYS, PSA_ECC_FAMILY_SECP_R1, FLEET_ECDSA, vector_p256_secret);
    memcpy(record + 2, vector_p256_identity, FLEET_IDENTITY_SIZE);
    NEED(psa_its_set(FLEET_ENTRIES, sizeof record, record, 0));
    for (unsigned i = 0; i < 8; i++) {
        number[i] = (uint8_t)(next >> (56 - 8 * i));
    }
    NEED(psa_its_set(FLEET_ENTRIES + 1, sizeof number, number, 0));
    NEED(fleet_device_start(&device, &settings));
    next_code = 0;
    registrations = 0;
    registration_code = FLEET_COAP_CREATED;
    memset(codes, 0, sizeof codes);
}

static void identity__of_the_published_key__is_the_published_one(void)
{
    char text[33];

    install(1);
    CHECK_BYTES(device.identity.id, sizeof device.identity.id, vector_p256_identity,
                sizeof vector_p256_identity);
    fleet_identity_text(&device.identity, text);
    CHECK(strcmp(text, "ae31580c8def1fbf0dd5ed28b72fb79b") == 0);
}

static void reading__of_the_example__is_byte_for_byte_the_published_one(void)
{
    static const uint8_t topic[] = "\x78\x20"
                                   "ae31580c8def1fbf0dd5ed28b72fb79b";
    struct fleet_object object = {.purpose = "cf1-reading",
                                  .bound = topic,
                                  .bound_length = sizeof topic - 1,
                                  .payload = vector_senml,
                                  .payload_length = sizeof vector_senml,
                                  .number = {{0, 0, 0, 0, 0, 1, 0, 1}},
                                  .is_reading = true,
                                  .is_short = true};
    uint8_t output[300];
    size_t length;

    install(1);
    NEED(fleet_object_sign(&device.identity, &object, output, sizeof output, &length));
    CHECK_BYTES(output, length, vector_reading_low, sizeof vector_reading_low);
    object.is_short = false;
    NEED(fleet_object_sign(&device.identity, &object, output, sizeof output, &length));
    CHECK_BYTES(output, length, vector_reading_full, sizeof vector_reading_full);
    for (size_t size = 0; size < 200; size++) {
        uint8_t *small = test_buffer(size);
        const psa_status_t status =
            fleet_object_sign(&device.identity, &object, small, size, &length);
        CHECK((status == PSA_SUCCESS && length == sizeof vector_reading_full) ||
              (status == PSA_ERROR_BUFFER_TOO_SMALL && length == 0));
        test_free_buffers();
    }
}

static void reading__of_an_ed25519_key__is_byte_for_byte_the_published_one(void)
{
    static const struct fleet_profile profile = {"valve", FLEET_ED25519, FLEET_NO_KEY, 0, 0};
    static const uint8_t topic[] = "\x78\x20"
                                   "2e32a15822179160634782442676d65d";
    const struct fleet_object object = {.purpose = "cf1-reading",
                                        .bound = topic,
                                        .bound_length = sizeof topic - 1,
                                        .payload = vector_senml,
                                        .payload_length = sizeof vector_senml,
                                        .number = {{0, 0, 0, 0, 0, 0, 0, 1}},
                                        .is_reading = true};
    struct fleet_identity identity = {&profile, 0, {0}};
    uint8_t output[300];
    size_t length;

    device_fresh(&geometry);
    material_key(FLEET_KEYS, PSA_ECC_FAMILY_TWISTED_EDWARDS, PSA_ALG_PURE_EDDSA,
                 vector_ed25519_secret);
    memcpy(identity.id, vector_ed25519_identity, sizeof identity.id);
    NEED(fleet_object_sign(&identity, &object, output, sizeof output, &length));
    CHECK_BYTES(output, length, vector_reading_ed25519, sizeof vector_reading_ed25519);
}

/* The path that server_of_segments() returns: this segment, and empty ones after it. */
static const uint8_t *segment;
static size_t segment_size;
static unsigned segment_count;

static bool has_path(const struct network_message *sent, const char *first)
{
    const struct fleet_coap_message message = network_read(sent);
    struct fleet_coap_option_value option;

    return fleet_coap_find(&message, FLEET_COAP_URI_PATH, &option) &&
           option.length == strlen(first) && memcmp(option.value, first, option.length) == 0;
}

static void answer_with(const struct network_message *sent, uint8_t code, uint16_t option,
                        const void *value, size_t length)
{
    const bool is_confirmable = network_read(sent).head.type == FLEET_COAP_CON;
    const struct network_answer made = {is_confirmable ? FLEET_COAP_ACK : FLEET_COAP_NON,
                                        code,
                                        network_read(sent).head.id,
                                        option,
                                        value,
                                        length};

    network_answer(20, sent, &made);
}

/* Challenges registrations, and says to readings what it was told to say. */
static void server(const struct network_message *sent)
{
    const struct fleet_coap_message message = network_read(sent);
    struct fleet_coap_option_value echo;

    if (has_path(sent, "reg") || has_path(sent, "rd")) {
        if (!fleet_coap_find(&message, FLEET_COAP_ECHO, &echo)) {
            answer_with(sent, FLEET_COAP_UNAUTHORIZED, FLEET_COAP_ECHO, vector_registration_nonce,
                        sizeof vector_registration_nonce);
        } else {
            registrations++;
            answer_with(sent, registration_code, FLEET_COAP_LOCATION_PATH, "data", 4);
        }
    } else if (codes[next_code] == FLEET_COAP_TOO_MANY) {
        answer_with(sent, codes[next_code++], FLEET_COAP_MAX_AGE, "\x0a", 1);
    } else if (codes[next_code] == FLEET_COAP_UNAUTHORIZED) {
        answer_with(sent, codes[next_code++], FLEET_COAP_ECHO, "12345678", 8);
    } else if (codes[next_code] != 0) {
        answer_with(sent, codes[next_code++], 0, NULL, 0);
    } else if (message.head.type == FLEET_COAP_CON) {
        answer_with(sent, FLEET_COAP_CHANGED, 0, NULL, 0);
    }
}

static psa_status_t publish(void)
{
    static const struct fleet_record record = {"t", "Cel", 0, 235, -1, FLEET_NUMBER};

    return fleet_device_publish(&device, &record, 1);
}

static void registration__answers_the_challenge_as_published(void)
{
    install(65538);
    network_reset(0, server);
    NEED(fleet_device_register(&device));
    REQUIRE(network_sent_count == 2);
    const struct fleet_coap_message question = network_read(&network_sent[0]);
    const struct fleet_coap_message signed_one = network_read(&network_sent[1]);
    CHECK(question.payload_length == 0);
    CHECK(signed_one.head.type == FLEET_COAP_CON && signed_one.head.code == FLEET_COAP_POST);
    CHECK_BYTES(signed_one.payload, signed_one.payload_length, vector_registration,
                sizeof vector_registration);
    CHECK(strcmp(device.path, "data") == 0);
}

/* Answers a registration that proves the challenge with a path that the device must reject. */
static void server_of_segments(const struct network_message *sent)
{
    const struct fleet_coap_message message = network_read(sent);
    struct fleet_coap_option_value echo;
    struct fleet_coap_writer writer;
    uint8_t bytes[128];

    if (!fleet_coap_find(&message, FLEET_COAP_ECHO, &echo)) {
        server(sent);
        return;
    }
    struct fleet_coap_head head = message.head;
    head.type = FLEET_COAP_ACK;
    head.code = FLEET_COAP_CREATED;
    fleet_coap_begin(&writer, bytes, sizeof bytes, &head);
    for (unsigned i = 0; i < segment_count; i++) {
        fleet_coap_option(&writer, FLEET_COAP_LOCATION_PATH, segment, i == 0 ? segment_size : 0);
    }
    network_deliver(20, sent->peer, bytes, fleet_coap_end(&writer));
}

static void location__longer_than_its_room_or_with_a_slash_or_zero__is_refused(void)
{
    const struct {
        const char *first;
        size_t size;
        unsigned count;
        psa_status_t status;
    } rows[] = {
        {"data", 4, FLEET_PATH_SIZE - 4, PSA_SUCCESS}, /* slashes fill it, and a zero */
        {"data", 4, FLEET_PATH_SIZE - 3, PSA_ERROR_BUFFER_TOO_SMALL},
        {"data", 4, 100, PSA_ERROR_BUFFER_TOO_SMALL},
        {"da/a", 4, 1, PSA_ERROR_BUFFER_TOO_SMALL},
        {"da\0a", 4, 1, PSA_ERROR_BUFFER_TOO_SMALL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("row", i);
        install(1);
        segment = (const uint8_t *)rows[i].first;
        segment_size = rows[i].size;
        segment_count = rows[i].count;
        network_reset(0, server_of_segments);
        EXPECT(rows[i].status, fleet_device_register(&device));
        CHECK(device.is_registered == (rows[i].status == PSA_SUCCESS));
    }
    test_context(NULL, 0);
}

static void registration__at_both__names_the_endpoint_to_the_directory(void)
{
    struct fleet_coap_option_value option;

    settings.has_directory = true;
    settings.links = "</t>;rt=\"temperature\"";
    install(65541);
    network_reset(0, server);
    const psa_status_t status = fleet_device_register(&device);
    settings.has_directory = false;
    settings.links = NULL;
    EXPECT(PSA_SUCCESS, status);
    REQUIRE(network_sent_count == 4 && registrations == DIRECTORY_AND_BROKER);
    CHECK(network_sent[0].peer == FLEET_DIRECTORY && network_sent[3].peer == FLEET_BROKER);
    const struct fleet_coap_message message = network_read(&network_sent[1]);
    REQUIRE(fleet_coap_find(&message, FLEET_COAP_URI_QUERY, &option));
    CHECK_BYTES(option.value, option.length, (const uint8_t *)"ep=ae31580c8def1fbf0dd5ed28b72fb79b",
                35);
    CHECK_BYTES(message.payload, message.payload_length, vector_directory, sizeof vector_directory);
}

static void readings__are_confirmable_every_nth_and_full_when_they_must_be(void)
{
    install(1);
    network_reset(0, server);
    for (unsigned i = 0; i < 9; i++) {
        EXPECT(PSA_SUCCESS, publish());
    }
    REQUIRE(registrations == 1 && network_sent_count == 2 + 9);
    for (unsigned i = 0; i < 9; i++) {
        const struct fleet_coap_message message = network_read(&network_sent[2 + i]);
        const bool is_confirmable = i % 4 == 3;
        struct fleet_coap_option_value option;
        CHECK(has_path(&network_sent[2 + i], "data"));
        CHECK((message.head.type == FLEET_COAP_CON) == is_confirmable);
        CHECK(fleet_coap_find(&message, FLEET_COAP_NO_RESPONSE, &option) == !is_confirmable);
        /* [h'..', {6: h'..' */
        CHECK(message.payload[10] == (is_confirmable || i == 0 ? 0x48 : 0x42));
    }
}

static void conflict__is_tried_confirmable_and_then_after_a_registration(void)
{
    install(1);
    network_reset(0, server);
    NEED(publish());
    codes[0] = FLEET_COAP_CONFLICT;
    codes[1] = FLEET_COAP_CONFLICT;
    EXPECT(PSA_SUCCESS, publish());
    CHECK(registrations == 2);
    REQUIRE(network_sent_count == 3 + 2 + 2 + 1);
    CHECK(network_read(&network_sent[3]).head.type == FLEET_COAP_NON);
    CHECK(network_read(&network_sent[4]).head.type == FLEET_COAP_CON);
    CHECK(device.is_registered);
}

static void topic_that_is_gone__is_registered_again(void)
{
    install(1);
    network_reset(0, server);
    NEED(publish());
    codes[0] = FLEET_COAP_NOT_FOUND;
    EXPECT(PSA_SUCCESS, publish());
    CHECK(registrations == 2);
}

static void reading__that_is_challenged__is_sent_with_the_challenge(void)
{
    struct fleet_coap_option_value option;

    install(1);
    network_reset(0, server);
    codes[0] = FLEET_COAP_UNAUTHORIZED;
    EXPECT(PSA_SUCCESS, publish());
    CHECK(registrations == 1 && network_sent_count == 4);
    const struct fleet_coap_message message = network_read(&network_sent[3]);
    REQUIRE(fleet_coap_find(&message, FLEET_COAP_ECHO, &option));
    CHECK_BYTES(option.value, option.length, (const uint8_t *)"12345678", 8);
}

static void refusals__are_obeyed_for_as_long_as_they_say(void)
{
    install(1);
    network_reset(0, server);
    codes[0] = FLEET_COAP_TOO_MANY;
    EXPECT(PSA_ERROR_NOT_PERMITTED, publish());
    const unsigned sent = network_sent_count;
    EXPECT(PSA_ERROR_BAD_STATE, publish());
    CHECK(network_sent_count == sent);
    network_reset(fleet_port_now() + 10000, server);
    EXPECT(PSA_SUCCESS, publish());
    CHECK(registrations == 1);
    codes[1] = FLEET_COAP_CODE(4, 3);
    EXPECT(PSA_ERROR_NOT_PERMITTED, publish());
    network_reset(fleet_port_now() + 59 * 1000u, server);
    EXPECT(PSA_ERROR_BAD_STATE, publish());
    network_reset(fleet_port_now() + 1000, server);
    EXPECT(PSA_SUCCESS, publish());
    CHECK(registrations == 2);
}

static void registration__that_is_refused__ends_after_some_tries(void)
{
    install(1);
    network_reset(0, server);
    registration_code = FLEET_COAP_CONFLICT;
    EXPECT(PSA_ERROR_NOT_PERMITTED, fleet_device_register(&device));
    CHECK(registrations == 2 && !device.is_registered);
    EXPECT(PSA_ERROR_BAD_STATE, fleet_device_register(&device));
}

static void silence__of_a_confirmable_reading__leads_to_a_registration(void)
{
    install(1);
    network_reset(0, server);
    NEED(publish());
    device.since_confirmed = 3;
    network_reset(fleet_port_now(), NULL);
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, publish());
    CHECK(!device.is_registered);
    network_reset(fleet_port_now(), server);
    EXPECT(PSA_SUCCESS, publish());
    CHECK(registrations == 2);
}

/* Whether the key's element is silent; test_device.py has the linker lead calls here. */
static bool is_element_silent;

psa_status_t __real_fleet_object_sign(const struct fleet_identity *identity,
                                      const struct fleet_object *object, uint8_t *output,
                                      size_t size, size_t *length);
psa_status_t __wrap_fleet_object_sign(const struct fleet_identity *identity,
                                      const struct fleet_object *object, uint8_t *output,
                                      size_t size, size_t *length);
psa_status_t __wrap_fleet_object_sign(const struct fleet_identity *identity,
                                      const struct fleet_object *object, uint8_t *output,
                                      size_t size, size_t *length)
{
    return is_element_silent ? PSA_ERROR_COMMUNICATION_FAILURE
                             : __real_fleet_object_sign(identity, object, output, size, length);
}

static void silence__of_the_keys_element__leads_to_no_registration(void)
{
    install(1);
    network_reset(0, server);
    NEED(publish());
    const unsigned before = network_sent_count;
    is_element_silent = true;
    const psa_status_t status = publish();
    is_element_silent = false;
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, status);
    CHECK(network_sent_count == before && device.is_registered);
    EXPECT(PSA_SUCCESS, publish());
    CHECK(registrations == 1 && network_sent_count == before + 1);
}

static void numbers__of_everything_sent__are_used_once(void)
{
    uint64_t highest = 0;

    install(1);
    network_reset(0, server);
    codes[0] = FLEET_COAP_CONFLICT;
    codes[1] = FLEET_COAP_CONFLICT;
    codes[2] = FLEET_COAP_NOT_FOUND;
    EXPECT(PSA_SUCCESS, publish());
    for (unsigned i = 0; i < network_sent_count; i++) {
        const struct fleet_coap_message message = network_read(&network_sent[i]);
        if (message.payload_length > 0) {
            const size_t at = message.payload[1] == 0x43 ? 7 : 10; /* header 6, short or long */
            const uint8_t low = message.payload[at + (message.payload[at] == 0x48 ? 8 : 2)];
            CHECK(low == highest + 1);
            highest = low;
        }
    }
    CHECK(highest == 7);
}

static void pack__of_nothing_or_too_much__is_refused_before_anything_is_sent(void)
{
    static const struct fleet_record large[8] = {
        {"a-name-of-thirty-two-characters-", "Cel", 0, 1, 0, 0}, {"b", NULL, 0, 1, 0, 0},
        {"a-name-of-thirty-two-characters-", "Cel", 0, 1, 0, 0}, {"b", NULL, 0, 1, 0, 0},
        {"a-name-of-thirty-two-characters-", "Cel", 0, 1, 0, 0}, {"b", NULL, 0, 1, 0, 0},
        {"a-name-of-thirty-two-characters-", "Cel", 0, 1, 0, 0}, {"b", NULL, 0, 1, 0, 0}};

    install(1);
    network_reset(0, server);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, fleet_device_publish(&device, large, 0));
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, fleet_device_publish(&device, large, 8));
    CHECK(network_sent_count == 0);
}

static void reset__makes_another_identity_that_registers_anew(void)
{
    uint8_t old[FLEET_IDENTITY_SIZE];

    install(1);
    network_reset(0, server);
    NEED(publish());
    memcpy(old, device.identity.id, sizeof old);
    EXPECT(PSA_SUCCESS, fleet_device_reset(&device));
    CHECK(memcmp(old, device.identity.id, sizeof old) != 0);
    CHECK(fleet_number_read(device.sequence.next.bytes) == FLEET_SEQUENCE_FIRST);
    EXPECT(PSA_SUCCESS, publish());
    CHECK(registrations == 2);
}

static void broker_alone(const struct network_message *sent)
{
    if (sent->peer == FLEET_BROKER) {
        server(sent);
    }
}

static void directory__that_is_silent__keeps_no_reading_from_the_broker(void)
{
    settings.has_directory = true;
    install(1);
    network_reset(0, broker_alone);
    const psa_status_t first = publish();
    network_reset(fleet_port_now(), server);
    const psa_status_t second = publish();
    const bool is_left_alone = network_sent_count == 1;
    network_reset(fleet_port_now() + 3600 * 1000u, server);
    const psa_status_t third = publish();
    settings.has_directory = false;
    EXPECT(PSA_SUCCESS, first);
    EXPECT(PSA_SUCCESS, second);
    EXPECT(PSA_SUCCESS, third);
    CHECK(is_left_alone && device.is_in_directory && registrations == DIRECTORY_AND_BROKER);
}

static void directory__is_told_again_after_twelve_hours_or_with_the_broker(void)
{
    static const uint32_t hour = 3600u * 1000u;
    unsigned counts[4];

    settings.has_directory = true;
    install(1);
    network_reset(0, server);
    CHECK(publish() == PSA_SUCCESS);
    counts[0] = registrations;
    network_reset(fleet_port_now() + 11u * hour, server);
    CHECK(publish() == PSA_SUCCESS);
    counts[1] = registrations;
    network_reset(fleet_port_now() + hour, server);
    CHECK(publish() == PSA_SUCCESS);
    counts[2] = registrations;
    codes[0] = FLEET_COAP_NOT_FOUND; /* the broker lost it: so may have the directory */
    CHECK(publish() == PSA_SUCCESS);
    counts[3] = registrations;
    settings.has_directory = false;
    CHECK(counts[0] == DIRECTORY_AND_BROKER);
    CHECK(counts[1] == DIRECTORY_AND_BROKER);
    CHECK(counts[2] == DIRECTORY_AND_BROKER + 1u);
    CHECK(counts[3] == 2u * DIRECTORY_AND_BROKER + 1u);
}

/* Refuses readings for three weeks (Max-Age). */
static void tired(const struct network_message *sent)
{
    if (has_path(sent, "data")) {
        answer_with(sent, FLEET_COAP_CODE(5, 3), FLEET_COAP_MAX_AGE, "\x00\x1e\x84\x80", 4);
    } else {
        server(sent);
    }
}

static void patience__ends_after_an_hour_whatever_is_asked_and_however_long_ago(void)
{
    static const uint32_t month = 30u * 86400u * 1000u;

    install(1);
    network_reset(UINT32_MAX - 5000u, tired); /* the clock goes round meanwhile */
    EXPECT(PSA_ERROR_NOT_PERMITTED, publish());
    network_reset(fleet_port_now() + 3599 * 1000u, tired);
    EXPECT(PSA_ERROR_BAD_STATE, publish());
    network_reset(fleet_port_now() + 1000, tired);
    EXPECT(PSA_ERROR_NOT_PERMITTED, publish());
    network_reset(fleet_port_now() + month, server);
    EXPECT(PSA_SUCCESS, publish());
}

/* Tries again as soon as the device may. Returns the seconds without a message to the broker. */
static uint32_t seconds_until_next_try(void)
{
    uint32_t seconds = 0;

    do {
        seconds++;
        network_reset(fleet_port_now() + 1000u, server);
    } while (publish() == PSA_ERROR_BAD_STATE && seconds < 10000u);
    return seconds;
}

static void refusals__in_a_row__are_a_minute_apart_and_twice_as_long_up_to_an_hour(void)
{
    static const uint32_t seconds[] = {60, 120, 240, 480, 960, 1920, 3600, 3600};

    install(1);
    network_reset(0, server);
    registration_code = FLEET_COAP_CODE(4, 3); /* it is not enrolled yet */
    EXPECT(PSA_ERROR_NOT_PERMITTED, publish());
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
        test_context("row", i);
        CHECK(seconds_until_next_try() == seconds[i]);
    }
    test_context(NULL, 0);
    registration_code = FLEET_COAP_CREATED;
    CHECK(seconds_until_next_try() == 3600);
    CHECK(device.is_registered);
    codes[0] = FLEET_COAP_CODE(4, 3); /* that was long ago */
    EXPECT(PSA_ERROR_NOT_PERMITTED, publish());
    CHECK(seconds_until_next_try() == 60);
}

static void readings__that_are_refused_after_each_registration__come_less_and_less_often(void)
{
    install(1);
    network_reset(0, server);
    memset(codes, FLEET_COAP_CODE(4, 3), sizeof codes - 1);
    EXPECT(PSA_ERROR_NOT_PERMITTED, publish());
    CHECK(seconds_until_next_try() == 60);
    CHECK(seconds_until_next_try() == 120);
    CHECK(seconds_until_next_try() == 240);
    CHECK(registrations == 4);
}

/* Whether a publication so many seconds after `silent` asks the directory, which is silent. */
static bool is_asked_after(uint32_t silent, uint32_t seconds)
{
    network_reset(silent + seconds * 1000u, broker_alone);
    return publish() == PSA_SUCCESS && network_sent[0].peer == FLEET_DIRECTORY;
}

static void directory__that_is_silent__is_asked_again_a_minute_later_and_then_two(void)
{
    static const uint32_t seconds[] = {0, 60, 120, 240};
    bool is_early = false;
    bool is_asked = true;

    settings.has_directory = true;
    install(1);
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
        /* The broker's answer took some milliseconds after that. */
        const uint32_t silent = i > 0 ? fleet_port_now() : 0;
        is_early |= seconds[i] > 0 && is_asked_after(silent, seconds[i] - 5u);
        is_asked &= is_asked_after(silent, seconds[i]);
    }
    settings.has_directory = false;
    CHECK(is_asked && !is_early);
}

static void reset__that_fails_half_way__signs_with_the_numbers_of_its_key(void)
{
    psa_status_t status;
    uint32_t step = 1;

    do {
        install(1);
        flash_model_cut(step++, FLASH_MODEL_NOTHING);
        status = fleet_device_reset(&device);
        CHECK(device.sequence.entry == fleet_identity_sequence(&device.identity));
        (void)flash_model_power_on();
    } while (status != PSA_SUCCESS);
    CHECK(step > 10);
}

static const struct test_case tests[] = {
    TEST(directory__that_is_silent__keeps_no_reading_from_the_broker),
    TEST(directory__is_told_again_after_twelve_hours_or_with_the_broker),
    TEST(patience__ends_after_an_hour_whatever_is_asked_and_however_long_ago),
    TEST(refusals__in_a_row__are_a_minute_apart_and_twice_as_long_up_to_an_hour),
    TEST(readings__that_are_refused_after_each_registration__come_less_and_less_often),
    TEST(directory__that_is_silent__is_asked_again_a_minute_later_and_then_two),
    TEST(reset__that_fails_half_way__signs_with_the_numbers_of_its_key),
    TEST(identity__of_the_published_key__is_the_published_one),
    TEST(reading__of_the_example__is_byte_for_byte_the_published_one),
    TEST(reading__of_an_ed25519_key__is_byte_for_byte_the_published_one),
    TEST(registration__answers_the_challenge_as_published),
    TEST(location__longer_than_its_room_or_with_a_slash_or_zero__is_refused),
    TEST(registration__at_both__names_the_endpoint_to_the_directory),
    TEST(readings__are_confirmable_every_nth_and_full_when_they_must_be),
    TEST(conflict__is_tried_confirmable_and_then_after_a_registration),
    TEST(topic_that_is_gone__is_registered_again),
    TEST(reading__that_is_challenged__is_sent_with_the_challenge),
    TEST(refusals__are_obeyed_for_as_long_as_they_say),
    TEST(registration__that_is_refused__ends_after_some_tries),
    TEST(silence__of_a_confirmable_reading__leads_to_a_registration),
    TEST(silence__of_the_keys_element__leads_to_no_registration),
    TEST(numbers__of_everything_sent__are_used_once),
    TEST(pack__of_nothing_or_too_much__is_refused_before_anything_is_sent),
    TEST(reset__makes_another_identity_that_registers_anew),
};
TEST_SUITE(objects, tests);
