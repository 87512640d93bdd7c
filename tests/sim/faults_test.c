/* SPDX-License-Identifier: Apache-2.0 */
/* Faults, power loss and the image file. The argument is a folder for images. */
#include "host.h"
#include "opcodes.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *folder;

static const char *image_path(const char *name)
{
    static char path[512];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    unlink(path);
    return path;
}

/*
 * Info without retries, by a host that gives up at the first problem. Returns the status or -1, -2.
 */
static int info_once(const struct rig *rig)
{
    struct reply reply = {.status = -1};
    uint8_t answer[7];

    if (!host_wake(rig)) {
        return -1;
    }
    if (host_send(rig, INFO, 0, 0, NULL, 0) != ATECC608_SIM_ACK) {
        return -1;
    }
    atecc608_sim_delay_us(rig->bus, 10000);
    if (atecc608_sim_read(rig->bus, rig->address, answer, sizeof(answer)) != ATECC608_SIM_ACK) {
        return -1;
    }
    if (host_crc(answer, 5) != (uint16_t)(answer[5] | answer[6] << 8)) {
        return answer[0] == 4 ? answer[1] : -2;
    }
    reply.status = 0;
    host_idle(rig);
    return reply.status;
}

static void transactions__clean_run__are_counted(void)
{
    struct rig rig = rig_new();

    CHECK_EQUAL(0, atecc608_sim_transactions(rig.chip));
    CHECK_EQUAL(0, info_once(&rig)); /* wake, its answer, command, answer, idle */
    CHECK_EQUAL(5, atecc608_sim_transactions(rig.chip));
    atecc608_sim_reset_transactions(rig.chip);
    CHECK_EQUAL(0, atecc608_sim_transactions(rig.chip));
    rig_free(&rig);
}

/* Each kind of fault at each transaction of a clean run: never a wrong success, and the chip
 * recovers. */
static void every_fault__at_every_transaction__is_noticed(void)
{
    static const char *const kinds[] = {"nak",      "crc",   "garbage",    "silence",
                                        "watchdog", "power", "power-after"};

    for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
        for (int n = 1; n <= 4; n++) {
            struct rig rig = rig_new();
            char text[32];

            snprintf(text, sizeof(text), "%s@%d", kinds[kind], n);
            CHECK(atecc608_sim_fault(rig.chip, text));
            /* the wake pulse carries no bytes that could be damaged */
            if (n == 1 &&
                (strcmp(kinds[kind], "crc") == 0 || strcmp(kinds[kind], "garbage") == 0)) {
                CHECK_EQUAL(0, info_once(&rig));
            } else {
                CHECK(info_once(&rig) != 0);
            }
            atecc608_sim_delay_us(rig.bus, 2000000); /* the watchdog clears any state */
            CHECK_EQUAL(0, info_once(&rig));
            rig_free(&rig);
        }
    }
}

static void crc_fault__on_a_command__answers_ff(void)
{
    struct rig rig = rig_new();

    CHECK(host_wake(&rig));
    CHECK(atecc608_sim_fault(rig.chip, "crc@1"));
    CHECK_EQUAL(ATECC608_SIM_ACK, host_send(&rig, INFO, 0, 0, NULL, 0));
    CHECK_EQUAL(0xFF, host_receive(&rig).status);
    rig_free(&rig);
}

static void status_fault__is_the_answer_and_changes_nothing(void)
{
    struct rig rig = rig_new();

    CHECK(host_wake(&rig));
    CHECK(atecc608_sim_fault(rig.chip, "status:08@1"));
    CHECK_EQUAL(ATECC608_SIM_ACK, host_send(&rig, LOCK, 0x80, 0, NULL, 0));
    CHECK_EQUAL(0x08, host_receive(&rig).status);
    host_idle(&rig);
    CHECK_EQUAL(0x55, EXPECT(&rig, 0, READ, 0, 2 << 3 | 5, NULL, 0).data[3]);
    rig_free(&rig);
}

