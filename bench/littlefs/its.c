/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thinnest psa_its_*() over littlefs. Each entry has a file, whose first byte is the entry's
 * flags. Closing a file replaces its content wholly or not at all. So no second file has to be
 * renamed into place. But a new file is there, and empty, before it is closed.
 * So an empty file is no entry.
 */
#include <psa/internal_trusted_storage.h>

#include <lfs.h>

#include "../../storage/store.h"

/* As large as the largest entry with its flags: a larger one takes a page for itself. */
#ifndef CACHE_SIZE
#define CACHE_SIZE 64
#endif
#ifndef LOOKAHEAD_SIZE
#define LOOKAHEAD_SIZE 8
#endif
/* The flash of the board, known when compiling: this is in favour of littlefs. */
#ifndef PAGE_SIZE
#define PAGE_SIZE 4096
#define PAGE_COUNT 8
#define WRITE_SIZE 4
#endif
#define NAME_SIZE 11

static int flash_read(const struct lfs_config *config, lfs_block_t page, lfs_off_t offset,
                      void *data, lfs_size_t size)
{
    (void)config;
    return corral_port_flash_read(page * PAGE_SIZE + offset, data, size) == PSA_SUCCESS
               ? LFS_ERR_OK
               : LFS_ERR_IO;
}

static int flash_write(const struct lfs_config *config, lfs_block_t page, lfs_off_t offset,
                       const void *data, lfs_size_t size)
{
    (void)config;
    return corral_port_flash_write(page * PAGE_SIZE + offset, data, size) == PSA_SUCCESS
               ? LFS_ERR_OK
               : LFS_ERR_IO;
}

static int flash_erase(const struct lfs_config *config, lfs_block_t page)
{
    (void)config;
    return corral_port_flash_erase((uint16_t)page) == PSA_SUCCESS ? LFS_ERR_OK : LFS_ERR_IO;
}

static int flash_sync(const struct lfs_config *config)
{
    (void)config;
    return LFS_ERR_OK;
}

static uint8_t read_buffer[CACHE_SIZE];
static uint8_t write_buffer[CACHE_SIZE];
static uint8_t file_buffer[CACHE_SIZE];
static uint32_t lookahead_buffer[LOOKAHEAD_SIZE / sizeof(uint32_t)];

static const struct lfs_config config = {
    .read = flash_read,
    .prog = flash_write,
    .erase = flash_erase,
    .sync = flash_sync,
    .read_size = 1,
    .prog_size = WRITE_SIZE,
    .block_size = PAGE_SIZE,
    .block_count = PAGE_COUNT,
    .block_cycles = 500,
    .cache_size = CACHE_SIZE,
    .lookahead_size = LOOKAHEAD_SIZE,
    .read_buffer = read_buffer,
    .prog_buffer = write_buffer,
    .lookahead_buffer = lookahead_buffer,
};

static const struct lfs_file_config file_config = {.buffer = file_buffer};

static lfs_t lfs;
static bool is_mounted;

/* An entry that is open. */
struct entry {
    lfs_file_t file;
    char name[NAME_SIZE];
    uint8_t flags;
    size_t size;
};

/* After a failure of the flash what is in memory cannot be relied on. */
static psa_status_t status_of(int error)
{
    switch (error) {
    case LFS_ERR_OK:
        return PSA_SUCCESS;
    case LFS_ERR_NOENT:
        return PSA_ERROR_DOES_NOT_EXIST;
    case LFS_ERR_NOSPC:
    case LFS_ERR_NAMETOOLONG: /* which says so where a name finds no room */
        return PSA_ERROR_INSUFFICIENT_STORAGE;
    default:
        is_mounted = false;
        return PSA_ERROR_STORAGE_FAILURE;
    }
}

/* As in littlefs's own documents: a file system that cannot be mounted is begun anew. */
static int mount(void)
{
    int error = LFS_ERR_OK;

    if (!is_mounted) {
        error = lfs_mount(&lfs, &config);
        if (error == LFS_ERR_CORRUPT) {
            error = lfs_format(&lfs, &config);
            if (error == LFS_ERR_OK) {
                error = lfs_mount(&lfs, &config);
            }
        }
        is_mounted = error == LFS_ERR_OK;
    }
    return error;
}

void corral_store_unmount(void)
{
    is_mounted = false;
}

/* Seven bits in a character, none of which means anything to littlefs. */
static void name_of(psa_storage_uid_t uid, char name[NAME_SIZE])
{
    do {
        *name++ = (char)(0x80u | (uid & 0x7fu));
        uid >>= 7;
    } while (uid != 0);
    *name = '\0';
}

