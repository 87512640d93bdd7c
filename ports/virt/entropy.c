/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entropy device that the machine is started with, by one queue of one buffer (OASIS, Virtual
 * I/O Device 1.1, 5.4). The bytes come from the host: an emulated processor has no source of noise.
 */
#include <stdalign.h>
#include <string.h>

#include <corral/driver.h>
#include <corral/port.h>
#include <corral/virtio.h>
#include <psa/crypto.h>

#define DEVICE_ENTROPY 4u
#define BUFFER_SIZE 64u

static uint8_t buffer[BUFFER_SIZE];
static alignas(16) volatile struct corral_virtio_queue queue;
static struct corral_virtio device = {.kind = DEVICE_ENTROPY, .queues = &queue, .queue_count = 1};

/* Have the buffer filled. Returns how many bytes are; 0 if the device does not answer. */
static size_t fill_buffer(void)
{
    const struct corral_virtio_part part = {(uintptr_t)buffer, sizeof buffer};

    if (!corral_port_virtio_ask(&device, 0, &part, 0, 1)) {
        return 0;
    }
    return device.written > sizeof buffer ? 0 : device.written;
}

psa_status_t corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits)
{
    size_t done = 0;

    *estimate_bits = 0;
    while (done < size) {
        const size_t filled = fill_buffer();
        const size_t taken = filled < size - done ? filled : size - done;
        if (taken == 0) {
            return PSA_ERROR_INSUFFICIENT_ENTROPY;
        }
        memcpy(output + done, buffer, taken);
        corral_wipe(buffer, sizeof buffer);
        done += taken;
    }
    *estimate_bits = 8 * size;
    return PSA_SUCCESS;
}
