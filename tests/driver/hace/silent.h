/* SPDX-License-Identifier: Apache-2.0 */
/* The driver beside itself, with a register of status that says what a test wants. */
#ifndef SILENT_H
#define SILENT_H

#include <stdint.h>

#include <psa/crypto.h>

/* SHA-256 of 8 bytes, by that driver. */
psa_status_t silent_sha_256(const uint8_t message[8], uint8_t hash[32], size_t *length);

/* From now on the engine has done its job at this look at its status; 0: at none. */
void silent_done_at(uint32_t look);

/* How often the status has been looked at or cleared since then. */
uint32_t silent_looks(void);

#endif
