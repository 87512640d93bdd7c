/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key slots: which key has which, and the context by which a key finds its slot again.
 */
#ifndef ATECC608_SLOTS_H
#define ATECC608_SLOTS_H

#include "kinds.h"
#include "session.h"

/*
 * The key context. No pointers, and enough to know the key again: it does not open a slot that was
 * given away since, nor one of another chip once the driver has read that chip.
 */
struct atecc608_key {
    uint8_t slot; /* number, and the flags below */
    uint8_t generation;
    uint8_t serial[ATECC608_SERIAL_SIZE];
};
#define ATECC608_KEY_SLOT 0x0Fu
#define ATECC608_KEY_CREATED 0x20u  /* generated or imported: an application may rely on it */
#define ATECC608_KEY_WRITTEN 0x40u  /* the chip may have put a key into the slot */
#define ATECC608_KEY_ATTACHED 0x80u /* the key was there before: it is not ours to destroy */

/* Whether a set of slots contains this one. */
static inline bool atecc608_contains(uint16_t slots, uint8_t slot)
{
    return ((unsigned)slots >> slot & 1u) != 0;
}

/* Give the slot to a key and write its context; `flags` is 0 or ATECC608_KEY_ATTACHED. */
void atecc608_take_slot(struct atecc608_state *state, uint8_t slot, uint8_t flags,
                        struct atecc608_key *key);

/* Take the slot back from its key; contexts that name it are void from here on. */
void atecc608_give_slot(struct atecc608_state *state, const struct atecc608_key *key);

/*
 * atecc608_open() for a key's chip, and set session->slot. atecc608_close() follows in any case.
 *   PSA_ERROR_COMMUNICATION_FAILURE  the chip does not answer, or another chip does: the key is in
 *                                    one that is not there
 *   PSA_ERROR_INVALID_HANDLE         the slot was given to another key since
 */
psa_status_t atecc608_open_key(struct atecc608_session *session, size_t device,
                               const uint8_t *key_buffer);

#endif
