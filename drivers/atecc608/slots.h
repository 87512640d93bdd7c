/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key slots: which slot serves which kind of key, who has it, and the context by which a key finds
 * its slot again.
 */
#ifndef ATECC608_SLOTS_H
#define ATECC608_SLOTS_H

#include "session.h"

/* SlotConfig and KeyConfig of a kind, and the bits of each that the driver depends on. */
struct atecc608_kind {
    uint16_t slot_config;
    uint16_t slot_mask;
    uint16_t key_config;
    uint16_t key_mask;
};

/* Indexed by ATECC608_SLOT_*; the row of ATECC608_SLOT_RESERVED asks for nothing. */
extern const struct atecc608_kind atecc608_kinds[];

/* The bits of KeyConfig that say what a slot holds: Private and KeyType. */
#define ATECC608_KEY_CONFIG_TYPE 0x001Du

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
#define ATECC608_KEY_CREATED 0x20u  /* generated or imported: somebody may rely on it */
#define ATECC608_KEY_WRITTEN 0x40u  /* the chip may have put a key into the slot */
#define ATECC608_KEY_ATTACHED 0x80u /* the key was there before: it is not ours to destroy */

/* A little-endian word of the configuration zone that belongs to `slot`. */
static inline uint16_t atecc608_slot_word(const uint8_t *words, size_t slot)
{
    return (uint16_t)(words[2 * slot] | words[2 * slot + 1] << 8);
}

/* Whether a set of slots contains this one. */
static inline bool atecc608_contains(uint16_t slots, uint8_t slot)
{
    return ((unsigned)slots >> slot & 1u) != 0;
}

/* The slot that the board declares for the write key; ATECC608_SLOT_COUNT if none. */
uint8_t atecc608_write_key_slot(const struct atecc608_device *device);

/*
 * What a slot's SlotConfig must have beyond the row of its kind, so that PrivWrite takes a private
 * key under the board's write key; 0 where there is nothing to take.
 */
uint16_t atecc608_private_write(const struct atecc608_device *device, uint8_t slot);

/* Bit i: slot i has the configuration of the kind that the board declares for it, and its content
 * is not locked. */
uint16_t atecc608_usable_slots(const struct atecc608_device *device,
                               const uint8_t config[ATECC608_CONFIG_SIZE]);

/* The kind of slot that keys of this type need; ATECC608_SLOT_RESERVED: none. */
uint8_t atecc608_kind_of(psa_key_type_t type);

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
