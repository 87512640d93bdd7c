/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE

#include "disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../core/common/initialised.h"
#include "../../ports/common/counter_model.h"
#include "../../storage/rollback.h"
#include "../harness/harness.h"
#include "../harness/slots.h"

#define BLOCK 4096

int __real_openat(int folder, const char *name, int flags, ...);
int __wrap_openat(int folder, const char *name, int flags, ...);
ssize_t __real_write(int file, const void *data, size_t size);
ssize_t __wrap_write(int file, const void *data, size_t size);
int __real_renameat(int from, const char *old, int to, const char *name);
int __wrap_renameat(int from, const char *old, int to, const char *name);
int __real_unlinkat(int folder, const char *name, int flags);
int __wrap_unlinkat(int folder, const char *name, int flags);
int __real_linkat(int from, const char *old, int to, const char *name, int flags);
int __wrap_linkat(int from, const char *old, int to, const char *name, int flags);
int __real_ftruncate(int file, off_t size);
int __wrap_ftruncate(int file, off_t size);
struct dirent *__real_readdir(DIR *folder);
struct dirent *__wrap_readdir(DIR *folder);
int __wrap_fsync(int file);

static char base[DISK_PATH_SIZE];

static struct {
    uint32_t steps;
    uint32_t cut_at;
    enum flash_model_tear tear;
    unsigned limit;
    unsigned calls;
    unsigned syncs;
    unsigned sync_fails_at;
    int sync_reason;
    int reserve_reason;
    bool is_off;
} disk;

/* Count a step. False: power fails, or has failed; *is_done says whether the step is done still. */
static bool step(bool *is_done)
{
    const bool is_cut = !disk.is_off && ++disk.steps == disk.cut_at;

    *is_done = is_cut && disk.tear == FLASH_MODEL_HALF;
    disk.is_off = disk.is_off || is_cut;
    errno = EIO;
    return !disk.is_off;
}

