/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Virtual chips behind two FIFOs of the host, which the options `requests` and `responses` name.
 */
#include "../emulated/virtual_chips.h"
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

psa_status_t virtual_chips_ask(const struct virtual_bus_request *what, uint8_t *answer,
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

void virtual_chips_wait(uint32_t microseconds)
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
