/* SPDX-License-Identifier: Apache-2.0 */
/*
 * I2C to virtual chips, over two FIFOs of the host that the options `requests` and `responses`
 * name. Time passes for these chips only as the board tells them, so a delay is a request too.
 */
#include <corral/port.h>

#include "../common/virtual_bus.h"
#include "../semihosting/options.h"
#include "../semihosting/semihosting.h"

static int requests = SEMIHOSTING_NO_FILE;
static int responses = SEMIHOSTING_NO_FILE;
static bool is_out_of_step; /* a byte was lost: the rest of the streams means nothing */

static bool open_stream(int *stream, const char *option, enum semihosting_mode mode)
{
    const char *path = option_value(option);

    if (*stream == SEMIHOSTING_NO_FILE && path != NULL) {
        *stream = semihosting_open(path, mode);
    }
    return *stream != SEMIHOSTING_NO_FILE;
}

static bool are_chips_there(void)
{
    return !is_out_of_step && open_stream(&requests, "requests", SEMIHOSTING_UPDATE) &&
           open_stream(&responses, "responses", SEMIHOSTING_READ);
}

bool virtual_bus_send(const uint8_t *data, size_t size)
{
    return size == 0 || semihosting_write(requests, data, size);
}

bool virtual_bus_receive(uint8_t *data, size_t size)
{
    return semihosting_read(responses, data, size) == size;
}

static psa_status_t request(const struct virtual_bus_request *what, uint8_t *answer,
                            size_t answer_size)
{
    bool in_step;

    if (!are_chips_there()) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    const psa_status_t status = virtual_bus_exchange(what, answer, answer_size, &in_step);
    is_out_of_step = !in_step;
    return status;
}

psa_status_t corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data, size_t length)
{
    if (length > UINT16_MAX) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    const struct virtual_bus_request what = virtual_bus_write(bus, address, data, length);
    return request(&what, NULL, 0);
}

psa_status_t corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data, size_t length)
{
    if (length > UINT16_MAX) {
        return PSA_ERROR_COMMUNICATION_FAILURE;
    }
    const struct virtual_bus_request what = virtual_bus_read(bus, address, length);
    return request(&what, data, length);
}

/* The board's free-running counter. */
#define COUNTER (*(const volatile uint32_t *)MPS2_COUNTER)
#define STEP_US 1000000u

_Static_assert(MPS2_COUNTER_MHZ > 0 && MPS2_COUNTER_MHZ <= UINT32_MAX / STEP_US,
               "counter_mhz of board.toml: ticks of a step do not fit");

/* Let some time pass without asking for it: emulators are slow at reading a register. */
static void spin(void)
{
    for (volatile unsigned i = 0; i < 100; i++) {
    }
}

static void wait(uint32_t microseconds)
{
    /* In steps, so that the product fits. */
    while (microseconds > 0) {
        const uint32_t step = microseconds < STEP_US ? microseconds : STEP_US;
        const uint32_t start = COUNTER;
        while (COUNTER - start < step * MPS2_COUNTER_MHZ) {
            spin();
        }
        microseconds -= step;
    }
}

void corral_port_delay_us(uint32_t microseconds)
{
    uint8_t payload[4];
    const struct virtual_bus_request what = virtual_bus_delay(microseconds, payload);

    /* Virtual time where there is some, else the board's. */
    if (request(&what, NULL, 0) != PSA_SUCCESS) {
        wait(microseconds);
    }
}
