/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to a virtio device that go through a test on their way to the port, by the linker
 * (-Wl,--wrap=corral_port_virtio_ask): the test defines the first of these two.
 */
#ifndef TEST_VIRTIO_H
#define TEST_VIRTIO_H

#include <corral/virtio.h>

bool __wrap_corral_port_virtio_ask(struct corral_virtio *device, uint16_t queue,
                                   const struct corral_virtio_part *parts, size_t to_read,
                                   size_t to_write);
bool __real_corral_port_virtio_ask(struct corral_virtio *device, uint16_t queue,
                                   const struct corral_virtio_part *parts, size_t to_read,
                                   size_t to_write);

#endif
