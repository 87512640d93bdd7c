/* SPDX-License-Identifier: Apache-2.0 */
#include "crc.h"

/* The polynomial of IEEE 802.3, lowest power in the highest bit. */
#define POLYNOMIAL ((uint32_t)0xedb88320)

uint32_t corral_crc(uint32_t crc, const uint8_t *data, size_t size)
{
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (unsigned bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (POLYNOMIAL & (0u - (crc & 1u)));
        }
    }
    return ~crc;
}
