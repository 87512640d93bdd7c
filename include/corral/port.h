/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a port gives to the library: entropy, an I2C bus, time and locks. A port implements the
 * functions that its boards' capabilities promise (HAS_ENTROPY, HAS_I2C, HAS_THREADS), and the key
 * of elements if its boards declare one; the linker names the one that is missing.
 */
#ifndef CORRAL_PORT_H
#define CORRAL_PORT_H

#include <stddef.h>
#include <stdint.h>

#include <psa/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Read raw output of the board's entropy source (HAS_ENTROPY).
 *   output         `size` bytes are written on success
 *   estimate_bits  entropy that these bytes hold together, in bits, at most 8 * size; the core asks
 *                  for more until it has what the generator needs, and checks the source's health
 *                  (NIST SP 800-90B, 4.4) against this claim
 * On failure nothing that was written is used.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  the source does not deliver
 */
psa_status_t corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits);

/*
 * Write `length` bytes to the device at the 7-bit `address` of I2C bus `bus` (HAS_I2C), with start
 * and stop conditions. `length` 0 sends the address alone. Address 0 with no or one byte holds SDA
 * low for long enough to wake an ATECC608 when the bus runs at 100 kHz or less; that nobody
 * acknowledges it is no error of the bus.
 *   PSA_ERROR_COMMUNICATION_FAILURE  not acknowledged, or the bus is stuck
 */
psa_status_t corral_port_i2c_write(uint8_t bus, uint8_t address, const uint8_t *data,
                                   size_t length);

/*
 * Read `length` bytes from the device at the 7-bit `address` of I2C bus `bus` (HAS_I2C).
 * On failure the content of `data` is unspecified.
 *   PSA_ERROR_COMMUNICATION_FAILURE  not acknowledged, or the bus is stuck
 */
psa_status_t corral_port_i2c_read(uint8_t bus, uint8_t address, uint8_t *data, size_t length);

#define CORRAL_ELEMENT_KEY_SIZE 32

/*
 * Fetch the key that this board shares with its element at `location`, for boards that declare such
 * a key (ATECC608: a slot of kind write_key). Private keys are encrypted under it on their way into
 * the element, and provisioning puts it there. Whoever knows it and the bus can replace keys in
 * the element, and read those that are imported; so each device should have its own.
 *   key  CORRAL_ELEMENT_KEY_SIZE bytes; the caller wipes them. Not used on failure.
 *   any failure is passed on to the application, and nothing was sent to the element
 */
psa_status_t corral_port_element_key(uint32_t location, uint8_t *key);

/* Return after at least `microseconds` (HAS_I2C: element drivers wait for their chips). */
void corral_port_delay_us(uint32_t microseconds);

/*
 * Take and give back lock number `lock` (HAS_THREADS). Lock 0 guards the key slots and the random
 * generator; lock 1 + i guards element i. Locks are not recursive; the library takes lock 0 while
 * it holds another one, never the reverse. Called only in builds with CORRAL_THREADS.
 */
void corral_port_lock(unsigned lock);
void corral_port_unlock(unsigned lock);

#ifdef __cplusplus
}
#endif

#endif
