/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A disk below the library's calls of the system: with little room, with power that fails at a
 * chosen step, and with a count of calls. A step is a call that changes something.
 */
#ifndef TESTS_FILES_SEALED_DISK_H
#define TESTS_FILES_SEALED_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "../../ports/common/flash_model.h"

#define DISK_PATH_SIZE 256u

/* An empty folder, named in CORRAL_STORAGE; a device that has never been on, with power. */
void disk_begin(void);
const char *disk_folder(void);

/* The device loses all memory. The counter's file has what the counter has. */
void disk_off(void);

/* Blocks of 4096 bytes that all files of the folder together may take; 0: any number. An odd one is
 * a quota. */
void disk_limit(unsigned blocks);
unsigned disk_used(void);

/* Let the fsync() of a folder with this number, counted from now on, fail; 0: none. */
void disk_fail_sync(unsigned at, int reason);
bool disk_has_failed_sync(void);

/* Let the next renameat() of the reserve fail; 0: not. Whether it has, or was not asked to. */
void disk_fail_reserve(int reason);
bool disk_has_failed_reserve(void);

/* Let power fail in a step, counted from now on; 0: in none. Half a step is done and not said. */
void disk_cut(uint32_t step, enum flash_model_tear tear);
bool disk_power_on(void); /* false: it has never been away */
uint32_t disk_steps(void);

/* Calls of openat() and readdir() since disk_cut(). */
unsigned disk_calls(void);

/* Give the folder a time that it never had, as a change by another program does. */
void disk_touch(void);

#endif
