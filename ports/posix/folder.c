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

/* Pass on what was opened if it is ours alone to write; otherwise close it. */
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
 * Make a folder, and bring its name to the disk. True also if there is one; but whether its name is
 * there nobody knows at the first time, or after a failure.
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
    /* Who made a folder where we may not look has seen to its name. */
    const bool is_of_others = parent == NO_FILE && !is_new && errno == EACCES;
    if (!is_of_others && !sync_and_close(parent)) {
        return false;
    }
    atomic_store(&on_disk, (unsigned long)found.st_ino);
    return true;
}

int folder_of_storage(bool make)
{
    const char *wanted = getenv("CORRAL_STORAGE");
    char path[PATH_SIZE];
    const int length =
        snprintf(path, sizeof path, "%s", wanted != NULL ? wanted : "corral-storage");

    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return NO_FILE;
    }
    /* With a slash behind it a link would be followed. */
    for (size_t end = (size_t)length; end > 1 && path[end - 1] == '/'; end--) {
        path[end - 1] = '\0';
    }
    if (make && !make_folder(path)) {
        return NO_FILE;
    }
    return guarded(open(path, O_RDONLY | O_DIRECTORY | NO_TRICKS), S_IFDIR, false);
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

bool folder_replace(int folder, const char *name, const uint8_t *header, size_t header_size,
                    const uint8_t *data, size_t size)
{
    char temporary[PATH_SIZE];

    const int length = snprintf(temporary, sizeof temporary, "%s.new", name);
    if (length < 0 || (size_t)length >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return false;
    }
    (void)unlinkat(folder, temporary, 0); /* what a power cut has left, or somebody has put there */
    const int file = folder_make(folder, temporary);
    if (file == NO_FILE) {
        return false;
    }
    bool is_done = folder_write(file, header, header_size) && folder_write(file, data, size) &&
                   fsync(file) == 0;
    is_done = close(file) == 0 && is_done;
    if (!is_done || renameat(folder, temporary, folder, name) != 0) {
        const int reason = errno;
        (void)unlinkat(folder, temporary, 0);
        errno = reason;
        return false;
    }
    return fsync(folder) == 0;
}
