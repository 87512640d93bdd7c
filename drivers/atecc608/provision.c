/* SPDX-License-Identifier: Apache-2.0 */
#include "atecc608_provision.h"

#include <string.h>

#include <corral/port.h>

#include "p256.h"
#include "slots.h"

#define OPCODE_WRITE 0x12
#define ZONE_CONFIG_WORD 0x00 /* configuration zone, four bytes */
#define ZONE_DATA_BLOCK 0x82  /* data zone, 32 bytes */
#define OPCODE_LOCK 0x17
#define LOCK_CONFIG 0x00
#define LOCK_DATA 0x81 /* without a CRC: the content of the data zone is unknown */
#define OPCODE_GENKEY 0x40
#define GENKEY_PRIVATE 0x04
#define WORD_SIZE 4u
#define MAKERS_SIZE 13u /* serial number and revision come first */

/* Words of the configuration zone. */
enum {
    FIRST_WORD = 5,   /* 0 to 3 are the maker's */
    ADDRESS_WORD = 4, /* written last: the chip moves */
    WORD_COUNT = 32,
};

static void put_word(uint8_t *words, size_t slot, uint16_t value)
{
    words[2 * slot] = (uint8_t)value;
    words[2 * slot + 1] = (uint8_t)(value >> 8);
}

/*
 * Data sheet, "Configuration zone". All other bytes, which belong to no declared slot,
 * stay; so do bytes 84 to 87, which Write must not touch.
 */
static void make_plan(const struct atecc608_device *device, struct atecc608_plan *plan)
{
    uint8_t *planned = plan->planned;

    memcpy(planned, plan->present, ATECC608_CONFIG_SIZE);
    planned[ATECC608_CONFIG_I2C_ADDRESS] = (uint8_t)(device->address << 1);
    planned[18] = 0;            /* CountMatch: no limits of use */
    planned[19] = 0;            /* ChipMode: this address, full speed, watchdog of 1.3 s */
    memset(planned + 68, 0, 4); /* UseLock, VolatileKeyPermission, SecureBoot: none */
    memset(planned + 90, 0, 2); /* ChipOptions: no self test at power-up, no protected outputs */
    plan->declared = 0;
    for (uint8_t slot = 0; slot < ATECC608_SLOT_COUNT; slot++) {
        const struct atecc608_kind *kind = &atecc608_kinds[device->slots[slot]];
        const uint16_t more = atecc608_private_write(device, slot);

        if (device->slots[slot] != ATECC608_SLOT_RESERVED) {
            plan->declared = (uint16_t)(plan->declared | 1u << slot);
            put_word(planned + ATECC608_CONFIG_SLOT_CONFIG, slot,
                     (uint16_t)(kind->slot_config | more));
            put_word(planned + ATECC608_CONFIG_KEY_CONFIG, slot, kind->key_config);
        }
    }
    plan->unfit = (uint16_t)(plan->declared & ~atecc608_usable_slots(device, plan->present));
    if (plan->config_is_locked && plan->address != device->address) {
        plan->unfit = plan->declared; /* it will never answer where the board looks for it */
    }
}

/* Begin a session with the chip at `address`; `copy` is the device as it is found there. */
static void open_at(struct atecc608_session *session, struct atecc608_device *copy,
                    const struct atecc608_device *device, uint8_t address)
{
    *copy = *device;
    copy->address = address;
    atecc608_open_device(session, copy);
    atecc608_state(session)->is_known = false; /* whatever the driver knew may change now */
}

psa_status_t atecc608_plan(const struct atecc608_device *device, uint8_t address,
                           struct atecc608_plan *plan)
{
    struct atecc608_session session;
    struct atecc608_device copy;

    open_at(&session, &copy, device, address);
    psa_status_t status = atecc608_read_config(&session, plan->present);
    status = atecc608_close(&session, atecc608_continued(status));
    if (status != PSA_SUCCESS) {
        return status;
    }
    plan->address = address;
    memcpy(plan->serial, plan->present, 4);
    memcpy(plan->serial + 4, plan->present + 8, 5);
    plan->config_is_locked = plan->present[ATECC608_CONFIG_LOCK_CONFIG] == ATECC608_LOCKED;
    plan->data_is_locked = plan->present[ATECC608_CONFIG_LOCK_DATA] == ATECC608_LOCKED;
    make_plan(device, plan);
    return PSA_SUCCESS;
}

bool atecc608_plan_changes(const struct atecc608_plan *plan, uint8_t word)
{
    return memcmp(plan->planned + word * WORD_SIZE, plan->present + word * WORD_SIZE, WORD_SIZE) !=
           0;
}

static psa_status_t write_word(struct atecc608_session *session, const struct atecc608_plan *plan,
                               uint8_t word)
{
    if (!atecc608_plan_changes(plan, word)) {
        return PSA_SUCCESS;
    }
    memcpy(atecc608_input(session), plan->planned + word * WORD_SIZE, WORD_SIZE);
    return atecc608_execute(session, ATECC608_COMMAND(OPCODE_WRITE, ZONE_CONFIG_WORD, word),
                            WORD_SIZE, 0);
}