static void repeated_and_lasting__faults__count(void)
{
    struct rig rig = rig_new();
    uint8_t byte;

    CHECK(host_wake(&rig));
    CHECK(atecc608_sim_fault(rig.chip, "nak@2+2"));
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_write(rig.bus, rig.address, &byte, 0));
    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_write(rig.bus, rig.address, &byte, 0));
    CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_write(rig.bus, rig.address, &byte, 0));
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_write(rig.bus, rig.address, &byte, 0));
    CHECK(atecc608_sim_fault(rig.chip, "silence"));
    for (int i = 0; i < 100; i++) {
        CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_write(rig.bus, rig.address, &byte, 0));
    }
    CHECK(atecc608_sim_fault(rig.chip, "clear"));
    CHECK_EQUAL(ATECC608_SIM_ACK, atecc608_sim_write(rig.bus, rig.address, &byte, 0));
    rig_free(&rig);
}

static void fault__nonsense__is_refused(void)
{
    static const char *const texts[] = {
        "",           "nak",         "nak@",        "nak@0",       "nak@1+0",
        "nak@1 ",     "crc@-1",      "what@1",      "status",      "status@1",
        "status:0@1", "status:00@1", "status:-1@1", "status:GG@1", "nak@1+2+3"};
    struct rig rig = rig_new();

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        CHECK(!atecc608_sim_fault(rig.chip, texts[i]));
    }
    rig_free(&rig);
}

/* Power lost at a Write or just after: the memory is the old one or the new one, as asked. */
static void power_loss__at_a_write__leaves_before_or_after(void)
{
    static const uint8_t word[4] = {0xC0, 0x00, 0x00, 0x04};

    for (int when = 0; when < 4; when++) {
        struct rig rig = rig_new();
        bool keep = when % 2 == 1;
        bool while_busy = when >= 2;
        uint8_t zone[128];
        uint8_t byte;

        CHECK(host_wake(&rig));
        if (while_busy) {
            CHECK_EQUAL(ATECC608_SIM_ACK, host_send(&rig, WRITE, 0, 4, word, 4));
        }
        CHECK(atecc608_sim_fault(rig.chip, keep ? "power-after@1" : "power@1"));
        if (while_busy) {
            CHECK_EQUAL(ATECC608_SIM_NAK, atecc608_sim_read(rig.bus, rig.address, &byte, 1));
        } else {
            CHECK_EQUAL(ATECC608_SIM_NAK, host_send(&rig, WRITE, 0, 4, word, 4));
        }
        CHECK(strcmp(atecc608_sim_state(rig.chip), "asleep") == 0);
        CHECK_EQUAL(128, atecc608_sim_peek(rig.chip, 0, zone, sizeof(zone)));
        CHECK_EQUAL(keep ? 0x04 : 0x00, zone[19]);
        CHECK_EQUAL(0, info_once(&rig));
        rig_free(&rig);
    }
}

static void image__survives_a_restart(void)
{
    const char *path = image_path("restart.nvm");
    struct rig rig = rig_with_image(path);
    uint8_t before[128];
    uint8_t after[128];
    struct reply public_key;

    EXPECT(&rig, 0, COUNTER, 0, 0, NULL, 0);
    host_lock_config(&rig);
    public_key = EXPECT(&rig, 0, GENKEY, 0x04, 0, NULL, 0);
    EXPECT(&rig, 0, COUNTER, 1, 1, NULL, 0);
    CHECK_EQUAL(128, atecc608_sim_peek(rig.chip, 0, before, 128));
    rig_free(&rig);
    rig = rig_with_image(path);
    CHECK_EQUAL(128, atecc608_sim_peek(rig.chip, 0, after, 128));
    CHECK_BYTES(before, after, 128);
    CHECK_BYTES(public_key.data, EXPECT(&rig, 0, GENKEY, 0x00, 0, NULL, 0).data, 64);
    CHECK_EQUAL(1, EXPECT(&rig, 0, COUNTER, 0, 1, NULL, 0).data[0]);
    rig_free(&rig);
}

