/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices of the virtio standard (OASIS, Virtual I/O Device 1.1), polled, one request at a time. A
 * port with such devices (HAS_VIRTIO_CRYPTO) implements this interface for their drivers.
 */
#ifndef CORRAL_VIRTIO_H
#define CORRAL_VIRTIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most parts that a request has. */
#define CORRAL_VIRTIO_PARTS 8u

/* A queue, as the device sees it in memory (2.6), at an address divisible by 16. Only
 * the port reads its content. */
struct corral_virtio_queue {
    struct {
        uint64_t address;
        uint32_t length;
        uint16_t flags;
        uint16_t next;
    } descriptors[CORRAL_VIRTIO_PARTS];
    struct {
        uint16_t flags;
        uint16_t count;
        uint16_t ring[CORRAL_VIRTIO_PARTS];
    } offered;
    struct {
        uint16_t flags;
        uint16_t count;
        struct {
            uint32_t descriptor;
            uint32_t length;
        } ring[CORRAL_VIRTIO_PARTS];
    } used;
    uint32_t padding[2]; /* so that one behind it is where it has to be, too */
};

/* A device. Its user says which kind it is and gives memory for its queues; the rest, zeros at
 * first, is the port's to change. */
struct corral_virtio {
    uint32_t kind; /* by the standard's numbers (5) */
    volatile struct corral_virtio_queue *queues;
    uint8_t queue_count;
    bool is_lost;
    uintptr_t registers; /* 0: not begun with yet */
    uint32_t written;    /* bytes that the device says it wrote for the latest request */
};

/* Memory that the device reads or writes by itself. */
struct corral_virtio_part {
    uintptr_t address;
    uint32_t length;
};

/*
 * Find the first device of this kind, and begin with it unless that is done. Returns false if there
 * is none, if it does not take part, or if it was given up.
 */
bool corral_port_virtio_begin(struct corral_virtio *device);

/* Read the word at `offset`, a multiple of 4, of the device's configuration (2.4).
 * After corral_port_virtio_begin(). */
uint32_t corral_port_virtio_setting(const struct corral_virtio *device, uint32_t offset);

/*
 * Initialise the device if necessary, put a request into queue number `queue` and wait
 * until the device has finished it.
 *   parts     first `to_read` parts that the device reads, then `to_write` that it writes, at most
 *             CORRAL_VIRTIO_PARTS together, none of them empty
 * Returns false if the device is not there, if it does not answer or says that it is broken. It is
 * then reset, so that it neither reads nor writes any more, and given up until the machine is.
 */
bool corral_port_virtio_ask(struct corral_virtio *device, uint16_t queue,
                            const struct corral_virtio_part *parts, size_t to_read,
                            size_t to_write);

#ifdef __cplusplus
}
#endif

#endif
