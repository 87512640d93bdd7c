/* SPDX-License-Identifier: Apache-2.0 */
/* The flash of the tests: geometries, and the content that survives a restart. */
#ifndef TESTS_STORAGE_MEDIA_H
#define TESTS_STORAGE_MEDIA_H

#include "../../ports/common/flash_model.h"
#include "../../storage/store.h"

/* Small pages, so that the log goes round often; every size of unit, cleared or not. */
extern const struct corral_flash_geometry media_geometries[];
extern const size_t media_geometry_count;

/* Fresh flash, nothing known of it. */
void media_fresh(const struct corral_flash_geometry *geometry);
/* The program begins anew; power is back if it was away. Returns whether it was. */
bool media_restart(void);
/* Keep the content, and return to the kept one. */
void media_save(void);
void media_restore(void);

#endif
