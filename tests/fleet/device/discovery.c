/* SPDX-License-Identifier: Apache-2.0 */
/* Finding a directory in a group whose members answer, or say something else, or nothing. */
#include <string.h>

#include "../../../fleet/device/conversation.h"
#include "../../../fleet/device/device.h"
#include "../../../fleet/device/discovery.h"
#include "../../../fleet/device/links.h"
#include "../../harness/harness.h"
#include "network.h"

#define RD "</rd>;rt=core.rd"

static struct fleet_device device;

/* Links, and the path that is found in them; NULL: none. */
struct row {
    const char *links;
    const char *path;
};

static void find_each(const struct row *rows, size_t count)
{
    char path[16];

    for (size_t i = 0; i < count; i++) {
        const struct row *row = &rows[i];
        test_context(row->links, i);
        const bool is_found = fleet_links_find((const uint8_t *)row->links, strlen(row->links),
                                               "core.rd", path, sizeof path);
        CHECK(is_found == (row->path != NULL));
        CHECK(!is_found || row->path == NULL || strcmp(path, row->path) == 0);
    }
    test_context(NULL, 0);
}

static void links__in_each_form__are_read(void)
{
    static const struct row rows[] = {
        {"</rd>;rt=core.rd;ct=40", "rd"}, /* RFC 9176, 4.3 */
        {"</rd>;rt=\"core.rd\";ct=40,</rd-lookup/ep>;rt=\"core.rd-lookup-ep\";ct=40", "rd"},
        {"</rd-lookup/ep>;rt=\"core.rd-lookup-ep\";ct=40,</rd>;rt=\"core.rd\"", "rd"},
        {"</resourcedir/>; ct=\"40\"; rt=\"core.rd\"", "resourcedir/"}, /* aiocoap's */
        {"</a>, </b>; rt=\"x core.rd y\"", "b"},
        {"</a>;obs;rt=core.rd;obs", "a"},
        {"</>;rt=core.rd", ""},
        {"</a>;title=\",</b>;rt=core.rd\",</c>;rt=core.rd", "c"},
        {"</a>;title=\"\\\",</b>;rt=core.rd\",</c>;rt=core.rd", "c"},
        {"</a,b>;rt=core.rd", "a,b"},
        {"</a>;rt=x;rt=core.rd,</b>;rt=core.rd;rt=x", "b"}, /* repeated attributes do not count */
        {"</123456789012345>;rt=core.rd", "123456789012345"},
    };

    find_each(rows, sizeof rows / sizeof rows[0]);
}

static void links__malformed_or_elsewhere__name_no_path(void)
{
    static const struct row rows[] = {
        {"", NULL},
        {"rd", NULL},
        {"<", NULL},
        {"</rd", NULL},
        {"</rd>", NULL},
        {"</rd>;rt", NULL},
        {"</rd>;rt=", NULL},
        {"</rd>;rt=\"core.rd", NULL},
        {"</rd>;rt=\"core.rd\\\"", NULL},
        {"</rd>;rt=\"core.rd\\", NULL},
        {"</rd>;rt=core.rdx,</a>;rt=xcore.rd,</b>;rt=\"core.rd-lookup-res\"", NULL},
        {"</rd>;if=core.rd;rtx=core.rd;xrt=core.rd", NULL},
        {"</a>;title=\"b,</c>;rt=core.rd", NULL},
        {"</a> x,</c>;rt=core.rd", NULL},
        {"</a>;;,</c>rt=core.rd", NULL},
        {"<rd>;rt=core.rd", NULL},
        {"<>;rt=core.rd", NULL},
        {"<//elsewhere/rd>;rt=core.rd", NULL},
        {"<coap://elsewhere/rd>;rt=core.rd", NULL},
        {"</rd?a=b>;rt=core.rd", NULL},
        {"</r%64>;rt=core.rd", NULL},
        {"</r d>;rt=core.rd", NULL},
        {"</r\nd>;rt=core.rd", NULL},
        {"</1234567890123456>;rt=core.rd", NULL},
    };

    find_each(rows, sizeof rows / sizeof rows[0]);
}

/* A member's answer, and its delay. */
static struct said {
    const char *links;
    uint32_t delay;
    uint8_t type;
    uint8_t code;
    uint8_t token; /* changes it */
    uint8_t format;
    uint16_t option; /* beside Content-Format; 0: none */
} members[8];
static unsigned member_count;

static void say(const struct said *said, const struct network_message *asked)
{
    const uint8_t option = 8; /* of a first block of 16 bytes: there are more */
    struct fleet_coap_head head = network_read(asked).head;
    struct fleet_coap_writer writer;
    uint8_t bytes[NETWORK_SIZE];
    size_t room;

    head.type = said->type;
    head.code = said->code;
    head.token[0] ^= said->token;
    fleet_coap_begin(&writer, bytes, sizeof bytes, &head);
    fleet_coap_uint(&writer, FLEET_COAP_CONTENT_FORMAT, said->format);
    if (said->option != 0) {
        fleet_coap_option(&writer, said->option, &option, 1);
    }
    uint8_t *payload = fleet_coap_payload(&writer, &room);
    REQUIRE(strlen(said->links) <= room);
    memcpy(payload, said->links, strlen(said->links));
    fleet_coap_payload_is(&writer, strlen(said->links));
    network_deliver(said->delay, FLEET_GROUP, bytes, fleet_coap_end(&writer));
}

