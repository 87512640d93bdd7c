/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of the storage as files of RIOT's VFS, one each, in the folder that boards keep data in.
 *   name     "psa-", the space, "-", the number in 16 digits
 *   content  flags (1), CRC-32 of flags and data (4), data
 * A new version is written beside the old one and renamed, so that an entry is replaced wholly or
 * not at all if the file system renames so.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#include <corral/port.h>

#include "corral/crc.h"
#include "storage/bytes.h"
#include "storage/entry.h"
#include "vfs.h"
#include "vfs_default.h"

#ifndef CORRAL_VFS_FOLDER
#define CORRAL_VFS_FOLDER VFS_DEFAULT_DATA
#endif

#define FOLDER CORRAL_VFS_FOLDER "/"
#define PREFIX "psa-"
#define NEW "psa-new"
#define PREFIX_SIZE (sizeof PREFIX - 1u)
#define DIGITS 16u
#define NAME_SIZE (PREFIX_SIZE + 2u + DIGITS)
#define HEADER_SIZE 5u
#define CHUNK_SIZE 64u

struct path {
    char text[sizeof FOLDER + NAME_SIZE];
};

static psa_status_t status_of(int error)
{
    if (error == -ENOENT) {
        return PSA_ERROR_DOES_NOT_EXIST;
    }
    return error == -ENOSPC ? PSA_ERROR_INSUFFICIENT_STORAGE : PSA_ERROR_STORAGE_FAILURE;
}

static void put_name(char *text, const struct corral_entry_name *name)
{
    memcpy(text, PREFIX, PREFIX_SIZE);
    text[PREFIX_SIZE] = (char)('0' + name->space);
    text[PREFIX_SIZE + 1] = '-';
    for (size_t i = 0; i < DIGITS; i++) {
        text[PREFIX_SIZE + 2 + i] = "0123456789abcdef"[name->uid >> (4 * (DIGITS - 1 - i)) & 0xf];
    }
    text[NAME_SIZE] = '\0';
}

static struct path path_of(const struct corral_entry_name *name)
{
    struct path path = {FOLDER};

    put_name(path.text + sizeof FOLDER - 1, name);
    return path;
}

/* Read a name; false if it is no entry's, and *name is then unspecified. */
static bool take_name(const char *text, struct corral_entry_name *name)
{
    char written[NAME_SIZE + 1];

    if (strlen(text) != NAME_SIZE) {
        return false;
    }
    name->space = (uint8_t)((text[PREFIX_SIZE] - '0') & 0x7);
    name->uid = 0;
    for (size_t i = PREFIX_SIZE + 2; i < NAME_SIZE; i++) {
        const unsigned digit = (unsigned char)text[i];
        name->uid = name->uid << 4 | (digit > '9' ? digit - 'a' + 10u : digit - '0');
    }
    put_name(written, name);
    return memcmp(written, text, NAME_SIZE) == 0;
}

/* Write all of it; 0, or the error. */
static int write_all(int file, const uint8_t *data, size_t length)
{
    while (length > 0) {
        const ssize_t written = vfs_write(file, data, length);
        if (written <= 0) {
            return written == 0 ? -ENOSPC : (int)written;
        }
        data += written;
        length -= (size_t)written;
    }
    return 0;
}

