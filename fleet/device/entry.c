/* SPDX-License-Identifier: Apache-2.0 */
#include "entry.h"

psa_status_t fleet_entry_read(uint8_t entry, uint8_t *data, size_t size)
{
    size_t length = 0;

    const psa_status_t status = psa_its_get(FLEET_ENTRIES + entry, 0, size + 1, data, &length);
    return status == PSA_SUCCESS && length != size ? PSA_ERROR_DATA_CORRUPT : status;
}

psa_status_t fleet_entry_write(uint8_t entry, const uint8_t *data, size_t size)
{
    return psa_its_set(FLEET_ENTRIES + entry, size, data, PSA_STORAGE_FLAG_NONE);
}

psa_status_t fleet_entry_remove(uint8_t entry)
{
    const psa_status_t status = psa_its_remove(FLEET_ENTRIES + entry);

    return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_SUCCESS : status;
}
