/* SPDX-License-Identifier: Apache-2.0 */
#include "host.h"

#include <string.h>

void check(bool ok, const char *text, const char *file, int line)
{
    if (!ok) {
        printf("%s:%d: not so: %s\n", file, line, text);
        exit(1);
    }
}

void check_equal(long long expected, long long actual, const char *text, const char *file, int line)
{
    if (expected != actual) {
        printf("%s:%d: %s is %lld (0x%llX), expected %lld (0x%llX)\n", file, line, text, actual,
               (unsigned long long)actual, expected, (unsigned long long)expected);
        exit(1);
    }
}

void check_bytes(const uint8_t *expected, const uint8_t *actual, size_t length, const char *text,
                 const char *file, int line)
{
    if (memcmp(expected, actual, length) == 0) {
        return;
    }
    printf("%s:%d: %s differs\n  expected ", file, line, text);
    for (size_t i = 0; i < length; i++) {
        printf("%02x", expected[i]);
    }
    printf("\n  actual   ");
    for (size_t i = 0; i < length; i++) {
        printf("%02x", actual[i]);
    }
    printf("\n");
    exit(1);
}

void run(const char *name, void (*function)(void))
{
    printf("%s ... ", name);
    fflush(stdout);
    function();
    printf("ok\n");
}

struct rig rig_with_image(const char *path)
{
    struct atecc608_sim_options options = {.nvm_path = path};
    struct rig rig = {.bus = atecc608_sim_bus_new()};
    char error[256] = "";

    CHECK(rig.bus != NULL);
    rig.chip = atecc608_sim_attach(rig.bus, &options, error, sizeof(error));
    if (rig.chip == NULL) {
        printf("%s\n", error);
    }
    CHECK(rig.chip != NULL);
    rig.address = atecc608_sim_address(rig.chip);
    return rig;
}

struct rig rig_new(void)
{
    return rig_with_image(NULL);
}

void rig_free(struct rig *rig)
{
    atecc608_sim_bus_free(rig->bus);
    rig->bus = NULL;
}

/* Another form than the chip's own, so that one mistake cannot hide in both: reflected, table-free.
 */
uint16_t host_crc(const uint8_t *data, size_t length)
{
    uint16_t reflected = 0;
    uint16_t crc = 0;

    for (size_t i = 0; i < length; i++) {
        reflected ^= data[i];
        for (int bit = 0; bit < 8; bit++) {
            reflected =
                (uint16_t)((reflected & 1u) != 0 ? reflected >> 1 ^ 0xA001 : reflected >> 1);
        }
    }
    for (int bit = 0; bit < 16; bit++) {
        crc = (uint16_t)(crc << 1 | (reflected >> bit & 1));
    }
    return crc;
}

bool host_wake(const struct rig *rig)
{
    static const uint8_t expected[4] = {0x04, 0x11, 0x33, 0x43};
    uint8_t answer[4];

    (void)atecc608_sim_write(rig->bus, 0, NULL, 0);
    atecc608_sim_delay_us(rig->bus, 1500);
    return atecc608_sim_read(rig->bus, rig->address, answer, 4) == ATECC608_SIM_ACK &&
           memcmp(answer, expected, 4) == 0;
}

void host_idle(const struct rig *rig)
{
    (void)atecc608_sim_write(rig->bus, rig->address, (const uint8_t *)"\x02", 1);
}

void host_sleep(const struct rig *rig)
{
    (void)atecc608_sim_write(rig->bus, rig->address, (const uint8_t *)"\x01", 1);
}

enum atecc608_sim_status host_send(const struct rig *rig, uint8_t opcode, uint8_t param1,
                                   uint16_t param2, const uint8_t *data, size_t length)
{
    uint8_t packet[1 + 155] = {0x03,   (uint8_t)(length + 7), opcode,
                               param1, (uint8_t)param2,       (uint8_t)(param2 >> 8)};
    uint16_t crc;

    if (length > 0) {
        memcpy(packet + 6, data, length);
    }
    crc = host_crc(packet + 1, length + 5);
    packet[length + 6] = (uint8_t)crc;
    packet[length + 7] = (uint8_t)(crc >> 8);
    return atecc608_sim_write(rig->bus, rig->address, packet, length + 8);
}