int __wrap_openat(int folder, const char *name, int flags, ...)
{
    va_list rest;
    bool is_done = true;

    va_start(rest, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    disk.calls++;
    if ((flags & O_CREAT) != 0 && !step(&is_done)) {
        const int file = is_done ? __real_openat(folder, name, flags, mode) : -1;
        if (file != -1) {
            close(file);
        }
        errno = EIO;
        return -1;
    }
    return __real_openat(folder, name, flags, mode);
}

/* Blocks of a file of this size. */
static unsigned blocks_of(off_t size)
{
    return (unsigned)((size + BLOCK - 1) / BLOCK);
}

static bool has_room(int file, size_t size)
{
    struct stat found;

    if (disk.limit == 0 || fstat(file, &found) != 0) {
        return true;
    }
    const off_t at = lseek(file, 0, SEEK_CUR);
    const off_t end = at + (off_t)size > found.st_size ? at + (off_t)size : found.st_size;
    const unsigned more = blocks_of(end) - blocks_of(found.st_size);
    return more == 0 || disk_used() + more <= disk.limit;
}

ssize_t __wrap_write(int file, const void *data, size_t size)
{
    bool is_done;

    if (!step(&is_done)) {
        (void)!__real_write(file, data, is_done ? size / 2 : 0);
        errno = EIO;
        return -1;
    }
    if (!has_room(file, size)) {
        errno = disk.limit % 2 == 0 ? ENOSPC : EDQUOT;
        return -1;
    }
    return __real_write(file, data, size);
}

/* The result of a call that is cut at this step, or of `call` if the step still succeeds. */
#define STEP(call)                                                                                 \
    bool is_done;                                                                                  \
    if (!step(&is_done)) {                                                                         \
        (void)(is_done ? (call) : 0);                                                              \
        errno = EIO;                                                                               \
        return -1;                                                                                 \
    }                                                                                              \
    return (call)

int __wrap_renameat(int from, const char *old, int to, const char *name)
{
    if (disk.reserve_reason != 0 && strcmp(old, "reserve") == 0) {
        errno = disk.reserve_reason;
        disk.reserve_reason = 0;
        return -1;
    }
    STEP(__real_renameat(from, old, to, name));
}

int __wrap_unlinkat(int folder, const char *name, int flags)
{
    STEP(__real_unlinkat(folder, name, flags));
}

int __wrap_linkat(int from, const char *old, int to, const char *name, int flags)
{
    STEP(__real_linkat(from, old, to, name, flags));
}

int __wrap_ftruncate(int file, off_t size)
{
    STEP(__real_ftruncate(file, size));
}

struct dirent *__wrap_readdir(DIR *folder)
{
    disk.calls++;
    return __real_readdir(folder);
}

/* The page cache survives what is called a power cut here. Only a folder's fsync() can fail. */
int __wrap_fsync(int file)
{
    struct stat found;

    if (fstat(file, &found) == 0 && S_ISDIR(found.st_mode) && ++disk.syncs == disk.sync_fails_at) {
        errno = disk.sync_reason;
        return -1;
    }
    return 0;
}

const char *disk_folder(void)
{
    return base;
}

void disk_begin(void)
{
    disk.is_off = false;
    disk.limit = 0;
    disk_fail_sync(0, 0);
    disk_fail_reserve(0);
    disk_cut(0, FLASH_MODEL_NOTHING);
    (void)snprintf(base, sizeof base, "%s/corral-XXXXXX",
                   getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    REQUIRE(mkdtemp(base) != NULL);
    REQUIRE(setenv("CORRAL_STORAGE", base, 1) == 0);
    disk_off();
}

static uint32_t kept_counter(void)
{
    char path[DISK_PATH_SIZE + 16];
    unsigned long value = 0;

    (void)snprintf(path, sizeof path, "%s/counter", base);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        CHECK(fscanf(file, "%lu", &value) == 1);
        (void)fclose(file);
    }
    return (uint32_t)value;
}

void disk_off(void)
{
    slots_lose_power();
    corral_initialised = false;
    if (CORRAL_ROLLBACK_DETECTION) {
        corral_rollback_forget();
    }
    counter_model_set(kept_counter());
    disk_touch();
}

void disk_limit(unsigned blocks)
{
    disk.limit = blocks;
}

unsigned disk_used(void)
{
    const struct dirent *file;
    struct stat found;
    unsigned blocks = 0;
    DIR *folder = opendir(base);

    while (folder != NULL && (file = __real_readdir(folder)) != NULL) {
        if (fstatat(dirfd(folder), file->d_name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(found.st_mode)) {
            blocks += blocks_of(found.st_size);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return blocks;
}

void disk_fail_sync(unsigned at, int reason)
{
    disk.syncs = 0;
    disk.sync_fails_at = at;
    disk.sync_reason = reason;
}

void disk_fail_reserve(int reason)
{
    disk.reserve_reason = reason;
}

bool disk_has_failed_reserve(void)
{
    return disk.reserve_reason == 0;
}

bool disk_has_failed_sync(void)
{
    return disk.sync_fails_at != 0 && disk.syncs >= disk.sync_fails_at;
}

void disk_cut(uint32_t at, enum flash_model_tear tear)
{
    disk.steps = 0;
    disk.calls = 0;
    disk.cut_at = at;
    disk.tear = tear;
}

bool disk_power_on(void)
{
    const bool was_off = disk.is_off;

    disk.is_off = false;
    disk.cut_at = 0;
    return was_off;
}

uint32_t disk_steps(void)
{
    return disk.steps;
}

unsigned disk_calls(void)
{
    return disk.calls;
}

void disk_touch(void)
{
    static long count;
    const struct timespec times[2] = {{.tv_sec = 1, .tv_nsec = ++count},
                                      {.tv_sec = 1, .tv_nsec = count}};

    REQUIRE(utimensat(AT_FDCWD, base, times, 0) == 0);
}
