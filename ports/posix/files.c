/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of the storage as files, one each.
 *   content  flags (1), CRC-32 of flags and data (4), data
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <corral/crc.h>
#include <corral/port.h>

#include "../../storage/bytes.h"
#include "../../storage/entry.h"
#include "folder.h"

#define HEADER_SIZE 5u
#define NAME_SIZE 24u

static void put_name(const struct corral_entry_name *name, char text[NAME_SIZE])
{
    (void)snprintf(text, NAME_SIZE, "%u-%016llx", name->space, (unsigned long long)name->uid);
}

static psa_status_t status_of_errno(void)
{
    if (errno == ENOENT) {
        return PSA_ERROR_DOES_NOT_EXIST;
    }
    return errno == ENOSPC || errno == EDQUOT ? PSA_ERROR_INSUFFICIENT_STORAGE
                                              : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t corral_port_entry_write(const struct corral_entry_name *name, uint8_t flags,
                                     const uint8_t *data, size_t length)
{
    uint8_t header[HEADER_SIZE] = {flags};
    char text[NAME_SIZE];
    psa_status_t status = PSA_SUCCESS;

    const int folder = folder_of_storage(true);
    if (folder == NO_FILE) {
        status = status_of_errno();
    } else {
        put_name(name, text);
        corral_put(header + 1, corral_crc(corral_crc(0, header, 1), data, length), 4);
        if (!folder_replace(folder, text, header, sizeof header, data, length)) {
            status = status_of_errno();
        }
        close(folder);
    }
    return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_ERROR_STORAGE_FAILURE : status;
}

/* Go through the data once: its checksum behind `flags`, its length, and what was asked for. */
static uint32_t read_data(FILE *file, uint8_t flags, size_t offset, uint8_t *data, size_t size,
                          size_t *length)
{
    uint32_t crc = corral_crc(0, &flags, 1);
    uint8_t chunk[256];
    size_t total = 0;
    size_t got;

    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0) {
        crc = corral_crc(crc, chunk, got);
        for (size_t i = 0; i < got; i++) {
            if (total + i >= offset && total + i - offset < size) {
                data[total + i - offset] = chunk[i];
            }
        }
        total += got;
    }
    *length = total;
    return crc;
}

/* Find the flags that fit checksum and data where it is the flags that are damaged. */
static void repair_flags(FILE *file, uint32_t crc, uint8_t *flags)
{
    const uint8_t all = CORRAL_STORE_ALL_FLAGS | CORRAL_STORE_CAPACITY;
    size_t length;

    for (uint8_t tried = 0; tried <= all; tried++) {
        if (fseek(file, HEADER_SIZE, SEEK_SET) == 0 &&
            read_data(file, tried, 0, NULL, 0, &length) == crc) {
            *flags = tried;
            return;
        }
    }
}

static psa_status_t read_file(FILE *file, size_t offset, uint8_t *data, size_t size, size_t *length,
                              uint8_t *flags)
{
    uint8_t header[HEADER_SIZE];

    if (fread(header, 1, sizeof header, file) != sizeof header) {
        return PSA_ERROR_DATA_CORRUPT;
    }
    const uint32_t crc = (uint32_t)corral_take(header + 1, 4);
    *flags = header[0];
    if (read_data(file, *flags, offset, data, size, length) == crc) {
        return PSA_SUCCESS;
    }
    repair_flags(file, crc, flags);
    return PSA_ERROR_DATA_CORRUPT;
}

/* Open the file of an entry; NO_FILE: errno says why. */
static int open_entry(const struct corral_entry_name *name)
{
    char text[NAME_SIZE];

    const int folder = folder_of_storage(false);
    if (folder == NO_FILE) {
        return NO_FILE;
    }
    put_name(name, text);
    const int file = folder_read(folder, text);
    const int reason = errno;
    close(folder);
    errno = reason;
    return file;
}

psa_status_t corral_port_entry_read(const struct corral_entry_name *name, size_t offset,
                                    uint8_t *data, size_t size, size_t *length, uint8_t *flags)
{
    const int opened = open_entry(name);

    if (opened == NO_FILE) {
        return status_of_errno();
    }
    FILE *file = fdopen(opened, "rb");
    if (file == NULL) {
        close(opened);
        return PSA_ERROR_STORAGE_FAILURE;
    }
    psa_status_t status = read_file(file, offset, data, size, length, flags);
    if (ferror(file) != 0) {
        status = PSA_ERROR_STORAGE_FAILURE;
    }
    fclose(file);
    return status;
}

psa_status_t corral_port_entry_remove(const struct corral_entry_name *name)
{
    char text[NAME_SIZE];

    const int folder = folder_of_storage(false);
    if (folder == NO_FILE) {
        return status_of_errno();
    }
    put_name(name, text);
    psa_status_t status = unlinkat(folder, text, 0) == 0 ? PSA_SUCCESS : status_of_errno();
    if (status == PSA_SUCCESS && fsync(folder) != 0) {
        status = PSA_ERROR_STORAGE_FAILURE;
    }
    close(folder);
    return status;
}

/* Whether a file's name is that of an entry. */
static bool parse_name(const char *text, struct corral_entry_name *name)
{
    char written[NAME_SIZE];
    unsigned space;
    unsigned long long uid;
    int end = 0;

    if (sscanf(text, "%1u-%16llx%n", &space, &uid, &end) != 2 || text[end] != '\0') {
        return false;
    }
    name->space = (uint8_t)space;
    name->uid = uid;
    put_name(name, written);
    return strcmp(text, written) == 0; /* "0-0x1" would be found and could not be opened */
}

psa_status_t corral_port_entry_next(struct corral_entry_name *name)
{
    psa_status_t status = PSA_ERROR_DOES_NOT_EXIST;
    struct corral_entry_name found;
    uint64_t lowest = UINT64_MAX;
    const struct dirent *file;

    const int folder = folder_of_storage(false);
    if (folder == NO_FILE) {
        return status_of_errno();
    }
    DIR *files = fdopendir(folder);
    if (files == NULL) {
        close(folder);
        return PSA_ERROR_STORAGE_FAILURE;
    }
    errno = 0; /* only this tells a failure from the end */
    while ((file = readdir(files)) != NULL) {
        if (parse_name(file->d_name, &found) && found.space == name->space &&
            found.uid > name->uid && found.uid <= lowest) {
            lowest = found.uid;
            status = PSA_SUCCESS;
        }
    }
    status = errno != 0 ? PSA_ERROR_STORAGE_FAILURE : status;
    closedir(files);
    name->uid = status == PSA_SUCCESS ? lowest : name->uid;
    return status;
}
