/* SPDX-License-Identifier: Apache-2.0 */
/* The storage's log in an MTD device that nothing else uses: number CORRAL_MTD. */
#include <corral/port.h>

#include "mtd.h"

#define PAGES_MAX 64u /* sectors beyond these stay unused */
#define WRITE_MAX 32u /* bytes that the storage writes at once at most */

/* Of a device that cannot be used, which then fails when it is read. */
static struct corral_flash_geometry geometry = {64, 2, 1, false};
static bool is_usable;

static uint32_t sector_size(const mtd_dev_t *device)
{
    return device->pages_per_sector * device->page_size;
}

const struct corral_flash_geometry *corral_port_flash(void)
{
    mtd_dev_t *device = mtd_dev_get(CORRAL_MTD);

    if (!is_usable && mtd_init(device) == 0 && device->write_size <= WRITE_MAX &&
        device->sector_count >= 2) {
        is_usable = true;
        geometry.page_size = sector_size(device);
        geometry.write_size = (uint8_t)device->write_size;
        geometry.page_count =
            (uint16_t)(device->sector_count < PAGES_MAX ? device->sector_count : PAGES_MAX);
    }
    return &geometry;
}

psa_status_t corral_port_flash_read(uint32_t offset, uint8_t *data, size_t size)
{
    const bool is_read =
        is_usable && mtd_read(mtd_dev_get(CORRAL_MTD), data, offset, (uint32_t)size) == 0;

    return is_read ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size)
{
    mtd_dev_t *device = mtd_dev_get(CORRAL_MTD);

    /* mtd_write() is obsolete; this one goes on over the ends of pages, too. */
    return mtd_write_page_raw(device, data, offset / device->page_size, offset % device->page_size,
                              (uint32_t)size) == 0
               ? PSA_SUCCESS
               : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t corral_port_flash_erase(uint16_t page)
{
    return mtd_erase_sector(mtd_dev_get(CORRAL_MTD), page, 1) == 0 ? PSA_SUCCESS
                                                                   : PSA_ERROR_STORAGE_FAILURE;
}
