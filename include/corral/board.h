/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Services of a board besides cryptography: a console, one input file and an end. Every port
 * implements all of it. An application therefore runs unchanged on any board. An
 * application begins with `int main(void)`; the result of main becomes the exit status.
 */
#ifndef CORRAL_BOARD_H
#define CORRAL_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define CORRAL_BOARD_NORETURN [[noreturn]]
extern "C" {
#elif __STDC_VERSION__ >= 201112L
#define CORRAL_BOARD_NORETURN _Noreturn
#else
#define CORRAL_BOARD_NORETURN
#endif

/* Print `text`, up to its terminating zero, on the board's console. Returns when it is out. */
void corral_board_print(const char *text);

/*
 * Open the input file of this run, or return to its beginning. How a run names its input, the
 * port's README says.
 * Returns false, and there is nothing to read, when the run has no input or it cannot be opened.
 */
bool corral_board_input_rewind(void);

/*
 * Read at most `size` bytes of the input, which corral_board_input_rewind() has opened.
 *   length  number of bytes written to `buffer`; less than `size` only at the end, 0 after it
 * Returns false when reading failed: *length is 0 then, and `buffer` unspecified.
 */
bool corral_board_input_read(uint8_t *buffer, size_t size, size_t *length);

/* End the run with exit status `status`, 0 to 255; the same as returning it from main. */
CORRAL_BOARD_NORETURN void corral_board_exit(int status);

#ifdef __cplusplus
}
#endif

#endif
