/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of the storage as files, one each.
 *   content  flags (1), CRC-32 of flags and data (4), data
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <corral/crc.h>
#include <corral/driver.h>
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

/* Whether removing an entry may write something else before or after. */
#define NEEDS_RESERVE (CORRAL_ROLLBACK_DETECTION || CORRAL_STORE_NOTE_SIZE > 0)

/*
 * The entries of the folder in order, once they have been asked for: reading the folder for each
 * would make a start quadratic in their number.
 */
struct listed {
    struct corral_entry_name name;
    bool is_there;
};

static struct {
    struct listed *entries;
    size_t count;
    size_t room;
    bool is_read;
} list;

static int compare(const void *a, const void *b)
{
    const struct corral_entry_name *first = &((const struct listed *)a)->name;
    const struct corral_entry_name *second = &((const struct listed *)b)->name;

    if (first->space != second->space) {
        return first->space < second->space ? -1 : 1;
    }
    return first->uid < second->uid ? -1 : first->uid > second->uid;
}

/* The index of the first entry that does not come before a name. */
static size_t seek(const struct corral_entry_name *name)
{
    const struct listed wanted = {*name, true};
    size_t low = 0;
    size_t high = list.count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare(&list.entries[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Put an entry behind the others. False: there is no memory. */
static bool append(const struct corral_entry_name *name)
{
    if (list.count == list.room) {
        const size_t room = list.room == 0 ? 64 : 2 * list.room;
        struct listed *entries = realloc(list.entries, room * sizeof *entries);
        if (entries == NULL) {
            return false;
        }
        list.entries = entries;
        list.room = room;
    }
    list.entries[list.count++] = (struct listed){*name, true};
    return true;
}

/* Let the list follow a change. A new entry among the others is left to the next reading. */
static void note(const struct corral_entry_name *name, bool is_there)
{
    const size_t at = seek(name);
    const struct listed noted = {*name, is_there};

    if (!list.is_read) {
        return;
    }
    if (at < list.count && compare(&list.entries[at], &noted) == 0) {
        list.entries[at].is_there = is_there;
    } else if (is_there) {
        list.is_read = at == list.count && append(name);
    }
}

/* Write the file of an entry. */
static bool write_entry(int folder, const struct corral_entry_name *name, uint8_t flags,
                        const uint8_t *data, size_t length)
{
    const bool is_urgent =
        (flags & CORRAL_STORE_URGENT) != 0 || name->space == CORRAL_SPACE_ROLLBACK;
    uint8_t header[HEADER_SIZE] = {(uint8_t)(flags & ~CORRAL_STORE_URGENT)};
    char text[NAME_SIZE];

    if (NEEDS_RESERVE && !folder_reserve(folder) && !is_urgent) {
        return false;
    }
    put_name(name, text);
    corral_put(header + 1, corral_crc(corral_crc(0, header, 1), data, length), 4);
    return folder_replace(folder, text, header, sizeof header, data, length, is_urgent);
}

psa_status_t corral_port_entry_write(const struct corral_entry_name *name, uint8_t flags,
                                     const uint8_t *data, size_t length)
{
    psa_status_t status = PSA_SUCCESS;

    const int folder = folder_of_storage(true);
    if (folder == NO_FILE) {
        status = status_of_errno();
    } else {
        if (write_entry(folder, name, flags, data, length)) {
            note(name, true);
        } else {
            status = status_of_errno();
            list.is_read = false; /* the entry may be there */
            folder_explain();
        }
        close(folder);
    }
    return status == PSA_ERROR_DOES_NOT_EXIST ? PSA_ERROR_STORAGE_FAILURE : status;
}

/*
 * Go through a file once: the checksum of its data behind `flags`, their length, and the bytes that
 * were asked for. False: reading failed.
 */
static bool read_data(int file, uint8_t flags, size_t offset, uint8_t *data, size_t size,
                      size_t *length, uint32_t *crc)
{
    uint8_t chunk[512];
    size_t total = 0;
    ssize_t got;

    *crc = corral_crc(0, &flags, 1);
    while ((got = pread(file, chunk, sizeof chunk, (off_t)(HEADER_SIZE + total))) > 0) {
        const size_t count = (size_t)got;
        *crc = corral_crc(*crc, chunk, count);
        for (size_t i = 0; i < count; i++) {
            if (total + i >= offset && total + i - offset < size) {
                data[total + i - offset] = chunk[i];
            }
        }
        total += count;
    }
    corral_wipe(chunk, sizeof chunk); /* it may be a key, in clear */
    *length = total;
    return got == 0;
}

/* Find the flags that fit checksum and data where it is the flags that are damaged. */
static void repair_flags(int file, uint32_t wanted, uint8_t *flags)
{
    const uint8_t all = CORRAL_STORE_ALL_FLAGS | CORRAL_STORE_CAPACITY;
    size_t length;
    uint32_t crc;

    for (uint8_t tried = 0; tried <= all; tried++) {
        if (read_data(file, tried, 0, NULL, 0, &length, &crc) && crc == wanted) {
            *flags = tried;
            return;
        }
    }
}

static psa_status_t read_file(int file, size_t offset, uint8_t *data, size_t size, size_t *length,
                              uint8_t *flags)
{
    uint8_t header[HEADER_SIZE];
    uint32_t crc;

    const ssize_t got = pread(file, header, sizeof header, 0);
    if (got != (ssize_t)sizeof header) {
        return got < 0 ? PSA_ERROR_STORAGE_FAILURE : PSA_ERROR_DATA_CORRUPT;
    }
    const uint32_t wanted = (uint32_t)corral_take(header + 1, 4);
    *flags = header[0];
    if (!read_data(file, *flags, offset, data, size, length, &crc)) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    if (crc == wanted) {
        return PSA_SUCCESS;
    }
    repair_flags(file, wanted, flags);
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
    const int file = open_entry(name);

    if (file == NO_FILE) {
        return status_of_errno();
    }
    const psa_status_t status = read_file(file, offset, data, size, length, flags);
    close(file);
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
    const bool is_done = folder_remove(folder, text);
    const psa_status_t status = is_done ? PSA_SUCCESS : status_of_errno();
    close(folder);
    if (is_done) {
        note(name, false);
    } else if (status != PSA_ERROR_DOES_NOT_EXIST) {
        list.is_read = false; /* it may be gone */
    }
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

/* Read the folder, which is closed, into the list. */
static psa_status_t read_list(int folder)
{
    struct corral_entry_name found;
    const struct dirent *file;
    bool has_room = true;

    folder_leave(folder);
    DIR *files = fdopendir(folder);
    if (files == NULL) {
        close(folder);
        return PSA_ERROR_STORAGE_FAILURE;
    }
    list.count = 0;
    errno = 0; /* only this tells a failure from the end */
    while (has_room && (file = readdir(files)) != NULL) {
        has_room = !parse_name(file->d_name, &found) || append(&found);
    }
    list.is_read = has_room && errno == 0;
    closedir(files);
    if (list.is_read && list.count > 0) {
        qsort(list.entries, list.count, sizeof list.entries[0], compare);
    }
    return list.is_read ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
}

psa_status_t corral_port_entry_next(struct corral_entry_name *name)
{
    const int folder = folder_of_storage(false);

    if (folder == NO_FILE) {
        return status_of_errno();
    }
    if (list.is_read && folder_is_as_left(folder)) {
        close(folder);
    } else if (read_list(folder) != PSA_SUCCESS) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    for (size_t at = seek(name); at < list.count && list.entries[at].name.space == name->space;
         at++) {
        if (list.entries[at].is_there && list.entries[at].name.uid > name->uid) {
            name->uid = list.entries[at].name.uid;
            return PSA_SUCCESS;
        }
    }
    return PSA_ERROR_DOES_NOT_EXIST;
}
