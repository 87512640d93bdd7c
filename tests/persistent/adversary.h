/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An attacker who writes the storage while the device is off and cuts its power, but cannot write
 * the counter. adversary.c searches; a world is the device with its storage, in flash or in files.
 */
#ifndef TESTS_PERSISTENT_ADVERSARY_H
#define TESTS_PERSISTENT_ADVERSARY_H

#include <stdbool.h>
#include <stdint.h>

#include <psa/error.h>

#include "../../ports/common/flash_model.h"

/* A device's work in one run after psa_crypto_init(): look, or change one entry, too. */
enum adversary_change {
    ADVERSARY_LOOK,
    ADVERSARY_SET,
    ADVERSARY_REMOVE,
    ADVERSARY_IMPORT,
    ADVERSARY_DESTROY,
    ADVERSARY_CHANGES
};

struct adversary_run {
    uint32_t cut; /* the step in which power fails; 0: in none */
    enum flash_model_tear tear;
    enum adversary_change change;
    uint8_t value; /* to set or to import, not 0 */
    /* The results. */
    psa_status_t started;
    psa_status_t changed;
    uint8_t entry; /* as found after the start; 0: there is none */
    uint8_t key;
    bool was_cut;
};

/* The number of the entry and of the key. */
#define ADVERSARY_ID 7u

/* The parts of an image that the attacker may take from another one, as bits. */
#define ADVERSARY_MANIFEST 1u
#define ADVERSARY_ENTRY 2u
#define ADVERSARY_KEY 4u
#define ADVERSARY_ALL 7u

#define ADVERSARY_IMAGES 26u

/* psa_crypto_init(), look, and change. A world calls this when all memory of the device is lost. */
void adversary_live(struct adversary_run *run);

/* A new device, with empty storage and a counter at 0. */
void world_begin(void);
/* Switch the device on, and off again. */
void world_run(struct adversary_run *run);
/* Keep an image of the storage, and put images back: those parts from `other`, the rest of it. */
void world_save(unsigned image);
void world_load(unsigned image, unsigned other, unsigned parts);
/* The counter: for the search itself, which goes back to try something else. */
uint32_t world_counter(void);
void world_set_counter(uint32_t value);
/* The steps of the longest run. */
uint32_t world_steps(void);
/* How many runs the world has time for. */
unsigned world_runs(void);

#endif
