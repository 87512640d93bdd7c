/* SPDX-License-Identifier: Apache-2.0 */
/* Recovery of flash with damaged entries. */
#ifndef CORRAL_SALVAGE_H
#define CORRAL_SALVAGE_H

#include <psa/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Keep what can be read of the storage in flash, and give up the rest. While a part of the log
 * cannot be read, entries that it may say something of are PSA_ERROR_STORAGE_FAILURE or
 * PSA_ERROR_DATA_CORRUPT, and once a page is full nothing more is stored. Afterwards all is as
 * usual, but an entry whose latest change was lost is as it was before that change: removed ones
 * may be there again. So call this only when whoever may decide it has decided it, and before
 * psa_crypto_init(); where older images are detected, corral_rollback_accept() has to follow.
 * When power fails meanwhile, call it again.
 *   PSA_ERROR_NOT_SUPPORTED    storage is in files, whose damage affects only that file
 *   PSA_ERROR_STORAGE_FAILURE  the flash cannot be read or written; or it holds no log, and has to
 *                              be erased with corral_port_flash_erase() if that is no mistake
 */
psa_status_t corral_storage_salvage(void);

#ifdef __cplusplus
}
#endif

#endif
