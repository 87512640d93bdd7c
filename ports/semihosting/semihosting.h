/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls to the debugger or emulator (Arm: "Semihosting for AArch32 and AArch64"; RISC-V
 * International: "RISC-V Semihosting", with the same numbers): the program's command line, files of
 * the host, and the end of the run. The processor stops while the host works, so the
 * number of executed instructions does not depend on the host's speed.
 */
#ifndef SEMIHOSTING_H
#define SEMIHOSTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The result of semihosting_open() if the host has no such file. */
#define SEMIHOSTING_NO_FILE (-1)

/* How to open; numbers of the specification, after fopen's modes. */
enum semihosting_mode {
    SEMIHOSTING_READ = 1,   /* "rb" */
    SEMIHOSTING_UPDATE = 3, /* "r+b": never makes a file, and does not wait for a FIFO's reader */
    SEMIHOSTING_CREATE = 7, /* "w+b": makes the file, or empties it */
};

/* Open the host's file `path`, relative to where the emulator was started. Returns a handle. */
int semihosting_open(const char *path, enum semihosting_mode mode);

/* Go to the byte `position` of an open file. false: the host refused. */
bool semihosting_seek(int handle, size_t position);

/*
 * Read until `size` bytes have come or the file ends. Returns the number of bytes read; less than
 * `size` at the end of the file, and when the host reports an error.
 */
size_t semihosting_read(int handle, uint8_t *data, size_t size);

/* Write all `size` bytes. false: some were not written. */
bool semihosting_write(int handle, const uint8_t *data, size_t size);

/*
 * Copy the command line, words separated by spaces, with a terminating zero. false: the host has
 * none, or it needs more than `size` bytes; `line` then holds an empty string.
 */
bool semihosting_command_line(char *line, size_t size);

/* End the run; `status` becomes the emulator's exit status. */
_Noreturn void semihosting_exit(int status);

#endif
