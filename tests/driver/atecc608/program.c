/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A board for the driver's provision/: output to stdout, orders from stdin, and chips whose
 * memories are the files that the environment names in CHIP0, CHIP1 and CHIP2. An unnamed chip is
 * absent. A new chip 2 has the address of the factory, 0x60; its device wants another one.
 */
#include <atecc608_sim.h>
#include <corral/board.h>
#include <corral/devices.h>
#include <corral/port.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct atecc608_device corral_atecc608_devices[CORRAL_ATECC608_DEVICE_COUNT] = {
    {.bus = 0,
     .address = 0x60,
     .slots = {ATECC608_SLOT_P256, ATECC608_SLOT_AES128},
     .location = CORRAL_LOCATION_SE0,
     .index = 0},
    {.bus = 0,
     .address = 0x61,
     .slots = {ATECC608_SLOT_P256, ATECC608_SLOT_HMAC},
     .location = CORRAL_LOCATION_SE1,
     .index = 1},
    {.bus = 1,
     .address = 0x35,
     .slots = {ATECC608_SLOT_HMAC, ATECC608_SLOT_P256, ATECC608_SLOT_WRITE_KEY},
     .location = CORRAL_LOCATION_SE2,
     .index = 2},
};

static struct atecc608_sim_bus *buses[2];

static struct atecc608_sim_bus *bus_of(uint8_t number)
{
    static const char *const variables[] = {"CHIP0", "CHIP1", "CHIP2"};

    if (buses[0] != NULL) {
        return buses[number];
    }
    buses[0] = atecc608_sim_bus_new();
    buses[1] = atecc608_sim_bus_new();
    for (size_t i = 0; i < CORRAL_ATECC608_DEVICE_COUNT; i++) {
        const struct atecc608_device *device = &corral_atecc608_devices[i];
        const struct atecc608_sim_options options = {.nvm_path = getenv(variables[i]),
                                                     .address = i == 2 ? 0x60 : device->address};
        char error[200];

        if (options.nvm_path != NULL &&
            atecc608_sim_attach(buses[device->bus], &options, error, sizeof error) == NULL) {
            fprintf(stderr, "%s\n", error);
            exit(3);
        }
    }
    return buses[number];
}

psa_status_t corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data, size_t length)
{
    return atecc608_sim_write(bus_of(bus), address, data, length) == ATECC608_SIM_ACK
               ? PSA_SUCCESS
               : PSA_ERROR_COMMUNICATION_FAILURE;
}

psa_status_t corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data, size_t length)
{
    return atecc608_sim_read(bus_of(bus), address, data, length) == ATECC608_SIM_ACK
               ? PSA_SUCCESS
               : PSA_ERROR_COMMUNICATION_FAILURE;
}

void corral_port_delay_us(uint32_t microseconds)
{
    atecc608_sim_delay_us(bus_of(0), microseconds);
    atecc608_sim_delay_us(bus_of(1), microseconds);
}

psa_status_t corral_port_element_key(uint32_t location, uint8_t *key)
{
    memset(key, 0x5A, CORRAL_ELEMENT_KEY_SIZE);
    return location == CORRAL_LOCATION_SE2 ? PSA_SUCCESS : PSA_ERROR_NOT_PERMITTED;
}

void corral_port_lock(unsigned lock)
{
    (void)lock;
}

void corral_port_unlock(unsigned lock)
{
    (void)lock;
}

void corral_board_print(const char *text)
{
    fputs(text, stdout);
}

bool corral_board_input_rewind(void)
{
    return true;
}

bool corral_board_input_read(uint8_t *buffer, size_t size, size_t *length)
{
    *length = fread(buffer, 1, size, stdin);
    return ferror(stdin) == 0;
}
