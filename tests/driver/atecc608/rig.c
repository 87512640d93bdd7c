/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <atecc608_provision.h>
#include <corral/dispatch/hash.h>
#include <corral/driver.h>
#include <corral/port.h>

#include <p256.h>

#define SLOTS                                                                                      \
    ATECC608_SLOT_P256, ATECC608_SLOT_P256, ATECC608_SLOT_P256, ATECC608_SLOT_RESERVED,            \
        ATECC608_SLOT_RESERVED, ATECC608_SLOT_AES128, ATECC608_SLOT_AES128,                        \
        ATECC608_SLOT_RESERVED, ATECC608_SLOT_RESERVED, ATECC608_SLOT_HMAC

const struct atecc608_device corral_atecc608_devices[CORRAL_ATECC608_DEVICE_COUNT] = {
    {.bus = 0, .address = 0x60, .slots = {SLOTS}, .location = CORRAL_LOCATION_SE0, .index = 0},
    {.bus = 0, .address = 0x61, .slots = {SLOTS}, .location = CORRAL_LOCATION_SE1, .index = 1},
    {.bus = 1,
     .address = 0x60,
     .slots = {SLOTS, ATECC608_SLOT_WRITE_KEY},
     .location = CORRAL_LOCATION_SE2,
     .index = 2},
};

struct atecc608_sim_bus *buses[2];
struct atecc608_sim_chip *chips[CHIPS];
unsigned failures;
uint32_t rig_percent = 5;
static unsigned held_lock; /* 0: none; the driver never holds two */

/* --- port --- */

psa_status_t corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data, size_t length)
{
    CHECK(held_lock != 0);
    return atecc608_sim_write(buses[bus], address, data, length) == ATECC608_SIM_ACK
               ? PSA_SUCCESS
               : PSA_ERROR_COMMUNICATION_FAILURE;
}

psa_status_t corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data, size_t length)
{
    CHECK(held_lock != 0);
    return atecc608_sim_read(buses[bus], address, data, length) == ATECC608_SIM_ACK
               ? PSA_SUCCESS
               : PSA_ERROR_COMMUNICATION_FAILURE;
}

void corral_port_delay_us(uint32_t microseconds)
{
    atecc608_sim_delay_us(buses[0], microseconds);
    atecc608_sim_delay_us(buses[1], microseconds);
}

void corral_port_lock(unsigned lock)
{
    CHECK(held_lock == 0 && lock != 0);
    held_lock = lock;
}

void corral_port_unlock(unsigned lock)
{
    CHECK(held_lock == lock);
    held_lock = 0;
}

uint8_t rig_write_key[32];
psa_status_t rig_write_key_status;
psa_status_t rig_random_status;

psa_status_t corral_port_element_key(uint32_t location, uint8_t *key)
{
    CHECK(location == CORRAL_LOCATION_SE2);
    memcpy(key, rig_write_key, sizeof rig_write_key);
    return rig_write_key_status;
}

/* --- what the core has for drivers --- */

psa_status_t corral_random(uint8_t *output, size_t size)
{
    CHECK(held_lock == 0);
    reference_random(output, size);
    return rig_random_status;
}

psa_status_t corral_dispatch_hash_compute(psa_algorithm_t alg, const uint8_t *input,
                                          size_t input_length, uint8_t *hash, size_t hash_size,
                                          size_t *hash_length)
{
    CHECK(alg == PSA_ALG_SHA_256 && hash_size >= 32);
    reference_sha256(input, input_length, hash);
    *hash_length = 32;
    return PSA_SUCCESS;
}

/* --- chips --- */

void rig_fresh(void)
{
    rig_end();
    buses[0] = atecc608_sim_bus_new();
    buses[1] = atecc608_sim_bus_new();
    for (size_t i = 0; i < CHIPS; i++) {
        const struct atecc608_device *device = &corral_atecc608_devices[i];
        const struct atecc608_sim_options options = {.address = device->address,
                                                     .time_percent = rig_percent};

        chips[i] = atecc608_sim_attach(buses[device->bus], &options, NULL, 0);
    }
    rig_restart_host();
}

/* Give slot RESERVED_SLOT the configuration of a pair that signs and agrees. */
static void configure_reserved(size_t index)
{
    struct atecc608_device device = corral_atecc608_devices[index];
    struct atecc608_plan plan;

    device.slots[RESERVED_SLOT] = ATECC608_SLOT_P256;
    NEED(atecc608_plan(&device, device.address, &plan));
    NEED(atecc608_write_config(&device, &plan));
}