static void group(const struct network_message *sent)
{
    for (unsigned i = 0; i < member_count; i++) {
        say(&members[i], sent);
    }
}

/* One more member; returned to be changed. */
static struct said *answers(const char *links, uint32_t delay)
{
    struct said *said = &members[member_count++];

    REQUIRE(member_count <= sizeof members / sizeof members[0]);
    *said = (struct said){links, delay, FLEET_COAP_NON, FLEET_COAP_CONTENT, 0, 40, 0};
    return said;
}

static void begin(void)
{
    memset(&device, 0, sizeof device);
    device.link.echo_peer = FLEET_BROKER;
    network_reset(UINT32_MAX - 3000, group); /* the clock goes round meanwhile */
    member_count = 0;
    fleet_look_for_directory(true);
    /*
     * Left by the test before: a directory that was found twice was useful, so pauses begin anew.
     */
    (void)answers(RD, 0);
    CHECK(fleet_find_directory(&device) && fleet_find_directory(&device));
    fleet_lose_directory(&device);
    CHECK(fleet_find_directory(&device) && fleet_find_directory(&device));
    member_count = 0;
    network_reset(UINT32_MAX - 3000, group);
}

/* As it is after a search that found nothing. */
static void begin_without(void)
{
    begin();
    fleet_lose_directory(&device);
    CHECK(!fleet_find_directory(&device));
    network_reset(UINT32_MAX - 3000, group);
}

static void group__is_asked_once_for_a_directory(void)
{
    begin_without();
    (void)answers(RD, 4900);
    CHECK(fleet_find_directory(&device));
    CHECK(strcmp(fleet_found_path(), "rd") == 0);
    CHECK(fleet_port_now() == UINT32_MAX - 3000 + 4900);
    REQUIRE(network_sent_count == 1 && network_sent[0].peer == FLEET_GROUP);
    const struct fleet_coap_message asked = network_read(&network_sent[0]);
    static const uint8_t options[] = "\xbb.well-known\x04"
                                     "core\x4art=core.rd";
    CHECK(asked.head.type == FLEET_COAP_NON && asked.head.code == FLEET_COAP_GET);
    CHECK(asked.head.token_length == FLEET_TOKEN_SIZE && asked.payload_length == 0);
    CHECK_BYTES(asked.options, asked.options_length, options, sizeof options - 1);
    CHECK(fleet_find_directory(&device) && network_sent_count == 1);
}

static void answer__of_a_stranger_or_of_another_form__is_passed_over(void)
{
    begin_without();
    answers(RD, 1)->token = 1;
    answers(RD, 2)->code = FLEET_COAP_NOT_FOUND;
    answers(RD, 3)->format = 60;
    answers(RD, 4)->option = 23; /* Block2, which is critical: it is not all */
    answers(RD, 5)->type = FLEET_COAP_ACK;
    answers(RD, 6)->type = FLEET_COAP_CON;
    (void)answers("</rd>;rt=core.rd-lookup-ep", 7);
    CHECK(!fleet_find_directory(&device));
    CHECK(fleet_port_now() == UINT32_MAX - 3000 + 7000); /* they do not keep it longer, either */
    (void)answers("</good>;rt=core.rd", 8);
    CHECK(fleet_find_directory(&device));
    CHECK(strcmp(fleet_found_path(), "good") == 0);
    for (unsigned i = 0; i < network_sent_count; i++) {
        CHECK(network_sent[i].peer == FLEET_GROUP); /* and no peer gets a message */
    }
}

static void flood__of_answers__ends_with_the_wait(void)
{
    uint8_t junk[] = {0x50, FLEET_COAP_CONTENT, 0, 0};

    begin_without();
    for (uint32_t i = 0; i < NETWORK_MESSAGES; i++) {
        network_deliver(i * 1000, FLEET_GROUP, junk, sizeof junk);
    }
    CHECK(!fleet_find_directory(&device));
    CHECK(fleet_port_now() == UINT32_MAX - 3000 + 7000);
}

static void directory__that_is_lost__is_passed_over_the_next_time(void)
{
    begin();
    (void)answers("</a>;rt=core.rd", 100);
    (void)answers("</b>;rt=core.rd", 200);
    static const char *const paths[] = {"b", "b", "b", "a", "b"}; /* of two, the last */
    for (unsigned i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        fleet_lose_directory(&device);
        CHECK(fleet_find_directory(&device));
        CHECK(strcmp(fleet_found_path(), paths[i]) == 0);
    }
}

