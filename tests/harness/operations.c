/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the calls of the port into the operating system, and prints their sum at the end. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned long operations;

#define COUNTED(type, name, parameters, arguments)                                                 \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        operations++;                                                                              \
        return __real_##name arguments;                                                            \
    }

COUNTED(struct dirent *, readdir, (DIR * folder), (folder))
COUNTED(ssize_t, pread, (int file, void *data, size_t size, off_t at), (file, data, size, at))
COUNTED(ssize_t, write, (int file, const void *data, size_t size), (file, data, size))
COUNTED(int, fstat, (int file, struct stat *found), (file, found))
COUNTED(int, fsync, (int file), (file))
COUNTED(int, unlinkat, (int folder, const char *name, int flags), (folder, name, flags))

int __real_openat(int folder, const char *name, int flags, ...);
int __wrap_openat(int folder, const char *name, int flags, ...);

int __wrap_openat(int folder, const char *name, int flags, ...)
{
    va_list arguments;

    operations++;
    va_start(arguments, flags);
    const unsigned mode = (flags & O_CREAT) != 0 ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return __real_openat(folder, name, flags, mode);
}

static void print(void)
{
    printf("operations %lu\n", operations);
}

__attribute__((constructor)) static void prepare(void)
{
    (void)atexit(print);
}
