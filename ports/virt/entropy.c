/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entropy device that the machine is started with, by one queue of one buffer (OASIS, Virtual
 * I/O Device 1.1: 4.2 for the registers, 2.6 for the queue, 5.4 for the device). What it gives is
 * the host's: an emulated processor has no source of noise.
 */
#include <stdbool.h>
#include <string.h>

#include <corral/driver.h>
#include <corral/port.h>
#include <psa/crypto.h>

/* Eight places for devices; QEMU fills them from the last one on. */
#define PLACES ((uintptr_t)0x10001000)
#define PLACE_SIZE 0x1000u
#define PLACE_COUNT 8u

struct registers {
    volatile uint32_t magic;
    volatile uint32_t version;
    volatile uint32_t device;
    volatile uint32_t vendor;
    volatile uint32_t features;
    volatile uint32_t features_select;
    uint32_t reserved_18[2];
    volatile uint32_t driver_features;
    volatile uint32_t driver_features_select;
    uint32_t reserved_28[2];
    volatile uint32_t queue_select;
    volatile uint32_t queue_size_max;
    volatile uint32_t queue_size;
    uint32_t reserved_3c[2];
    volatile uint32_t queue_ready;
    uint32_t reserved_48[2];
    volatile uint32_t queue_notify;
    uint32_t reserved_54[7];
    volatile uint32_t status;
    uint32_t reserved_74[3];
    volatile uint32_t queue_descriptors[2]; /* addresses, the low word first */
    uint32_t reserved_88[2];
    volatile uint32_t queue_offered[2];
    uint32_t reserved_98[2];
    volatile uint32_t queue_used[2];
};

_Static_assert(offsetof(struct registers, queue_used) == 0xa0, "registers stand where they are");

#define MAGIC 0x74726976u
#define VERSION 2u
#define DEVICE_ENTROPY 4u
#define FEATURE_VERSION_1 1u /* of the second word */
#define STATUS_ACKNOWLEDGE 1u
#define STATUS_DRIVER 2u
#define STATUS_DRIVER_OK 4u
#define STATUS_FEATURES_OK 8u
#define BUFFER_FOR_DEVICE 2u

#define BUFFER_SIZE 64u
/* Seconds; the device takes thousandths of one. */
#define TURNS UINT32_C(1000000000)

/* What the device reads and writes. */
static volatile struct {
    struct {
        uint64_t address;
        uint32_t length;
        uint16_t flags;
        uint16_t next;
    } descriptor __attribute__((aligned(16)));
    struct {
        uint16_t flags;
        uint16_t count;
        uint16_t ring[1];
    } offered;
    struct {
        uint16_t flags;
        uint16_t count;
        struct {
            uint32_t descriptor;
            uint32_t length;
        } ring[1];
    } used __attribute__((aligned(4)));
} queue;

static uint8_t buffer[BUFFER_SIZE];
static struct registers *device;
static bool is_lost; /* it has not answered: whenever it does, it writes */

static void synchronize(void)
{
    __asm__ volatile("fence iorw, iorw" ::: "memory");
}

static void set_address(volatile uint32_t words[2], const volatile void *at)
{
    words[0] = (uint32_t)(uintptr_t)at;
    words[1] = 0;
}

static bool start(struct registers *found)
{
    found->status = 0;
    found->status = STATUS_ACKNOWLEDGE | STATUS_DRIVER;
    found->driver_features_select = 0;
    found->driver_features = 0;
    found->driver_features_select = 1;
    found->driver_features = FEATURE_VERSION_1;
    found->status = STATUS_ACKNOWLEDGE | STATUS_DRIVER | STATUS_FEATURES_OK;
    found->queue_select = 0;
    if ((found->status & STATUS_FEATURES_OK) == 0 || found->queue_size_max == 0) {
        return false;
    }
    found->queue_size = 1;
    set_address(found->queue_descriptors, &queue.descriptor);
    set_address(found->queue_offered, &queue.offered);
    set_address(found->queue_used, &queue.used);
    found->queue_ready = 1;
    found->status = STATUS_ACKNOWLEDGE | STATUS_DRIVER | STATUS_FEATURES_OK | STATUS_DRIVER_OK;
    return true;
}

static bool is_there(void)
{
    for (size_t i = 0; i < PLACE_COUNT && device == NULL; i++) {
        struct registers *const at = (struct registers *)(PLACES + i * PLACE_SIZE);
        if (at->magic == MAGIC && at->version == VERSION && at->device == DEVICE_ENTROPY &&
            start(at)) {
            device = at;
        }
    }
    return device != NULL && !is_lost;
}

/* Have the buffer filled. Returns how many bytes are; 0 if the device does not answer. */
static size_t fill_buffer(void)
{
    queue.descriptor.address = (uintptr_t)buffer;
    queue.descriptor.length = sizeof buffer;
    queue.descriptor.flags = BUFFER_FOR_DEVICE;
    queue.offered.ring[0] = 0;
    synchronize();
    queue.offered.count++;
    synchronize();
    device->queue_notify = 0;
    is_lost = true;
    for (uint32_t turn = 0; turn < TURNS && is_lost; turn++) {
        is_lost = queue.used.count != queue.offered.count;
    }
    synchronize();
    const uint32_t length = queue.used.ring[0].length;
    return is_lost || length > sizeof buffer ? 0 : length;
}

psa_status_t corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits)
{
    size_t done = 0;

    *estimate_bits = 0;
    while (done < size) {
        const size_t filled = is_there() ? fill_buffer() : 0;
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
