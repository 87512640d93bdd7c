/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames for a device by Ethernet: any frames, those of its servers with a byte
 * changed, and ARP, between messages that it sends and times that pass. A message is of
 * the server that was asked for, and afterwards there is still memory for one.
 */
#include "../../../fleet/device/exchange.h"
#include "../../../fleet/device/ports/lwip/lan9118.h"
#include "../../../fleet/device/serial.h"
#include "../../../fleet/device/slipmux.h"
#include "../../../fleet/device/transport.h"
#include "../common/fuzz.h"

#define ETHERNET 14u
#define BEFORE_MESSAGE (ETHERNET + 20u + 8u)
#define FRAME_SIZE 600u
#define ROUNDS 24u
#define PEERS 2

static const uint8_t own[LAN9118_ADDRESS_SIZE] = {0x52, 0x54, 0, 0x12, 0x34, 0x56};
static const uint8_t own_ip[4] = {10, 0, 2, 15};
static const uint8_t ips[PEERS][4] = {{10, 0, 2, 3}, {10, 0, 2, 2}}; /* by enum fleet_peer */
static const uint8_t ports[PEERS][2] = {{0, 99}, {5683 >> 8, 5683 & 0xff}};

static uint8_t own_ports[PEERS][2]; /* from where the device has sent to each; 0: not yet */
static bool has_come[PEERS];        /* something of it, since it was asked for last */
static uint8_t frame[FRAME_SIZE];   /* the one that waits in the chip */
static size_t frame_length;
static uint32_t now = UINT32_MAX - 10000u;

uint32_t clock_milliseconds(void);
const char *option_value(const char *name);
bool __wrap_lan9118_start(uint8_t address[LAN9118_ADDRESS_SIZE]);
bool __wrap_lan9118_send(const uint32_t *words, size_t length);
size_t __wrap_lan9118_next(void);
void __wrap_lan9118_take(uint32_t *words, size_t length);

uint32_t clock_milliseconds(void)
{
    return now++;
}

const char *option_value(const char *name)
{
    return strcmp(name, "broker") == 0      ? "10.0.2.2"
           : strcmp(name, "directory") == 0 ? "10.0.2.3:99"
                                            : NULL;
}

/* There is no line. */
void fleet_slipmux_put(uint8_t byte)
{
    (void)byte;
}

bool fleet_serial_take(uint8_t *byte)
{
    (void)byte;
    return false;
}

bool __wrap_lan9118_start(uint8_t address[LAN9118_ADDRESS_SIZE])
{
    memcpy(address, own, sizeof own);
    return true;
}

bool __wrap_lan9118_send(const uint32_t *words, size_t length)
{
    uint8_t sent[LAN9118_PAD + 1514u + 3u];

    FUZZ_CHECK((uintptr_t)words % 4 == 0 && length <= 1514);
    memcpy(sent, words, (LAN9118_PAD + length + 3) / 4 * 4);
    for (int peer = 0; peer < PEERS; peer++) {
        const uint8_t *ip = sent + LAN9118_PAD + ETHERNET;
        if (length >= BEFORE_MESSAGE && ip[0] == 0x45 && memcmp(ip + 16, ips[peer], 4) == 0) {
            memcpy(own_ports[peer], ip + 20, 2);
        }
    }
    return true;
}

size_t __wrap_lan9118_next(void)
{
    return frame_length;
}

void __wrap_lan9118_take(uint32_t *words, size_t length)
{
    FUZZ_CHECK(length == frame_length);
    frame_length = 0;
    if (words == NULL) {
        return;
    }
    memset(words, 0xee, (LAN9118_PAD + length + 3) / 4 * 4);
    memcpy((uint8_t *)words + LAN9118_PAD, frame, length);
    for (int peer = 0; peer < PEERS; peer++) {
        has_come[peer] = has_come[peer] || (length >= BEFORE_MESSAGE &&
                                            memcmp(frame + ETHERNET + 12, ips[peer], 4) == 0);
    }
}

static void begin_frame(uint8_t type)
{
    memcpy(frame, own, sizeof own);
    memset(frame + 6, 0x52, 6);
    frame[12] = 0x08;
    frame[13] = type;
}