void rig_provision(size_t index)
{
    const struct atecc608_device *device = &corral_atecc608_devices[index];
    struct atecc608_session session;
    struct atecc608_plan plan;

    configure_reserved(index);
    NEED(atecc608_plan(device, device->address, &plan));
    NEED(atecc608_write_config(device, &plan));
    NEED(atecc608_lock(device, &plan));
    NEED(atecc608_open(&session, index));
    session.slot = RESERVED_SLOT;
    NEED(atecc608_close(&session, atecc608_renew_pair(&session)));
}

void rig_ready(void)
{
    rig_fresh();
    for (size_t i = 0; i < CHIPS; i++) {
        rig_provision(i);
    }
}

void rig_end(void)
{
    CHECK(held_lock == 0);
    atecc608_sim_bus_free(buses[0]);
    atecc608_sim_bus_free(buses[1]);
    buses[0] = buses[1] = NULL;
}

void rig_restart_host(void)
{
    for (size_t i = 0; i < CHIPS; i++) {
        struct atecc608_session session;

        atecc608_open_device(&session, &corral_atecc608_devices[i]);
        memset(atecc608_state(&session), 0, sizeof(struct atecc608_state));
        NEED(atecc608_close(&session, PSA_SUCCESS));
    }
}

psa_key_attributes_t attributes_of(size_t index, psa_key_type_t type, size_t bits)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    attributes.type = type;
    attributes.bits = (uint16_t)bits;
    attributes.lifetime = PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
        PSA_KEY_PERSISTENCE_VOLATILE, corral_atecc608_devices[index].location);
    return attributes;
}

void make_pair(size_t index, uint8_t context[CONTEXT_SIZE])
{
    const psa_key_attributes_t attributes = attributes_of(index, P256_PAIR, 256);
    size_t length = 0;

    NEED(atecc608_allocate_key(&attributes, context, CONTEXT_SIZE));
    NEED(atecc608_generate_key(&attributes, context, CONTEXT_SIZE, &length));
    CHECK(length == CONTEXT_SIZE);
}

void make_key(size_t index, psa_key_type_t type, const uint8_t *data, size_t length,
              uint8_t context[CONTEXT_SIZE])
{
    const psa_key_attributes_t attributes = attributes_of(index, type, 0);
    uint8_t *copy = exact(data, length);
    size_t context_length = 0;
    size_t bits = 0;

    NEED(atecc608_allocate_key(&attributes, context, CONTEXT_SIZE));
    NEED(atecc608_import_symmetric_key(&attributes, copy, length, context, CONTEXT_SIZE,
                                       &context_length, &bits));
    CHECK(context_length == CONTEXT_SIZE && bits == 8 * length);
    free(copy);
}

/* --- small things --- */

uint8_t *exact(const uint8_t *data, size_t size)
{
    uint8_t *buffer = malloc(size > 0 ? size : 1);

    if (data != NULL && size > 0) {
        memcpy(buffer, data, size);
    } else {
        memset(buffer, 0xA5, size);
    }
    return buffer;
}

bool all(const uint8_t *data, size_t size, uint8_t value)
{
    /* The first one, and each as the one before it. */
    return size == 0 || (data[0] == value && memcmp(data, data + 1, size - 1) == 0);
}

void check(bool ok, const char *file, int line, const char *what)
{
    if (!ok) {
        failures++;
        printf("%s:%d: not so: %s\n", file, line, what);
    }
}

void check_status(psa_status_t got, psa_status_t wanted, const char *file, int line,
                  const char *what)
{
    if (got != wanted) {
        failures++;
        printf("%s:%d: %ld, not %ld: %s\n", file, line, (long)got, (long)wanted, what);
    }
}

void rig_each_fault(uint32_t count, void (*check)(const char *fault))
{
    static const char *const kinds[] = {"nak",      "crc",   "garbage",    "silence",
                                        "watchdog", "power", "power-after"};
    const size_t ways = sizeof kinds / sizeof kinds[0];

    for (uint32_t n = 1; n <= count; n++) {
        for (size_t k = 0; k < ways; k++) {
            char fault[32];

            snprintf(fault, sizeof fault, "%s@%u", kinds[k], (unsigned)n);
            check(fault);
        }
    }
    printf("%u transactions, each failed in %u ways\n", (unsigned)count, (unsigned)ways);
}

int rig_verdict(void)
{
    rig_end();
    printf("%u failed\n", failures);
    return failures == 0 ? 0 : 1;
}
