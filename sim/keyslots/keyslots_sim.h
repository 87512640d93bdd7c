/* SPDX-License-Identifier: Apache-2.0 */
/* A part with key slots and an AES engine, for programs that run in the same process. README.md is
 * its data sheet. Not thread-safe: one caller at a time for each part. */
#ifndef KEYSLOTS_SIM_H
#define KEYSLOTS_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEYSLOTS_SIM_KEY_SIZE 32u

struct keyslots_sim;

/* A part, with its memory in the file `nvm`, which is made when it is absent; NULL keeps it in RAM.
 * Returns NULL on failure, with the reason in error[0..error_size-1]. */
struct keyslots_sim *keyslots_sim_new(const char *nvm, char *error, size_t error_size);
void keyslots_sim_free(struct keyslots_sim *part);

/* The two transfers of its bus. false: not acknowledged; of a read, `data` is then unspecified. */
bool keyslots_sim_write(struct keyslots_sim *part, const uint8_t *data, size_t length);
bool keyslots_sim_read(struct keyslots_sim *part, uint8_t *data, size_t length);

/* Transfers that the part has seen, acknowledged or not, since it was made. */
uint32_t keyslots_sim_transactions(const struct keyslots_sim *part);

/* Take the supply away and give it back: the engine's key and the answer are lost. */
void keyslots_sim_power_cycle(struct keyslots_sim *part);

/* Set the fault, in place of the one before; README.md has the texts. false, and nothing changes,
 * when the text is none of these. */
bool keyslots_sim_fault(struct keyslots_sim *part, const char *text);

/* For tests that compare memory: the key in a slot. Returns its size, 0 where there is none. */
size_t keyslots_sim_peek(const struct keyslots_sim *part, uint8_t slot,
                         uint8_t key[KEYSLOTS_SIM_KEY_SIZE]);

/* Whether the engine holds a key. */
bool keyslots_sim_has_pushed(const struct keyslots_sim *part);

/* Print the serial number of the part whose memory the file is; false, having said why, if none. */
bool keyslots_sim_print_serial(const char *nvm);

#endif