/* A datagram of a server, whose checksum of UDP is left out. */
static void write_datagram(enum fleet_peer peer, const uint8_t *message, size_t length)
{
    const size_t size = 20 + 8 + length;
    uint8_t *ip = frame + ETHERNET;
    uint32_t sum = 0;

    begin_frame(0);
    memset(ip, 0, 28);
    ip[0] = 0x45;
    ip[2] = (uint8_t)(size >> 8);
    ip[3] = (uint8_t)size;
    ip[8] = 64;
    ip[9] = 17;
    memcpy(ip + 12, ips[peer], 4);
    memcpy(ip + 16, own_ip, 4);
    for (unsigned i = 0; i < 20; i += 2) {
        sum += (uint32_t)ip[i] << 8 | ip[i + 1];
    }
    sum = ~((sum & 0xffffu) + (sum >> 16));
    ip[10] = (uint8_t)(sum >> 8);
    ip[11] = (uint8_t)sum;
    memcpy(ip + 20, ports[peer], 2);
    memcpy(ip + 22, own_ports[peer], 2);
    ip[24] = (uint8_t)((size - 20) >> 8);
    ip[25] = (uint8_t)(size - 20);
    memcpy(ip + 28, message, length);
    frame_length = ETHERNET + size;
}

/* A question or an answer of ARP. */
static void write_arp(enum fleet_peer peer, uint8_t kind)
{
    static const uint8_t of_ethernet[] = {0, 1, 0x08, 0, 6, 4, 0};
    uint8_t *arp = frame + ETHERNET;

    begin_frame(6);
    memcpy(arp, of_ethernet, sizeof of_ethernet);
    arp[7] = kind;
    memset(arp + 8, 0x52, 6);
    memcpy(arp + 14, ips[peer], 4);
    memcpy(arp + 18, own, sizeof own);
    memcpy(arp + 24, own_ip, 4);
    frame_length = ETHERNET + 28;
}

static void write_frame(struct fuzz_input *input, enum fleet_peer peer)
{
    const unsigned kind = fuzz_below(input, 4);
    size_t length;
    uint8_t *bytes = fuzz_bytes(input, 255, &length);

    if (kind == 0) {
        memcpy(frame, bytes, length);
        frame_length = length;
    } else if (kind == 1) {
        write_arp(peer, 1 + length % 2);
    } else {
        write_datagram(peer, bytes, length);
    }
    free(bytes);
    if (kind == 3) {
        fuzz_change(input, frame, frame_length);
        frame_length -= fuzz_below(input, 64) % frame_length;
    }
}

static size_t receive(enum fleet_peer peer, uint8_t *message, size_t size, uint32_t time)
{
    const size_t length = fleet_port_receive(peer, message, size, now + time);

    FUZZ_CHECK(length <= size && (length == 0 || has_come[peer]));
    has_come[peer] = has_come[peer] && length == 0;
    return length;
}

/* Begin, and let the device learn where its servers are. */
static void begin(void)
{
    uint8_t message[1] = {0};

    FUZZ_CHECK(fleet_transport_start());
    for (int peer = 0; peer < PEERS; peer++) {
        FUZZ_CHECK(fleet_port_send((enum fleet_peer)peer, message, sizeof message));
        write_arp((enum fleet_peer)peer, 2);
        (void)receive((enum fleet_peer)peer, message, sizeof message, 0);
        FUZZ_CHECK(own_ports[peer][0] >= 0xc0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t good[] = "good";
    static bool has_begun;
    struct fuzz_input input = {data, size};
    uint8_t message[FLEET_ANSWER_SIZE] = {0};

    if (!has_begun) {
        begin();
        has_begun = true;
    }
    for (unsigned round = 0; round < ROUNDS && input.size > 0; round++) {
        const uint8_t choice = fuzz_byte(&input);
        const enum fleet_peer peer = choice & 1 ? FLEET_BROKER : FLEET_DIRECTORY;
        if (choice & 2) {
            (void)fleet_port_send(peer, message, choice & 4 ? sizeof message : choice);
        } else {
            write_frame(&input, peer);
        }
        now += choice & 8 ? 1000u : 0u;
        (void)receive(choice & 16 ? FLEET_BROKER : FLEET_DIRECTORY, message,
                      choice & 32 ? sizeof message : 40, choice >> 6);
    }
    for (int peer = 0; peer < PEERS; peer++) {
        (void)receive((enum fleet_peer)peer, message, sizeof message, 0);
        write_datagram((enum fleet_peer)peer, good, sizeof good);
        FUZZ_CHECK(receive((enum fleet_peer)peer, message, sizeof message, 0) == sizeof good);
        FUZZ_CHECK(memcmp(message, good, sizeof good) == 0);
    }
    return 0;
}