static void image__command_not_finished__is_the_old_one(void)
{
    const char *path = image_path("unfinished.nvm");
    struct rig rig = rig_with_image(path);

    CHECK(host_wake(&rig));
    CHECK_EQUAL(ATECC608_SIM_ACK, host_send(&rig, LOCK, 0x80, 0, NULL, 0));
    rig_free(&rig); /* the process ends while the chip is busy */
    rig = rig_with_image(path);
    CHECK_EQUAL(0x55, EXPECT(&rig, 0, READ, 0, 2 << 3 | 5, NULL, 0).data[3]);
    rig_free(&rig);
}

/* Overwrite one byte of a file, or append it when at is past the end. */
static void change_byte(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    int byte;

    CHECK(file != NULL && fseek(file, at, SEEK_SET) == 0);
    byte = fgetc(file);
    CHECK(fseek(file, at, SEEK_SET) == 0 && fputc(byte ^ 0x01, file) != EOF && fclose(file) == 0);
}

static void image__damaged__is_refused_and_left_alone(void)
{
    static const long places[] = {0, 16, 300, 1423, 1455, 1456};
    const char *path = image_path("damaged.nvm");
    struct atecc608_sim_options options = {.nvm_path = path};

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        struct rig rig = rig_with_image(path);
        struct atecc608_sim_bus *bus = atecc608_sim_bus_new();
        char error[256] = "";

        rig_free(&rig);
        change_byte(path, places[i]);
        CHECK(atecc608_sim_attach(bus, &options, error, sizeof(error)) == NULL);
        CHECK(strstr(error, path) != NULL && strstr(error, "image") != NULL);
        CHECK(access(path, F_OK) == 0);
        atecc608_sim_bus_free(bus);
        unlink(path);
    }
}

static void image__cannot_be_written__is_an_execution_error(void)
{
    char gone[512];
    char path[600];
    struct rig rig;

    snprintf(gone, sizeof(gone), "%s/gone", folder);
    snprintf(path, sizeof(path), "%s/image.nvm", gone);
    CHECK(mkdir(gone, 0700) == 0);
    rig = rig_with_image(path);
    CHECK(unlink(path) == 0 && rmdir(gone) == 0);
    EXPECT(&rig, 0x0F, LOCK, 0x80, 0, NULL, 0);
    CHECK_EQUAL(0x55, EXPECT(&rig, 0, READ, 0, 2 << 3 | 5, NULL, 0).data[3]);
    rig_free(&rig);
}

static void attach__no_room_or_no_such_folder__says_why(void)
{
    struct atecc608_sim_bus *bus = atecc608_sim_bus_new();
    struct atecc608_sim_options options = {.nvm_path = "/nonexistent/folder/image"};
    char error[256] = "";

    CHECK(atecc608_sim_attach(bus, &options, error, sizeof(error)) == NULL);
    CHECK(strstr(error, "/nonexistent/folder/image") != NULL);
    options.nvm_path = NULL;
    for (uint8_t i = 0; i < ATECC608_SIM_CHIPS_PER_BUS; i++) {
        options.address = (uint8_t)(0x10 + i);
        CHECK(atecc608_sim_attach(bus, &options, error, sizeof(error)) != NULL);
    }
    CHECK(atecc608_sim_attach(bus, &options, error, sizeof(error)) == NULL);
    atecc608_sim_bus_free(bus);
    atecc608_sim_bus_free(NULL);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    folder = argv[1];
    RUN(transactions__clean_run__are_counted);
    RUN(every_fault__at_every_transaction__is_noticed);
    RUN(crc_fault__on_a_command__answers_ff);
    RUN(status_fault__is_the_answer_and_changes_nothing);
    RUN(repeated_and_lasting__faults__count);
    RUN(fault__nonsense__is_refused);
    RUN(power_loss__at_a_write__leaves_before_or_after);
    RUN(image__survives_a_restart);
    RUN(image__command_not_finished__is_the_old_one);
    RUN(image__damaged__is_refused_and_left_alone);
    RUN(image__cannot_be_written__is_an_execution_error);
    RUN(attach__no_room_or_no_such_folder__says_why);
    return 0;
}
