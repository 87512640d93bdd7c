/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of the storage as files in the folder that CORRAL_STORAGE names, `corral-storage` if it
 * does not. A file is written under another name, brought to the disk and renamed.
 *   content  flags (1), CRC-32 of flags and data (4), data
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <corral/port.h>

#include "../../storage/bytes.h"
#include "../../storage/crc.h"
#include "files.h"

#define HEADER_SIZE 5u
#define PATH_SIZE 1024u
#define NO_FILE (-1)

const char *files_folder(void)
{
    const char *path = getenv("CORRAL_STORAGE");

    return path != NULL ? path : "corral-storage";
}

static bool path_of(const struct corral_entry_name *name, const char *ending, char path[PATH_SIZE])
{
    const int length = snprintf(path, PATH_SIZE, "%s/%u-%016llx%s", files_folder(), name->space,
                                (unsigned long long)name->uid, ending);

    return length > 0 && (size_t)length < PATH_SIZE;
}

static psa_status_t status_of_errno(void)
{
    if (errno == ENOENT) {
        return PSA_ERROR_DOES_NOT_EXIST;
    }
    return errno == ENOSPC || errno == EDQUOT ? PSA_ERROR_INSUFFICIENT_STORAGE
                                              : PSA_ERROR_STORAGE_FAILURE;
}

static bool write_all(int file, const uint8_t *data, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(file, data, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        data += written;
        size -= (size_t)written;
    }
    return true;
}

static bool write_file(const char *path, const uint8_t *header, const uint8_t *data, size_t length)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
    if (file == NO_FILE) {
        return false;
    }
    const bool is_written =
        write_all(file, header, HEADER_SIZE) && write_all(file, data, length) && fsync(file) == 0;
    return close(file) == 0 && is_written;
}

/* A name is on the disk when its folder is. */
static psa_status_t sync_folder(void)
{
    const int file = open(files_folder(), O_RDONLY);
    if (file == NO_FILE) {
        return status_of_errno();
    }
    const bool is_done = fsync(file) == 0;
    close(file);
    return is_done ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t corral_port_entry_write(const struct corral_entry_name *name, uint8_t flags,
                                     const uint8_t *data, size_t length)
{
    uint8_t header[HEADER_SIZE] = {flags};
    char path[PATH_SIZE];
    char temporary[PATH_SIZE];

    if (!path_of(name, "", path) || !path_of(name, ".new", temporary)) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    if (mkdir(files_folder(), S_IRWXU) != 0 && errno != EEXIST) {
        return status_of_errno();
    }
    corral_put(header + 1, corral_crc(corral_crc(0, header, 1), data, length), 4);
    if (!write_file(temporary, header, data, length) || rename(temporary, path) != 0) {
        const psa_status_t status = status_of_errno();
        unlink(temporary);
        return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_ERROR_STORAGE_FAILURE : status;
    }
    return sync_folder();
}

/* Go through the data once: its checksum, its length, and what was asked for. */
static psa_status_t read_file(FILE *file, size_t offset, uint8_t *data, size_t size, size_t *length,
                              uint8_t *flags)
{
    uint8_t header[HEADER_SIZE];
    uint8_t chunk[256];
    size_t total = 0;
    size_t got;

    if (fread(header, 1, sizeof header, file) != sizeof header) {
        return PSA_ERROR_DATA_CORRUPT;
    }
    uint32_t crc = corral_crc(0, header, 1);
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
    *flags = header[0];
    return crc == corral_take(header + 1, 4) ? PSA_SUCCESS : PSA_ERROR_DATA_CORRUPT;
}

psa_status_t corral_port_entry_read(const struct corral_entry_name *name, size_t offset,
                                    uint8_t *data, size_t size, size_t *length, uint8_t *flags)
{
    char path[PATH_SIZE];

    FILE *file = path_of(name, "", path) ? fopen(path, "rb") : NULL;
    if (file == NULL) {
        return status_of_errno();
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
    char path[PATH_SIZE];

    if (!path_of(name, "", path)) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    return unlink(path) == 0 ? sync_folder() : status_of_errno();
}

/* Whether a file's name is that of an entry. */
static bool parse_name(const char *text, struct corral_entry_name *name)
{
    unsigned space;
    unsigned long long uid;
    int end = 0;

    if (sscanf(text, "%1u-%16llx%n", &space, &uid, &end) != 2 || text[end] != '\0') {
        return false;
    }
    name->space = (uint8_t)space;
    name->uid = uid;
    return true;
}

psa_status_t corral_port_entry_next(struct corral_entry_name *name)
{
    psa_status_t status = PSA_ERROR_DOES_NOT_EXIST;
    struct corral_entry_name found;
    uint64_t lowest = UINT64_MAX;
    const struct dirent *file;

    DIR *files = opendir(files_folder());
    if (files == NULL) {
        return status_of_errno();
    }
    while ((file = readdir(files)) != NULL) {
        if (parse_name(file->d_name, &found) && found.space == name->space &&
            found.uid > name->uid && found.uid <= lowest) {
            lowest = found.uid;
            status = PSA_SUCCESS;
        }
    }
    closedir(files);
    name->uid = status == PSA_SUCCESS ? lowest : name->uid;
    return status;
}
