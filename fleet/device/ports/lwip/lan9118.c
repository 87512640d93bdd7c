/* SPDX-License-Identifier: Apache-2.0 */
#include "lan9118.h"

struct lan9118 {
    volatile uint32_t received;
    uint32_t received_too[7];
    volatile uint32_t send;
    uint32_t send_too[7];
    volatile uint32_t received_status;
    volatile uint32_t received_status_peek;
    volatile uint32_t sent_status;
    volatile uint32_t sent_status_peek;
    volatile uint32_t revision;
    volatile uint32_t interrupt_line;
    volatile uint32_t interrupts;
    volatile uint32_t interrupts_enabled;
    uint32_t reserved;
    volatile uint32_t byte_order;
    volatile uint32_t levels;
    volatile uint32_t receiver;
    volatile uint32_t transmitter;
    volatile uint32_t hardware;
    volatile uint32_t receiver_path;
    volatile uint32_t received_room;
    volatile uint32_t send_room;
    volatile uint32_t power;
    uint32_t others[7];
    volatile uint32_t mac_command;
    volatile uint32_t mac_data;
};

_Static_assert(offsetof(struct lan9118, sent_status) == 0x48, "as the data sheet has it");
_Static_assert(offsetof(struct lan9118, hardware) == 0x74, "as the data sheet has it");
_Static_assert(offsetof(struct lan9118, mac_data) == 0xa8, "as the data sheet has it");

#define CHIP ((struct lan9118 *)LAN9118)

#define BYTE_ORDER_TEST 0x87654321u
#define CHIP_OF(revision) ((revision) >> 16)
#define CHIP_LAN9118 0x0118u

#define HARDWARE_RESET 1u
#define HARDWARE_MUST_BE_ONE (1u << 20)
#define HARDWARE_SEND_MEMORY (5u << 16) /* KB; the others of 16 are for received frames */
#define POWER_READY 1u
#define TRANSMITTER_ON 2u
#define RECEIVER_PAD (LAN9118_PAD << 8)

#define MAC_BUSY (1u << 31)
#define MAC_READ (1u << 30)
#define MAC_CONTROL 1u
#define MAC_ADDRESS_HIGH 2u
#define MAC_ADDRESS_LOW 3u
#define CONTROL_RECEIVE (1u << 2)
#define CONTROL_TRANSMIT (1u << 3)
#define CONTROL_FULL_DUPLEX (1u << 20)

#define FIRST (1u << 13)
#define LAST (1u << 12)
#define OFFSET(bytes) ((uint32_t)(bytes) << 16)
#define COMMANDS 8u /* bytes of both words before a frame */
#define ROOM(size) ((size)&0xffffu)
#define COUNT_OF_STATUS(size) ((size) >> 16 & 0xffu)

#define STATUS_FAULT (1u << 15)
#define STATUS_LENGTH(status) ((status) >> 16 & 0x3fffu)
#define CHECKSUM 4u

/* Longer than a chip takes for it, by far. */
#define PATIENCE 1000000u

/* The number of words that the pad and so many bytes take. */
static size_t words_of(size_t length)
{
    return (LAN9118_PAD + length + 3u) / 4u;
}

/* Wait until the bits of a register are as they should be. */
static bool becomes(const volatile uint32_t *word, uint32_t bits, uint32_t wanted)
{
    for (uint32_t i = 0; i < PATIENCE; i++) {
        if ((*word & bits) == wanted) {
            return true;
        }
    }
    return false;
}

static uint32_t mac_read(uint32_t number)
{
    CHIP->mac_command = MAC_BUSY | MAC_READ | number;
    (void)becomes(&CHIP->mac_command, MAC_BUSY, 0);
    return CHIP->mac_data;
}

static void mac_write(uint32_t number, uint32_t value)
{
    CHIP->mac_data = value;
    CHIP->mac_command = MAC_BUSY | number;
    (void)becomes(&CHIP->mac_command, MAC_BUSY, 0);
}

bool lan9118_start(uint8_t address[LAN9118_ADDRESS_SIZE])
{
    if (CHIP->byte_order != BYTE_ORDER_TEST || CHIP_OF(CHIP->revision) != CHIP_LAN9118) {
        return false;
    }
    CHIP->hardware = HARDWARE_RESET;
    if (!becomes(&CHIP->hardware, HARDWARE_RESET, 0) ||
        !becomes(&CHIP->power, POWER_READY, POWER_READY)) {
        return false;
    }
    CHIP->hardware = HARDWARE_MUST_BE_ONE | HARDWARE_SEND_MEMORY;
    CHIP->interrupts_enabled = 0;
    CHIP->receiver = RECEIVER_PAD;
    CHIP->transmitter = TRANSMITTER_ON;
    const uint32_t low = mac_read(MAC_ADDRESS_LOW);
    const uint32_t high = mac_read(MAC_ADDRESS_HIGH);
    for (size_t i = 0; i < LAN9118_ADDRESS_SIZE; i++) {
        address[i] = (uint8_t)(i < 4u ? low >> 8u * i : high >> 8u * (i - 4u));
    }
    mac_write(MAC_CONTROL, CONTROL_FULL_DUPLEX | CONTROL_TRANSMIT | CONTROL_RECEIVE);
    return true;
}

/* The status of sent frames is not used; the chip stops when its queue is full. */
static void drop_statuses(void)
{
    for (uint32_t left = COUNT_OF_STATUS(CHIP->send_room); left > 0; left--) {
        (void)CHIP->sent_status;
    }
}

bool lan9118_send(const uint32_t *words, size_t length)
{
    const size_t count = words_of(length);

    drop_statuses();
    if (ROOM(CHIP->send_room) < COMMANDS + 4u * count) {
        return false;
    }
    CHIP->send = OFFSET(LAN9118_PAD) | FIRST | LAST | (uint32_t)length;
    CHIP->send = (uint32_t)length;
    for (size_t i = 0; i < count; i++) {
        CHIP->send = words[i];
    }
    return true;
}

size_t lan9118_next(void)
{
    if (COUNT_OF_STATUS(CHIP->received_room) == 0) {
        return 0;
    }
    const uint32_t status = CHIP->received_status;
    const size_t length = STATUS_LENGTH(status);
    if ((status & STATUS_FAULT) == 0 && length > CHECKSUM) {
        return length - CHECKSUM;
    }
    for (size_t left = words_of(length); left > 0; left--) {
        (void)CHIP->received;
    }
    return 0;
}

void lan9118_take(uint32_t *words, size_t length)
{
    const size_t all = words_of(length + CHECKSUM);
    const size_t wanted = words != NULL ? words_of(length) : 0;

    for (size_t i = 0; i < all; i++) {
        const uint32_t word = CHIP->received;
        if (i < wanted) {
            words[i] = word;
        }
    }
}
