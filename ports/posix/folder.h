/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Protection from files that another user of the computer has prepared: a file opened here
 * is no link, belongs to this user, and cannot be written by others. Functions that open
 * return a file descriptor, or NO_FILE and errno: EPERM if it is not such a file.
 */
#ifndef FOLDER_H
#define FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_FILE (-1)
#define PATH_SIZE 1024u

/* The folder of the storage's entries: CORRAL_STORAGE, or `corral-storage`. */
int folder_of_storage(bool make);

/* The folder in which the file `path` is, of any owner: *name is the file's name there. */
int folder_of_file(const char *path, const char **name);

/* Open a file to read, or to change it in place: then it has no other name either. */
int folder_read(int folder, const char *name);
int folder_change(int folder, const char *name);

/* Make an empty file where there is none. */
int folder_make(int folder, const char *name);

/* Write all, or say so. */
bool folder_write(int file, const uint8_t *data, size_t size);

/*
 * Put a file of header and data in the place of the one of that name, if there is one: it is
 * written under another name, brought to the disk, renamed, and the name brought to the disk.
 * `is_urgent`: on a full disk a small file takes the reserve.
 * False: errno says why; the old one is still there, unless only the last step has failed.
 */
bool folder_replace(int folder, const char *name, const uint8_t *header, size_t header_size,
                    const uint8_t *data, size_t size, bool is_urgent);

/*
 * See that the folder has a reserve: a file whose room is there for urgent ones, without which
 * nothing could be removed from a full disk. False: there is no room for it; errno says so.
 */
bool folder_reserve(int folder);

/*
 * Whether the folder is unchanged since folder_leave(). Each function above that
 * changes something keeps that true.
 */
bool folder_is_as_left(int folder);
void folder_leave(int folder);

/* Remove a file, and bring that to the disk. False: errno says why; it may be removed or not. */
bool folder_remove(int folder, const char *name);

/* Say on standard error, once in a process, why the storage is not used: errno has the reason. */
void folder_explain(void);

#endif
