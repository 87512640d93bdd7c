/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <string.h>

#include <corral/board.h>

#include "words.h"

#define print corral_board_print

static const char *meaning(uint8_t kind)
{
    switch (kind) {
    case ATECC608_SLOT_P256:
        return "P-256 pair: generated in the chip, signs and agrees, never leaves";
    case ATECC608_SLOT_AES128:
        return "AES-128 key: written from outside, never read";
    case ATECC608_SLOT_HMAC:
        return "HMAC-SHA-256 key: written from outside, never read";
    case ATECC608_SLOT_WRITE_KEY:
        return "write key: the board's, put in between the two locks; private keys travel under it";
    default:
        return "?";
    }
}

/* "a -> b" for the bytes from `offset`, or "a" when they stay. */
static void print_change(const struct atecc608_plan *plan, size_t offset, size_t count)
{
    print_hex(plan->present + offset, count);
    if (memcmp(plan->present + offset, plan->planned + offset, count) != 0) {
        print(" -> ");
        print_hex(plan->planned + offset, count);
    }
}

static void print_zone(const char *zone, bool is_locked)
{
    print("  ");
    print(zone);
    print(is_locked ? ": locked, for ever\n" : ": open\n");
}

static void print_slot(const struct atecc608_device *device, const struct atecc608_plan *plan,
                       uint8_t slot)
{
    print("  slot ");
    print_number(slot);
    print(": ");
    print(meaning(device->slots[slot]));
    print("\n    SlotConfig ");
    print_change(plan, ATECC608_CONFIG_SLOT_CONFIG + 2u * slot, 2);
    print(", KeyConfig ");
    print_change(plan, ATECC608_CONFIG_KEY_CONFIG + 2u * slot, 2);
    if ((plan->unfit >> slot & 1) == 0) {
        print(": fits as it is\n");
    } else {
        print(plan->config_is_locked ? ": DOES NOT FIT, and cannot be changed\n"
                                     : ": to be written\n");
    }
}

/* Bytes outside the slots' words that the plan changes. */
static void print_other_bytes(const struct atecc608_plan *plan)
{
    static const struct {
        uint8_t offset;
        uint8_t count;
        const char *name;
    } fields[] = {
        {16, 1, "I2C address (twice its 7 bits)"},
        {18, 1, "CountMatch"},
        {19, 1, "ChipMode"},
        {68, 1, "UseLock"},
        {69, 1, "VolatileKeyPermission"},
        {70, 2, "SecureBoot"},
        {90, 2, "ChipOptions"},
    };

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (memcmp(plan->present + fields[i].offset, plan->planned + fields[i].offset,
                   fields[i].count) != 0) {
            print("  ");
            print(fields[i].name);
            print(": ");
            print_change(plan, fields[i].offset, fields[i].count);
            print("\n");
        }
    }
}

void report_plan(const char *name, const struct atecc608_device *device,
                 const struct atecc608_plan *plan)
{
    print(name);
    print(": ATECC608 on bus ");
    print_number(device->bus);
    print(", found at address 0x");
    print_hex(&plan->address, 1);
    print(", serial number ");
    print_hex(plan->serial, sizeof plan->serial);
    print("\n");
    print_zone("configuration zone", plan->config_is_locked);
    print_zone("data zone", plan->data_is_locked);
    for (uint8_t slot = 0; slot < ATECC608_SLOT_COUNT; slot++) {
        if (device->slots[slot] != ATECC608_SLOT_RESERVED) {
            print_slot(device, plan, slot);
        }
    }
    print("  other slots: stay as they are\n");
    if (!plan->config_is_locked) {
        print_other_bytes(plan);
    } else if (plan->address != device->address) {
        print("  It is locked at this address, and the board looks for it at 0x");
        print_hex(&device->address, 1);
        print(".\n");
    }
}

void report_choices(const char *name, const struct atecc608_plan *plan)
{
    if (plan->config_is_locked && plan->data_is_locked) {
        print(plan->unfit == 0 ? "  Ready: nothing to do.\n"
                               : "  Its slots that do not fit cannot be used on this board.\n");
        return;
    }
    if (plan->config_is_locked && plan->unfit != 0) {
        print("  Nothing can be done for this board with this chip.\n");
        return;
    }
    if (!plan->config_is_locked) {
        print("  To write this configuration, which can be written again later, order:\n    ");
        print(name);
        print(" write\n");
    }
    print(
        "  To write it and lock both zones, order the line below. THIS CANNOT BE UNDONE: the\n"
        "  configuration stays as it is for the life of the chip, and its keys work from then on.\n"
        "    ");
    print(name);
    print(" lock ");
    print_hex(plan->serial, sizeof plan->serial);
    print("\n");
}

void report_machine(const char *name, const struct atecc608_plan *plan)
{
    print("corral-provision {\"element\": \"");
    print(name);
    print("\", \"serial\": \"");
    print_hex(plan->serial, sizeof plan->serial);
    print("\", \"address\": ");
    print_number(plan->address);
    print(", \"config_locked\": ");
    print(plan->config_is_locked ? "true" : "false");
    print(", \"data_locked\": ");
    print(plan->data_is_locked ? "true" : "false");
    print(", \"fits\": ");
    print(plan->unfit == 0 ? "true" : "false");
    print("}\n");
}
