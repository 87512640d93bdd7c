/* SPDX-License-Identifier: Apache-2.0 */
/* A disk without space for new files: bytes written under a temporary name are lost. */
#define _DEFAULT_SOURCE

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int __real_fsync(int file);
int __wrap_fsync(int file);

static const char temporary[] = ".new";

int __wrap_fsync(int file)
{
    char name[32];
    char path[1024];

    (void)snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(name, path, sizeof path);
    const size_t end = sizeof temporary - 1;
    if (length >= (ssize_t)end && memcmp(path + length - end, temporary, end) == 0) {
        errno = ENOSPC;
        return -1;
    }
    return __real_fsync(file);
}