static void pauses__after_silence__grow_to_an_hour_and_begin_anew(void)
{
    begin();
    for (unsigned round = 0; round < 2; round++) {
        uint32_t least = 60000;
        fleet_lose_directory(&device);
        for (unsigned i = 0; i < 9; i++) {
            const uint32_t pause = device.patience[FLEET_DIRECTORY].duration;
            CHECK(pause >= least && pause < 2 * least);
            CHECK(fleet_has_to_wait(&device, FLEET_DIRECTORY));
            network_reset(fleet_port_now() + pause, group);
            CHECK(!fleet_has_to_wait(&device, FLEET_DIRECTORY));
            least = least * 2 < 3600000 ? least * 2 : 3600000;
            CHECK(!fleet_find_directory(&device));
        }
        (void)answers(RD, 1);
        network_reset(fleet_port_now() + 7200000, group);
        CHECK(!fleet_has_to_wait(&device, FLEET_DIRECTORY));
        CHECK(fleet_find_directory(&device) && fleet_find_directory(&device));
        member_count = 0;
    }
}

/* The answer of the found directory to each registration. */
static struct network_answer refusal;

static void refusing(const struct network_message *sent)
{
    if (sent->peer == FLEET_GROUP) {
        group(sent);
        return;
    }
    refusal.id = network_read(sent).head.id;
    network_answer(1, sent, &refusal);
}

/* Seconds until a device that was refused asks the group again, when it tries every five. */
static uint32_t seconds_alone(uint8_t code, const char *max_age)
{
    static const struct fleet_settings settings = {.profile = {.kind = "valve"},
                                                   .has_directory = true};
    const uint16_t option = max_age != NULL ? FLEET_COAP_MAX_AGE : 0;
    uint32_t seconds = 0;

    begin();
    memset(device.patience, 0, sizeof device.patience);
    device.settings = &settings;
    refusal = (struct network_answer){FLEET_COAP_ACK, code, 0, option, max_age, 2};
    network_reset(fleet_port_now(), refusing);
    fleet_enter_directory(&device);
    CHECK(network_sent_count == 1 && network_sent[0].peer == FLEET_DIRECTORY);
    const uint32_t refused = fleet_port_now();
    do {
        seconds += 5;
        network_reset(refused + seconds * 1000u, refusing);
        fleet_enter_directory(&device);
    } while (network_sent_count == 0 && seconds < 10000);
    CHECK(network_sent[0].peer == FLEET_GROUP);
    return seconds;
}

static void directory__that_asks_for_patience__gets_it_and_no_other_refusal_does(void)
{
    static const struct {
        const char *max_age;
        uint32_t least;
        uint32_t most;
        uint8_t code;
    } rows[] = {
        {"\x07\x08", 1800, 1800, FLEET_COAP_CODE(5, 3)},
        {"\x07\x08", 1800, 1800, FLEET_COAP_TOO_MANY},
        {"\xff\xff", 3600, 3600, FLEET_COAP_CODE(5, 3)}, /* no longer than an hour */
        {"\x00\x1e", 60, 120, FLEET_COAP_CODE(5, 3)},    /* 30: it is the group's pause */
        {NULL, 60, 120, FLEET_COAP_CODE(5, 3)},
        {"\x07\x08", 60, 120, FLEET_COAP_CODE(4, 3)}, /* another may let it in */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("row", i);
        const uint32_t alone = seconds_alone(rows[i].code, rows[i].max_age);
        CHECK(alone >= rows[i].least && alone <= rows[i].most);
    }
    test_context(NULL, 0);
}

static void network__that_cannot_send__is_silence(void)
{
    begin();
    fleet_lose_directory(&device);
    network_break();
    CHECK(!fleet_find_directory(&device));
    CHECK(fleet_port_now() == UINT32_MAX - 3000);
    CHECK(fleet_has_to_wait(&device, FLEET_DIRECTORY));
}

static void sender__that_cannot_be_taken__is_none(void)
{
    begin_without();
    (void)answers(RD, 1);
    network_refuses_directory = true;
    CHECK(!fleet_find_directory(&device));
    network_refuses_directory = false;
    CHECK(fleet_find_directory(&device));
}

static void challenge__of_a_directory__goes_with_it(void)
{
    begin();
    device.link.echo_length = 8;
    fleet_lose_directory(&device);
    CHECK(device.link.echo_length == 8); /* the broker's */
    device.link.echo_peer = FLEET_DIRECTORY;
    fleet_lose_directory(&device);
    CHECK(device.link.echo_length == 0);
    fleet_look_for_directory(false);
    CHECK(!fleet_finds_directory());
}

static const struct test_case tests[] = {
    TEST(links__in_each_form__are_read),
    TEST(links__malformed_or_elsewhere__name_no_path),
    TEST(group__is_asked_once_for_a_directory),
    TEST(answer__of_a_stranger_or_of_another_form__is_passed_over),
    TEST(flood__of_answers__ends_with_the_wait),
    TEST(directory__that_is_lost__is_passed_over_the_next_time),
    TEST(pauses__after_silence__grow_to_an_hour_and_begin_anew),
    TEST(directory__that_asks_for_patience__gets_it_and_no_other_refusal_does),
    TEST(network__that_cannot_send__is_silence),
    TEST(sender__that_cannot_be_taken__is_none),
    TEST(challenge__of_a_directory__goes_with_it),
};
TEST_SUITE(discovery, tests);
