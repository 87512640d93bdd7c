/* SPDX-License-Identifier: Apache-2.0 */
/* A checksum for records of the storage, and for ports that keep entries. */
#ifndef CORRAL_CRC_H
#define CORRAL_CRC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * CRC-32 (IEEE 802.3) of `size` more bytes. Begin with 0; the result of one call goes into the
 * next. It finds accidents, not attacks.
 */
uint32_t corral_crc(uint32_t crc, const uint8_t *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif
