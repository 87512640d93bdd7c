/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counter, in memory, and in a file if the storage is in files: `counter` in their folder, or
 * the name of the flash's file with `.counter` behind it.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <corral/config.h>

#include "../common/counter_model.h"
#include "files.h"

#define PATH_SIZE 1024u

static bool is_open;

/* The counter's file, or one to be renamed to it. False: it is in memory alone. */
static bool path_of_counter(const char *ending, char path[PATH_SIZE])
{
    const char *flash = getenv("CORRAL_FLASH");
    int length = 0;

    if (CORRAL_STORAGE_IN_FILES) {
        length = snprintf(path, PATH_SIZE, "%s/counter%s", files_folder(), ending);
    } else if (flash != NULL) {
        length = snprintf(path, PATH_SIZE, "%s.counter%s", flash, ending);
    }
    return length > 0 && (size_t)length < PATH_SIZE;
}

psa_status_t corral_port_counter_read(uint32_t *value)
{
    char path[PATH_SIZE];
    uint32_t kept;

    if (!is_open && path_of_counter("", path)) {
        FILE *file = fopen(path, "r");
        if (file != NULL) {
            const bool is_good = fscanf(file, "%" SCNu32, &kept) == 1;
            fclose(file);
            if (!is_good) {
                return PSA_ERROR_STORAGE_FAILURE;
            }
            counter_model_set(kept);
        } else if (errno != ENOENT) {
            return PSA_ERROR_STORAGE_FAILURE;
        }
    }
    is_open = true;
    return counter_model_read(value);
}

/* Write a new file and put it in the place of the old one. */
static bool keep(uint32_t value, const char *path, const char *temporary)
{
    FILE *file = fopen(temporary, "w");
    if (file == NULL) {
        return false;
    }
    bool is_written =
        fprintf(file, "%" PRIu32 "\n", value) > 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    is_written = fclose(file) == 0 && is_written;
    return is_written && rename(temporary, path) == 0;
}

psa_status_t corral_port_counter_advance(uint32_t value)
{
    char path[PATH_SIZE];
    char temporary[PATH_SIZE];

    psa_status_t status = counter_model_advance(value);
    if (status == PSA_SUCCESS && path_of_counter("", path) && path_of_counter(".new", temporary) &&
        !keep(value, path, temporary)) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    return status;
}
