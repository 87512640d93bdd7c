/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flash of any small geometry, with whatever in it: each read gives any bytes or fails, also bytes
 * that were read before and were different then. The proof therefore holds for damaged
 * flash, for flash of other programs, and for flash that changes meanwhile.
 */
#ifndef CORRAL_TESTS_PROOFS_FLASH_H
#define CORRAL_TESTS_PROOFS_FLASH_H

#include <corral/port.h>

#include "proof.h"

static struct corral_flash_geometry geometry;

/* The permitted range of accesses; the code under proof makes the claims narrower. */
static uint32_t lowest;
static uint32_t beyond;

const struct corral_flash_geometry *corral_port_flash(void)
{
    return &geometry;
}

/* Any write size that there is; the pages have a given size and number, which cost less to prove.
 */
static void any_geometry(uint32_t page_size, uint16_t page_count)
{
    const unsigned shift = nondet_uint8();

    GIVEN(shift <= 5);
    geometry.write_size = (uint8_t)(1u << shift);
    geometry.page_count = page_count;
    geometry.page_size = page_size;
    geometry.can_clear = nondet_bool();
    lowest = 0;
    beyond = page_size * page_count;
}

static void check_access(uint32_t offset, size_t size)
{
    CLAIM(offset >= lowest && offset <= beyond && size <= beyond - offset,
          "an access stays where it belongs");
}

struct flash_chunk {
    uint8_t bytes[32];
};
struct flash_chunk nondet_chunk(void);

psa_status_t corral_port_flash_read(uint32_t offset, uint8_t *data, size_t size)
{
    const struct flash_chunk chunk = nondet_chunk();

    check_access(offset, size);
    CLAIM(size <= sizeof chunk.bytes, "a read is of one chunk");
    CLAIM(__CPROVER_w_ok(data, size), "there is room for what is read");
    for (size_t i = 0; i < sizeof chunk.bytes; i++) {
        if (i < size) {
            data[i] = chunk.bytes[i];
        }
    }
    return nondet_bool() ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size)
{
    check_access(offset, size);
    CLAIM(__CPROVER_r_ok(data, size), "what is written is there");
    CLAIM((offset & (geometry.write_size - 1u)) == 0 && (size & (geometry.write_size - 1u)) == 0,
          "writes are of whole units");
    return nondet_bool() ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t corral_port_flash_erase(uint16_t page)
{
    CLAIM(page < geometry.page_count, "a page that exists is erased");
    return nondet_bool() ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
}

/* Any checksum: the right one, or another. */
uint32_t corral_crc(uint32_t crc, const uint8_t *data, size_t size)
{
    (void)crc;
    CLAIM(size == 0 || __CPROVER_r_ok(data, size), "what is summed up is there");
    return nondet_uint32();
}

#endif