struct reply host_receive(const struct rig *rig)
{
    struct reply reply = {.status = -1};
    uint8_t answer[155];
    int polls = 3000;

    while (atecc608_sim_read(rig->bus, rig->address, answer, 1) != ATECC608_SIM_ACK) {
        if (polls-- == 0) {
            return reply;
        }
        atecc608_sim_delay_us(rig->bus, 1000);
    }
    CHECK(answer[0] >= 4 && answer[0] <= sizeof(answer));
    CHECK_EQUAL(ATECC608_SIM_ACK,
                atecc608_sim_read(rig->bus, rig->address, answer + 1, (size_t)answer[0] - 1));
    if (host_crc(answer, (size_t)answer[0] - 2) !=
        (uint16_t)(answer[answer[0] - 2] | answer[answer[0] - 1] << 8)) {
        reply.status = -2;
        return reply;
    }
    if (answer[0] == 4) {
        reply.status = answer[1];
        return reply;
    }
    reply.status = 0;
    reply.length = (size_t)answer[0] - 3;
    memcpy(reply.data, answer + 1, reply.length);
    return reply;
}

struct reply host_command(const struct rig *rig, uint8_t opcode, uint8_t param1, uint16_t param2,
                          const uint8_t *data, size_t length)
{
    struct reply reply = {.status = -1};

    if (!host_wake(rig)) {
        return reply;
    }
    if (host_send(rig, opcode, param1, param2, data, length) == ATECC608_SIM_ACK) {
        reply = host_receive(rig);
    }
    host_idle(rig);
    return reply;
}

struct reply expect(const struct rig *rig, int status, uint8_t opcode, uint8_t param1,
                    uint16_t param2, const uint8_t *data, size_t length, const char *file, int line)
{
    struct reply reply = host_command(rig, opcode, param1, param2, data, length);

    check_equal(status, reply.status, "status of the answer", file, line);
    return reply;
}

void host_write_config(const struct rig *rig, unsigned int offset, const uint8_t word[4])
{
    EXPECT(rig, 0, 0x12, 0x00, (uint16_t)(offset / 32 << 3 | offset % 32 / 4), word, 4);
}

/* Change two bytes of the configuration, keeping their neighbours. */
static void write_config_half(const struct rig *rig, unsigned int offset, uint16_t value)
{
    unsigned int word = offset & ~3u;
    struct reply reply =
        EXPECT(rig, 0, 0x02, 0x00, (uint16_t)(word / 32 << 3 | word % 32 / 4), NULL, 0);

    reply.data[offset % 4] = (uint8_t)value;
    reply.data[offset % 4 + 1] = (uint8_t)(value >> 8);
    host_write_config(rig, word, reply.data);
}

void host_configure_slot(const struct rig *rig, unsigned int slot, uint16_t slot_config,
                         uint16_t key_config)
{
    write_config_half(rig, 20 + 2 * slot, slot_config);
    write_config_half(rig, 96 + 2 * slot, key_config);
}

void host_lock_config(const struct rig *rig)
{
    EXPECT(rig, 0, 0x17, 0x80, 0, NULL, 0);
}

void host_lock_data(const struct rig *rig)
{
    EXPECT(rig, 0, 0x17, 0x81, 0, NULL, 0);
}

void host_write_slot(const struct rig *rig, unsigned int slot, const uint8_t data[32])
{
    EXPECT(rig, 0, 0x12, 0x82, (uint16_t)(slot << 3), data, 32);
}

void host_load_tempkey(const struct rig *rig, const uint8_t data[32])
{
    EXPECT(rig, 0, 0x16, 0x03, 0, data, 32);
}

void host_load_digest(const struct rig *rig, const uint8_t data[32])
{
    EXPECT(rig, 0, 0x16, 0x43, 0, data, 32);
}