/* Open an entry and read its flags. An opened file is closed again when this fails. */
static psa_status_t open_entry(struct entry *entry, psa_storage_uid_t uid)
{
    int error = mount();

    if (error == LFS_ERR_OK) {
        name_of(uid, entry->name);
        error = lfs_file_opencfg(&lfs, &entry->file, entry->name, LFS_O_RDONLY, &file_config);
    }
    if (error != LFS_ERR_OK) {
        return status_of(error);
    }
    lfs_ssize_t got = lfs_file_read(&lfs, &entry->file, &entry->flags, 1);
    entry->size = (size_t)lfs_file_size(&lfs, &entry->file) - 1;
    if (got == 1) {
        return PSA_SUCCESS;
    }
    (void)lfs_file_close(&lfs, &entry->file);
    return got == 0 ? PSA_ERROR_DOES_NOT_EXIST : status_of((int)got);
}

/* Whether an entry may be replaced or removed; PSA_ERROR_DOES_NOT_EXIST: there is none. */
static psa_status_t check_writable(struct entry *entry, psa_storage_uid_t uid)
{
    psa_status_t status = open_entry(entry, uid);

    if (status == PSA_SUCCESS) {
        (void)lfs_file_close(&lfs, &entry->file);
        if ((entry->flags & PSA_STORAGE_FLAG_WRITE_ONCE) != 0) {
            status = PSA_ERROR_NOT_PERMITTED;
        }
    }
    return status;
}

/* Replace the content of a file, or make the file. */
static int write_entry(struct entry *entry, const void *data, size_t size)
{
    int error = lfs_file_opencfg(&lfs, &entry->file, entry->name,
                                 LFS_O_WRONLY | LFS_O_CREAT | LFS_O_TRUNC, &file_config);

    if (error != LFS_ERR_OK) {
        return error;
    }
    lfs_ssize_t done = lfs_file_write(&lfs, &entry->file, &entry->flags, 1);
    if (done >= 0) {
        done = lfs_file_write(&lfs, &entry->file, data, size);
    }
    error = lfs_file_close(&lfs, &entry->file);
    return done < 0 ? (int)done : error;
}

psa_status_t psa_its_set(psa_storage_uid_t uid, size_t data_length, const void *p_data,
                         psa_storage_create_flags_t create_flags)
{
    struct entry entry;

    if (uid == 0 || (p_data == NULL && data_length != 0)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if ((create_flags & ~CORRAL_STORE_ALL_FLAGS) != 0) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    const psa_status_t before = check_writable(&entry, uid);
    if (before != PSA_SUCCESS && before != PSA_ERROR_DOES_NOT_EXIST) {
        return before;
    }
    entry.flags = (uint8_t)create_flags;
    const psa_status_t status = status_of(write_entry(&entry, p_data, data_length));
    if (status == PSA_ERROR_INSUFFICIENT_STORAGE && before != PSA_SUCCESS) {
        (void)lfs_remove(&lfs, entry.name); /* it is empty */
    }
    return status;
}

psa_status_t psa_its_get(psa_storage_uid_t uid, size_t data_offset, size_t data_size, void *p_data,
                         size_t *p_data_length)
{
    struct entry entry;

    *p_data_length = 0;
    if (uid == 0 || (p_data == NULL && data_size != 0)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = open_entry(&entry, uid);
    if (status != PSA_SUCCESS) {
        return status;
    }
    if (data_offset > entry.size) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    } else {
        (void)lfs_file_seek(&lfs, &entry.file, (lfs_soff_t)(data_offset + 1), LFS_SEEK_SET);
        const lfs_ssize_t got = lfs_file_read(&lfs, &entry.file, p_data, data_size);
        status = status_of(got < 0 ? (int)got : LFS_ERR_OK);
        *p_data_length = got < 0 ? 0 : (size_t)got;
    }
    (void)lfs_file_close(&lfs, &entry.file);
    return status;
}

psa_status_t psa_its_get_info(psa_storage_uid_t uid, struct psa_storage_info_t *p_info)
{
    struct entry entry;

    if (uid == 0 || p_info == NULL) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = open_entry(&entry, uid);
    if (status != PSA_SUCCESS) {
        return status;
    }
    p_info->capacity = entry.size;
    p_info->size = entry.size;
    p_info->flags = entry.flags;
    (void)lfs_file_close(&lfs, &entry.file);
    return PSA_SUCCESS;
}

psa_status_t psa_its_remove(psa_storage_uid_t uid)
{
    struct entry entry;

    if (uid == 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = check_writable(&entry, uid);
    if (status == PSA_SUCCESS) {
        status = status_of(lfs_remove(&lfs, entry.name));
    }
    return status;
}