psa_status_t atecc608_write_config(const struct atecc608_device *device,
                                   const struct atecc608_plan *plan)
{
    struct atecc608_session session;
    struct atecc608_device copy;
    uint8_t config[ATECC608_CONFIG_SIZE];
    psa_status_t status = PSA_SUCCESS;

    if (plan->config_is_locked) {
        return PSA_ERROR_NOT_PERMITTED;
    }
    open_at(&session, &copy, device, plan->address);
    for (uint8_t word = FIRST_WORD; word < WORD_COUNT && status == PSA_SUCCESS; word++) {
        status = write_word(&session, plan, word);
    }
    if (status == PSA_SUCCESS) {
        status = write_word(&session, plan, ADDRESS_WORD);
    }
    if (status == PSA_SUCCESS) {
        atecc608_sleep(&session); /* leaving sleep it takes its new address */
        copy.address = device->address;
        status = atecc608_read_config(&session, config);
    }
    if (status == PSA_SUCCESS && memcmp(config, plan->planned, sizeof config) != 0) {
        status = PSA_ERROR_CORRUPTION_DETECTED;
    }
    return atecc608_close(&session, status);
}

/* Write the key that the port keeps for this chip into its slot; the data zone is still open. */
static psa_status_t write_write_key(struct atecc608_session *session)
{
    const uint8_t slot = atecc608_write_key_slot(session->device);

    if (slot == ATECC608_SLOT_COUNT) {
        return PSA_SUCCESS;
    }
    psa_status_t status =
        corral_port_element_key(session->device->location, atecc608_input(session));
    if (status != PSA_SUCCESS) {
        return status;
    }
    return atecc608_execute(session, ATECC608_COMMAND(OPCODE_WRITE, ZONE_DATA_BLOCK, slot << 3),
                            CORRAL_ELEMENT_KEY_SIZE, 0);
}

/* Let the chip generate what is never replaced; again, if power failed before the lock. */
static psa_status_t generate_identities(struct atecc608_session *session)
{
    psa_status_t status = PSA_SUCCESS;

    for (uint8_t slot = 0; slot < ATECC608_SLOT_COUNT && status == PSA_SUCCESS; slot++) {
        if (session->device->slots[slot] == ATECC608_SLOT_IDENTITY) {
            status =
                atecc608_execute(session, ATECC608_COMMAND(OPCODE_GENKEY, GENKEY_PRIVATE, slot), 0,
                                 ATECC608_POINT_SIZE);
        }
    }
    return status;
}

/* Lock what is not locked yet of a chip whose configuration is the plan's. */
static psa_status_t lock_zones(struct atecc608_session *session, const struct atecc608_plan *plan,
                               const uint8_t *config)
{
    const uint16_t crc = atecc608_crc(plan->planned, ATECC608_CONFIG_SIZE);
    psa_status_t status = PSA_SUCCESS;

    if (config[ATECC608_CONFIG_LOCK_CONFIG] != ATECC608_LOCKED) {
        status = atecc608_execute(session, ATECC608_COMMAND(OPCODE_LOCK, LOCK_CONFIG, crc), 0, 0);
    }
    if (status != PSA_SUCCESS || config[ATECC608_CONFIG_LOCK_DATA] == ATECC608_LOCKED) {
        return status;
    }
    status = write_write_key(session);
    if (status == PSA_SUCCESS) {
        status = generate_identities(session);
    }
    if (status == PSA_SUCCESS) {
        status = atecc608_execute(session, ATECC608_COMMAND(OPCODE_LOCK, LOCK_DATA, 0), 0, 0);
    }
    return status;
}

/*
 * Whether this is the chip of the plan, in the planned state. A configuration that is
 * locked already need not be the plan's, but every declared slot must be usable.
 */
static bool is_lockable(const struct atecc608_device *device, const struct atecc608_plan *plan,
                        const uint8_t *config)
{
    if (memcmp(config, plan->present, MAKERS_SIZE) != 0) {
        return false;
    }
    return config[ATECC608_CONFIG_LOCK_CONFIG] == ATECC608_LOCKED
               ? (plan->declared & ~atecc608_usable_slots(device, config)) == 0
               : memcmp(config, plan->planned, ATECC608_CONFIG_SIZE) == 0;
}

psa_status_t atecc608_lock(const struct atecc608_device *device, const struct atecc608_plan *plan)
{
    struct atecc608_session session;
    struct atecc608_device copy;
    uint8_t config[ATECC608_CONFIG_SIZE];

    if (plan->config_is_locked && plan->unfit != 0) {
        return PSA_ERROR_NOT_PERMITTED;
    }
    open_at(&session, &copy, device, device->address);
    psa_status_t status = atecc608_read_config(&session, config);
    if (status == PSA_SUCCESS) {
        status = is_lockable(device, plan, config) ? lock_zones(&session, plan, config)
                                                   : PSA_ERROR_NOT_PERMITTED;
    }
    return atecc608_close(&session, status);
}
