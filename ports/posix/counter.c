/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counter, in memory, and in a file if the storage is in files: `counter` in their folder, or
 * the name of the flash's file with `.counter` behind it.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <corral/config.h>
#include <corral/lock.h>

#include "../common/counter_model.h"
#include "folder.h"

static bool is_open; /* the model has what the file has */

/* The folder of the counter's file, and its name there. False: the counter is only in memory. */
static bool locate(bool make, int *folder, char name[PATH_SIZE])
{
    const char *flash = getenv("CORRAL_FLASH");
    const char *base = "";

    if (CORRAL_STORAGE_IN_FILES) {
        *folder = folder_of_storage(make);
        return snprintf(name, PATH_SIZE, "counter") > 0;
    }
    if (flash == NULL) {
        return false;
    }
    *folder = folder_of_file(flash, &base);
    const int length = snprintf(name, PATH_SIZE, "%s.counter", base);
    return length > 0 && (size_t)length < PATH_SIZE;
}

/* Read what was kept. False, with errno ENOENT: nothing was. */
static bool read_kept(int folder, const char *name, uint32_t *value)
{
    const int opened = folder == NO_FILE ? NO_FILE : folder_read(folder, name);
    FILE *file = opened == NO_FILE ? NULL : fdopen(opened, "r");

    if (file == NULL) {
        return false;
    }
    const bool is_good = fscanf(file, "%" SCNu32, value) == 1;
    fclose(file);
    errno = EIO;
    return is_good;
}

/* Close the folder that locate() opened, if it did. Returns `status`. */
static psa_status_t leave(int folder, psa_status_t status)
{
    if (folder != NO_FILE) {
        close(folder);
    }
    return status;
}

static psa_status_t open_counter(void)
{
    char name[PATH_SIZE];
    psa_status_t status = PSA_SUCCESS;
    uint32_t kept;
    int folder;

    if (!locate(false, &folder, name)) {
        return PSA_SUCCESS;
    }
    if (read_kept(folder, name, &kept)) {
        counter_model_set(kept);
    } else if (errno != ENOENT) {
        status = PSA_ERROR_STORAGE_FAILURE;
    }
    return leave(folder, status);
}

psa_status_t corral_port_counter_read(uint32_t *value)
{
    const psa_status_t status = is_open ? PSA_SUCCESS : open_counter();

    is_open = status == PSA_SUCCESS;
    return is_open ? counter_model_read(value) : status;
}

/* Under the lock of the storage, whose entries may be in the same folder. */
static bool keep(int folder, const char *name, uint32_t value)
{
    char text[12];
    const int length = snprintf(text, sizeof text, "%" PRIu32 "\n", value);

    corral_lock_enter(CORRAL_LOCK_STORAGE);
    const bool is_kept =
        folder_replace(folder, name, NULL, 0, (const uint8_t *)text, (size_t)length,
                       CORRAL_STORAGE_IN_FILES); /* no other folder has a reserve */
    corral_lock_leave(CORRAL_LOCK_STORAGE);
    return is_kept;
}

/*
 * The file comes first: a value that is only in memory is gone with the process, and the manifest
 * that was written under it would never be valid again.
 */
psa_status_t corral_port_counter_advance(uint32_t value)
{
    char name[PATH_SIZE];
    uint32_t now;
    int folder;

    psa_status_t status = corral_port_counter_read(&now);
    if (status != PSA_SUCCESS || !locate(true, &folder, name)) {
        return status == PSA_SUCCESS ? counter_model_advance(value) : status;
    }
    if (value != now + 1u || folder == NO_FILE || !keep(folder, name, value)) {
        is_open = false; /* it may be there or not: the next call reads it */
        status = PSA_ERROR_STORAGE_FAILURE;
    }
    return leave(folder, status == PSA_SUCCESS ? counter_model_advance(value) : status);
}