psa_status_t corral_port_entry_write(const struct corral_entry_name *name, uint8_t flags,
                                     const uint8_t *data, size_t length)
{
    const struct path path = path_of(name);
    uint8_t header[HEADER_SIZE] = {flags};

    corral_put(header + 1, corral_crc(corral_crc(0, header, 1), data, length), 4);
    const int file = vfs_open(FOLDER NEW, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    if (file < 0) {
        return file == -ENOSPC ? PSA_ERROR_INSUFFICIENT_STORAGE : PSA_ERROR_STORAGE_FAILURE;
    }
    int error = write_all(file, header, sizeof header);
    error = error == 0 ? write_all(file, data, length) : error;
    error = error == 0 ? vfs_fsync(file) : error;
    const int closed = vfs_close(file);
    error = error == 0 ? closed : error;
    error = error == 0 ? vfs_rename(FOLDER NEW, path.text) : error;
    if (error != 0) {
        (void)vfs_unlink(FOLDER NEW);
    }
    return error == 0 || error == -ENOSPC ? (error == 0 ? PSA_SUCCESS : status_of(error))
                                          : PSA_ERROR_STORAGE_FAILURE;
}

/* The part to be read of an entry's data. */
struct part {
    size_t offset;
    uint8_t *data;
    size_t size;
};

/* Go through the data once: *crc of it behind `flags`, its length; 0, or the error. */
static int read_data(int file, uint8_t flags, const struct part *part, size_t *length,
                     uint32_t *crc)
{
    uint8_t chunk[CHUNK_SIZE];
    ssize_t got;

    *crc = corral_crc(0, &flags, 1);
    *length = 0;
    while ((got = vfs_read(file, chunk, sizeof chunk)) > 0) {
        *crc = corral_crc(*crc, chunk, (size_t)got);
        for (size_t i = 0; i < (size_t)got; i++, (*length)++) {
            if (*length >= part->offset && *length - part->offset < part->size) {
                part->data[*length - part->offset] = chunk[i];
            }
        }
    }
    return (int)got;
}

/* Find the flags that fit checksum and data, if it is the flags that are damaged. */
static void repair_flags(int file, uint32_t expected, uint8_t *flags)
{
    const uint8_t all = CORRAL_STORE_ALL_FLAGS | CORRAL_STORE_CAPACITY;
    const struct part nothing = {0, NULL, 0};
    size_t length;
    uint32_t crc;

    for (uint8_t tried = 0; tried <= all; tried++) {
        if (vfs_lseek(file, HEADER_SIZE, SEEK_SET) == (off_t)HEADER_SIZE &&
            read_data(file, tried, &nothing, &length, &crc) == 0 && crc == expected) {
            *flags = tried;
            return;
        }
    }
}

static psa_status_t read_file(int file, const struct part *part, size_t *length, uint8_t *flags)
{
    uint8_t header[HEADER_SIZE];
    uint32_t crc;

    const ssize_t got = vfs_read(file, header, sizeof header);
    if (got != (ssize_t)sizeof header) {
        return got < 0 ? PSA_ERROR_STORAGE_FAILURE : PSA_ERROR_DATA_CORRUPT;
    }
    *flags = header[0];
    if (read_data(file, *flags, part, length, &crc) != 0) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    if (crc == (uint32_t)corral_take(header + 1, 4)) {
        return PSA_SUCCESS;
    }
    repair_flags(file, (uint32_t)corral_take(header + 1, 4), flags);
    return PSA_ERROR_DATA_CORRUPT;
}

psa_status_t corral_port_entry_read(const struct corral_entry_name *name, size_t offset,
                                    uint8_t *data, size_t size, size_t *length, uint8_t *flags)
{
    const struct path path = path_of(name);
    const struct part part = {offset, data, size};

    const int file = vfs_open(path.text, O_RDONLY, 0);
    if (file < 0) {
        return status_of(file);
    }
    const psa_status_t status = read_file(file, &part, length, flags);
    (void)vfs_close(file);
    return status;
}

psa_status_t corral_port_entry_remove(const struct corral_entry_name *name)
{
    const struct path path = path_of(name);
    const int error = vfs_unlink(path.text);

    return error == 0 ? PSA_SUCCESS : status_of(error);
}

psa_status_t corral_port_entry_next(struct corral_entry_name *name)
{
    struct corral_entry_name found;
    vfs_DIR folder;
    vfs_dirent_t file;
    uint64_t lowest = UINT64_MAX;
    bool is_found = false;

    int error = vfs_opendir(&folder, CORRAL_VFS_FOLDER);
    if (error != 0) {
        return status_of(error);
    }
    while ((error = vfs_readdir(&folder, &file)) > 0) {
        if (take_name(file.d_name, &found) && found.space == name->space && found.uid > name->uid &&
            found.uid <= lowest) {
            lowest = found.uid;
            is_found = true;
        }
    }
    (void)vfs_closedir(&folder);
    if (error < 0) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    name->uid = is_found ? lowest : name->uid;
    return is_found ? PSA_SUCCESS : PSA_ERROR_DOES_NOT_EXIST;
}
