/* SPDX-License-Identifier: Apache-2.0 */
/* Virtio devices behind registers in memory (OASIS, Virtual I/O Device 1.1: 4.2 for the registers,
 * 3.1 for how to begin, 2.6 for queues). */
#include <corral/virtio.h>

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
    uint32_t reserved_a8[22];
    volatile uint32_t settings[64];
};

_Static_assert(offsetof(struct registers, settings) == 0x100, "registers stand where they are");
_Static_assert(sizeof(struct corral_virtio_queue) % 16 == 0, "queues can stand in a row");

#define MAGIC 0x74726976u
#define VERSION 2u
#define FEATURE_VERSION_1 1u /* of the second word */
#define STATUS_ACKNOWLEDGE 1u
#define STATUS_DRIVER 2u
#define STATUS_DRIVER_OK 4u
#define STATUS_FEATURES_OK 8u
#define STATUS_NEEDS_RESET 64u
#define PART_IS_NOT_LAST 1u
#define PART_IS_WRITTEN 2u

/* Seconds; a device takes thousandths of one. */
#define TURNS UINT32_C(1000000000)
/* Between two looks at the status, each of which leaves the emulated processor. */
#define TURNS_TO_LOOK UINT32_C(0x100000)

static struct registers *registers_of(const struct corral_virtio *device)
{
    return (struct registers *)device->registers;
}

static void synchronize(void)
{
    __asm__ volatile("fence iorw, iorw" ::: "memory");
}

static void set_address(volatile uint32_t words[2], const volatile void *at)
{
    words[0] = (uint32_t)(uintptr_t)at;
    words[1] = 0;
}

static bool add_queue(struct registers *at, uint32_t number,
                      const volatile struct corral_virtio_queue *queue)
{
    at->queue_select = number;
    if (at->queue_size_max < CORRAL_VIRTIO_PARTS) {
        return false;
    }
    at->queue_size = CORRAL_VIRTIO_PARTS;
    set_address(at->queue_descriptors, &queue->descriptors);
    set_address(at->queue_offered, &queue->offered);
    set_address(at->queue_used, &queue->used);
    at->queue_ready = 1;
    return true;
}

static bool start(struct registers *at, const struct corral_virtio *device)
{
    const uint32_t driver = STATUS_ACKNOWLEDGE | STATUS_DRIVER;
    bool is_ready;

    at->status = 0;
    at->status = driver;
    at->driver_features_select = 0;
    at->driver_features = 0;
    at->driver_features_select = 1;
    at->driver_features = FEATURE_VERSION_1;
    at->status = driver | STATUS_FEATURES_OK;
    is_ready = (at->status & STATUS_FEATURES_OK) != 0;
    for (uint32_t i = 0; i < device->queue_count && is_ready; i++) {
        is_ready = add_queue(at, i, &device->queues[i]);
    }
    at->status = is_ready ? driver | STATUS_FEATURES_OK | STATUS_DRIVER_OK : 0;
    return is_ready;
}

bool corral_port_virtio_begin(struct corral_virtio *device)
{
    for (size_t i = 0; i < PLACE_COUNT && device->registers == 0; i++) {
        struct registers *const at = (struct registers *)(PLACES + i * PLACE_SIZE);
        if (at->magic == MAGIC && at->version == VERSION && at->device == device->kind &&
            start(at, device)) {
            device->registers = (uintptr_t)at;
        }
    }
    return device->registers != 0 && !device->is_lost;
}

uint32_t corral_port_virtio_setting(const struct corral_virtio *device, uint32_t offset)
{
    return registers_of(device)->settings[offset / 4];
}

/* One request at a time: its parts begin with the first descriptor, so the available
 * ring stays zeros. */
static void offer(volatile struct corral_virtio_queue *queue,
                  const struct corral_virtio_part *parts, size_t to_read, size_t to_write)
{
    for (size_t i = 0; i < to_read + to_write; i++) {
        queue->descriptors[i].address = parts[i].address;
        queue->descriptors[i].length = parts[i].length;
        queue->descriptors[i].flags = (i < to_read ? 0 : PART_IS_WRITTEN) |
                                      (i + 1 < to_read + to_write ? PART_IS_NOT_LAST : 0);
        queue->descriptors[i].next = (uint16_t)(i + 1);
    }
    synchronize();
    queue->offered.count++;
    synchronize();
}

static bool has_answered(const volatile struct corral_virtio_queue *queue,
                         const struct registers *at)
{
    for (uint32_t turn = 0; queue->used.count != queue->offered.count; turn++) {
        if (turn == TURNS ||
            (turn % TURNS_TO_LOOK == TURNS_TO_LOOK - 1 && (at->status & STATUS_NEEDS_RESET) != 0)) {
            return false;
        }
    }
    synchronize();
    return true;
}

/* The length that the device has written, from the latest element of the used ring. */
static uint32_t written_by(const volatile struct corral_virtio_queue *queue)
{
    return queue->used.ring[(queue->used.count - 1u) % CORRAL_VIRTIO_PARTS].length;
}

bool corral_port_virtio_ask(struct corral_virtio *device, uint16_t queue,
                            const struct corral_virtio_part *parts, size_t to_read, size_t to_write)
{
    if (!corral_port_virtio_begin(device)) {
        return false;
    }
    struct registers *const at = registers_of(device);
    offer(&device->queues[queue], parts, to_read, to_write);
    at->queue_notify = queue;
    if (has_answered(&device->queues[queue], at)) {
        device->written = written_by(&device->queues[queue]);
        return true;
    }
    device->is_lost = true;
    at->status = 0;
    while (at->status != 0) { /* until then it may write (2.1.2) */
    }
    return false;
}
