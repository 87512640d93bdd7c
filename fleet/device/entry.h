/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of a device in psa_its_*, each with a small number. */
#ifndef FLEET_ENTRY_H
#define FLEET_ENTRY_H

#include <psa/crypto.h>
#include <psa/internal_trusted_storage.h>

/* Where the numbers of the entries begin; there are six. */
#ifndef FLEET_ENTRIES
#define FLEET_ENTRIES 0x666c65657400u
#endif

/*
 * Read an entry of `size` bytes.
 *   data  `size` + 1 bytes
 *   PSA_ERROR_DATA_CORRUPT  it has another length
 *   whatever else psa_its_get() returns, PSA_ERROR_DOES_NOT_EXIST among it
 */
psa_status_t fleet_entry_read(uint8_t entry, uint8_t *data, size_t size);

/*
 * Write an entry.
 *   whatever psa_its_set() returns
 */
psa_status_t fleet_entry_write(uint8_t entry, const uint8_t *data, size_t size);

/*
 * Remove an entry; none is no error.
 *   whatever else psa_its_remove() returns
 */
psa_status_t fleet_entry_remove(uint8_t entry);

#endif
