/* SPDX-License-Identifier: Apache-2.0 */
#include "media.h"

#include <string.h>

const struct corral_flash_geometry media_geometries[] = {
#ifdef MEDIA_GEOMETRY /* bench/littlefs is built for one at a time */
    MEDIA_GEOMETRY,
#else
    {512, 2, 1, true},    {256, 3, 4, true},  {512, 4, 8, false}, {1024, 2, 16, false},
    {1024, 3, 32, false}, {256, 5, 2, false}, {256, 2, 4, true}, /* the last one is soon full */
#endif
};
const size_t media_geometry_count = sizeof media_geometries / sizeof media_geometries[0];

static uint8_t saved[FLASH_MODEL_MAX_SIZE];

void media_fresh(const struct corral_flash_geometry *geometry)
{
    flash_model_reset(geometry);
    corral_store_unmount();
}

bool media_restart(void)
{
    corral_store_unmount();
    return flash_model_power_on();
}

static size_t content_size(void)
{
    return (size_t)flash_model_geometry()->page_size * flash_model_geometry()->page_count;
}

void media_save(void)
{
    memcpy(saved, flash_model_content(), content_size());
}

void media_restore(void)
{
    (void)flash_model_power_on();
    memcpy(flash_model_content(), saved, content_size());
    corral_store_unmount();
}
