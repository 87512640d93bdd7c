/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* No link as the last part of a path, no waiting for the other end of a pipe. */
#define NO_TRICKS (O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)

#define RESERVE "reserve"
#define RESERVE_SIZE 4096u

/* Return the opened file if only we may write it; otherwise close it. */
static int guarded(int file, mode_t type, bool in_place)
{
    struct stat found;

    if (file == NO_FILE) {
        return NO_FILE;
    }
    if (fstat(file, &found) == 0 && (found.st_mode & S_IFMT) == type && found.st_uid == geteuid() &&
        (found.st_mode & (S_IWGRP | S_IWOTH)) == 0 && (!in_place || found.st_nlink == 1)) {
        return file;
    }
    close(file);
    errno = EPERM;
    return NO_FILE;
}

/* Bring the names in a folder to the disk. */
static bool sync_and_close(int folder)
{
    const bool is_done = folder != NO_FILE && fsync(folder) == 0;

    if (folder != NO_FILE) {
        close(folder);
    }
    return is_done;
}

int folder_of_file(const char *path, const char **name)
{
    char parent[PATH_SIZE];
    const char *end = strrchr(path, '/');
    const size_t length = end == NULL ? 0 : (size_t)(end - path) + 1;

    if (length >= sizeof parent) {
        errno = ENAMETOOLONG;
        return NO_FILE;
    }
    memcpy(parent, path, length);
    parent[length] = '\0';
    *name = path + length;
    return open(length > 0 ? parent : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/*
 * Make a folder, and bring its name to the disk. True also if there is one; at the
 * first time, or after a failure, its name may not be on the disk yet.
 */
static bool make_folder(const char *path)
{
    static atomic_ulong on_disk; /* the number of a folder whose name is on the disk; 0: of none */
    struct stat found;
    const char *name;

    const bool is_new = mkdir(path, S_IRWXU) == 0;
    if ((!is_new && errno != EEXIST) || stat(path, &found) != 0) {
        return false;
    }
    if (!is_new && atomic_load(&on_disk) == (unsigned long)found.st_ino) {
        return true;
    }
    const int parent = folder_of_file(path, &name);
    /* The owner of a folder that we may not read has synchronised its name. */
    const bool is_of_others = parent == NO_FILE && !is_new && errno == EACCES;
    if (!is_of_others && !sync_and_close(parent)) {
        return false;
    }
    atomic_store(&on_disk, (unsigned long)found.st_ino);
    return true;
}

/* The fault of an existing folder, and its remedy. */
static const char *fault_of(const char *path)
{
    struct stat found;

    if (lstat(path, &found) != 0) {
        return strerror(errno);
    }
    if (!S_ISDIR(found.st_mode)) {
        return "it is not a folder; a link is not followed";
    }
    if (found.st_uid != geteuid()) {
        return "it belongs to another user";
    }
    return "other users may write there; run chmod go-w";
}

static const char *storage_path(void)
{
    const char *wanted = getenv("CORRAL_STORAGE");

    return wanted != NULL ? wanted : "corral-storage";
}

void folder_explain(void)
{
    static atomic_flag is_said = ATOMIC_FLAG_INIT;
    const char *path = storage_path();
    const int reason = errno;

    if (atomic_flag_test_and_set(&is_said)) {
        return;
    }
    const bool is_full = reason == ENOSPC || reason == EDQUOT;
    (void)fprintf(stderr, "corral: the storage in %s %s: %s. %s\n", path,
                  is_full ? "has no more room" : "is not used",
                  reason == EPERM ? fault_of(path) : strerror(reason),
                  is_full ? "Remove entries, or give it more room."
                          : "Or name a folder of your own in CORRAL_STORAGE.");
    errno = reason;
}

/* Pass on an opened folder, or say why there is none; that there is none yet is no fault. */
static int explained(int folder)
{
    if (folder == NO_FILE && errno != ENOENT) {
        folder_explain();
    }
    return folder;
}

int folder_of_storage(bool make)
{
    char path[PATH_SIZE];
    const int length = snprintf(path, sizeof path, "%s", storage_path());

    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return NO_FILE;
    }
    /* With a slash behind it a link would be followed. */
    for (size_t end = (size_t)length; end > 1 && path[end - 1] == '/'; end--) {
        path[end - 1] = '\0';
    }
    if (make && !make_folder(path)) {
        folder_explain();
        return NO_FILE;
    }
    return explained(guarded(open(path, O_RDONLY | O_DIRECTORY | NO_TRICKS), S_IFDIR, false));
}

int folder_read(int folder, const char *name)
{
    return guarded(openat(folder, name, O_RDONLY | NO_TRICKS), S_IFREG, false);
}

int folder_change(int folder, const char *name)
{
    return guarded(openat(folder, name, O_RDWR | NO_TRICKS), S_IFREG, true);
}

int folder_make(int folder, const char *name)
{
    return openat(folder, name, O_RDWR | O_CREAT | O_EXCL | NO_TRICKS, S_IRUSR | S_IWUSR);
}

bool folder_write(int file, const uint8_t *data, size_t size)
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

/* Values that reveal a change of the folder. */
static struct {
    dev_t device;
    ino_t number;
    struct timespec changed;
    bool is_known;
} left;

bool folder_is_as_left(int folder)
{
    struct stat found;

    return left.is_known && fstat(folder, &found) == 0 && found.st_dev == left.device &&
           found.st_ino == left.number && found.st_mtim.tv_sec == left.changed.tv_sec &&
           found.st_mtim.tv_nsec == left.changed.tv_nsec;
}

void folder_leave(int folder)
{
    struct stat found;

    left.is_known = fstat(folder, &found) == 0;
    if (left.is_known) {
        left.device = found.st_dev;
        left.number = found.st_ino;
        left.changed = found.st_mtim;
    }
}

/* Bring changes to the disk; if the folder was as left before them, it is so again. */
static bool end_change(int folder, bool was_as_left)
{
    if (was_as_left) {
        folder_leave(folder);
    }
    return fsync(folder) == 0;
}

/* Remove a file that was not completed, and keep the reason. */
static bool give_up(int folder, const char *name)
{
    const int reason = errno;

    (void)unlinkat(folder, name, 0);
    errno = reason;
    return false;
}

/* Write all of an opened file, bring it to the disk and close it. */
static bool write_and_close(int file, const uint8_t *header, size_t header_size,
                            const uint8_t *data, size_t size)
{
    const bool is_done = folder_write(file, header, header_size) &&
                         folder_write(file, data, size) && fsync(file) == 0;
    const int reason = errno;

    if (close(file) != 0) {
        return false;
    }
    errno = reason;
    return is_done;
}

bool folder_reserve(int folder)
{
    static const uint8_t zeros[RESERVE_SIZE];
    struct stat found;

    if (fstatat(folder, RESERVE, &found, AT_SYMLINK_NOFOLLOW) == 0) {
        return true;
    }
    (void)unlinkat(folder, RESERVE ".new", 0);
    const bool was_as_left = folder_is_as_left(folder);
    const int file = folder_make(folder, RESERVE);
    if (file == NO_FILE) {
        return false;
    }
    const bool is_done =
        write_and_close(file, zeros, sizeof zeros, NULL, 0) || give_up(folder, RESERVE);
    return end_change(folder, was_as_left) && is_done;
}

/*
 * Write into the room of the reserve and give that file the name. The file that had the name
 * becomes the reserve: it is never without a name, so no other program takes its room.
 */
static bool replace_by_reserve(int folder, const char *name, const uint8_t *header,
                               size_t header_size, const uint8_t *data, size_t size)
{
    const int file = header_size + size <= RESERVE_SIZE ? folder_change(folder, RESERVE) : NO_FILE;

    if (file == NO_FILE) {
        errno = ENOSPC;
        return false;
    }
    const bool is_cut = ftruncate(file, (off_t)(header_size + size)) == 0;
    if (!write_and_close(file, header, header_size, data, size) || !is_cut) {
        return false;
    }
    (void)unlinkat(folder, RESERVE ".new", 0);
    const bool is_kept = linkat(folder, name, folder, RESERVE ".new", 0) == 0;
    if (renameat(folder, RESERVE, folder, name) != 0) {
        errno = EIO; /* the bytes are in the reserve, where they can be read */
        return false;
    }
    if (!is_kept || renameat(folder, RESERVE ".new", folder, RESERVE) != 0) {
        (void)folder_reserve(folder);
    }
    return true;
}

/* The same in room of its own. */
static bool replace(int folder, const char *name, const uint8_t *header, size_t header_size,
                    const uint8_t *data, size_t size)
{
    char temporary[PATH_SIZE];

    const int length = snprintf(temporary, sizeof temporary, "%s.new", name);
    if (length < 0 || (size_t)length >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return false;
    }
    (void)unlinkat(folder, temporary, 0); /* left by a power cut, or put there by another program */
    const int file = folder_make(folder, temporary);
    if (file == NO_FILE) {
        return false;
    }
    if (!write_and_close(file, header, header_size, data, size) ||
        renameat(folder, temporary, folder, name) != 0) {
        return give_up(folder, temporary);
    }
    return true;
}

bool folder_replace(int folder, const char *name, const uint8_t *header, size_t header_size,
                    const uint8_t *data, size_t size, bool is_urgent)
{
    const bool was_as_left = folder_is_as_left(folder);

    bool is_done = replace(folder, name, header, header_size, data, size);
    if (!is_done && is_urgent && (errno == ENOSPC || errno == EDQUOT)) {
        is_done = replace_by_reserve(folder, name, header, header_size, data, size);
    }
    const int reason = errno;
    const bool is_on_disk = end_change(folder, was_as_left);
    /* A file that is there has found its room, whatever the folder's end says. */
    errno = is_done ? EIO : reason;
    return is_done && is_on_disk;
}

bool folder_remove(int folder, const char *name)
{
    const bool was_as_left = folder_is_as_left(folder);

    if (unlinkat(folder, name, 0) != 0) {
        return false;
    }
    const bool is_on_disk = end_change(folder, was_as_left);
    errno = EIO; /* it is gone: that is no want of room */
    return is_on_disk;
}
