/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests of a simulated board to its simulator (sim/mega2560): entropy, a file, the end.
 * Three general-purpose I/O registers carry it, which mean nothing to the hardware: the
 * program writes a request to GPIOR1 and finds there whether it was done; GPIOR2 holds a
 * byte that goes with it. On a real chip no host answers, and every request fails.
 */
#ifndef HOST_H
#define HOST_H

#include <stdbool.h>
#include <stdint.h>

/* Requests; no value is HOST_DONE. */
enum host_request {
    HOST_ENTROPY = 1, /* GPIOR2: a random byte */
    HOST_REWIND = 2,  /* go to the beginning of the input file */
    HOST_READ = 3,    /* GPIOR2: its next byte; fails at its end */
    HOST_EXIT = 4,    /* end the run with the status in GPIOR2 */
};

#define HOST_DONE 0xd0u

/* Ask for something that goes along with no byte. false: refused, or there is no host. */
bool host_ask(enum host_request request);

/* Ask for a byte. On failure *byte is unspecified. */
bool host_get(enum host_request request, uint8_t *byte);

/* Ask for the end. Does not return where there is a host. */
void host_exit(uint8_t status);

#endif
