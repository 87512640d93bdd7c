/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The identity of a device: a key that it made itself and that never leaves it, and the hash of
 * that key and of the device's permanent properties (PROTOCOL.md, 1). There are two places for
 * keys, and an entry of storage that says which of them counts. It is written when a new key
 * and its sequence are there, and before the old ones are destroyed. Whenever power fails, the
 * identity is the old one or the new one, and the next start removes the rest of the other.
 */
#ifndef FLEET_IDENTITY_H
#define FLEET_IDENTITY_H

#include <psa/crypto.h>

#include "entry.h"
#include "key.h"

#define FLEET_IDENTITY_SIZE 16u
#define FLEET_KIND_MAX_SIZE 32u
#define FLEET_DIGEST_SIZE PSA_HASH_LENGTH(PSA_ALG_SHA_256)
#define FLEET_HASHED_AS "cf1-id" /* the begin of the hash's input: the version */

/* Whether the device can hand over to its next identity; the code is only there if so. */
#ifndef FLEET_HANDS_OVER
#define FLEET_HANDS_OVER 0
#endif

/* Whether the device can be paired (pairing.h); the code is only there if so. */
#ifndef FLEET_PAIRING
#define FLEET_PAIRING 0
#endif

/* Identifiers of keys, four from here on, and two more where FLEET_PAIRING. */
#ifndef FLEET_KEYS
#define FLEET_KEYS 0x00666c00u
#endif

/* The permanent properties of a device. Where it changes, the identity does. */
struct fleet_profile {
    const char *kind;            /* 1 to 32 characters of a-z 0-9 . - */
    enum fleet_curve signing;    /* FLEET_P256 or FLEET_ED25519 */
    enum fleet_curve agreement;  /* FLEET_P256, FLEET_X25519 or FLEET_NO_KEY */
    psa_key_location_t location; /* of the signing key: local, or an element */
    psa_key_location_t agreement_location;
};

struct fleet_identity {
    const struct fleet_profile *profile;
    uint8_t place; /* 0 or 1: which keys count */
    uint8_t id[FLEET_IDENTITY_SIZE];
};

/* The key that signs, and the entry of its sequence. */
static inline psa_key_id_t fleet_identity_key(const struct fleet_identity *identity)
{
    return FLEET_KEYS + 2u * identity->place;
}

static inline uint8_t fleet_identity_sequence(const struct fleet_identity *identity)
{
    return (uint8_t)(1u + identity->place);
}

/* The entry with its predecessor's statement about it (handover.h). */
static inline uint8_t fleet_identity_handover(const struct fleet_identity *identity)
{
    return (uint8_t)(4u + identity->place);
}

/* The key that agrees on secrets, where the profile has one. */
static inline psa_key_id_t fleet_identity_agreement(const struct fleet_identity *identity)
{
    return fleet_identity_key(identity) + 1u;
}

/* The key that a pairing left, where there was one (pairing.h). */
static inline psa_key_id_t fleet_identity_pairing(const struct fleet_identity *identity)
{
    return FLEET_KEYS + 4u + identity->place;
}

/*
 * Take up the identity, or make one if the device has none. Remains of one that power interrupted
 * are destroyed.
 *   profile  is remembered, not copied
 *   PSA_ERROR_DATA_CORRUPT  the stored identity is of another profile, or damaged;
 *                           fleet_identity_reset() makes a new one
 *   whatever else making and destroying keys, and psa_its_*, return; then there is no identity to
 *   use, and the next start goes on
 */
psa_status_t fleet_identity_start(struct fleet_identity *identity,
                                  const struct fleet_profile *profile);

/*
 * Make a new identity and destroy the old keys: a factory reset, or another owner.
 * fleet_identity_start() was called with `identity` before, and may have failed.
 * If reading which keys count fails, nothing was changed. After another failure the identity is
 * the old one, or the new one, and keys of the old one are not destroyed yet.
 * The next fleet_identity_start() returns which, and goes on.
 */
psa_status_t fleet_identity_reset(struct fleet_identity *identity);

/*
 * The two halves of fleet_identity_reset(), for a caller that acts between them. The first makes
 * the keys of a successor, the second lets them count and destroys those of `identity`.
 *   as fleet_identity_reset() has it
 */
psa_status_t fleet_identity_prepare(struct fleet_identity *identity,
                                    struct fleet_identity *successor);
psa_status_t fleet_identity_adopt(struct fleet_identity *identity,
                                  const struct fleet_identity *successor);

/*
 * Write keys and kind as they are hashed and stated: with `is_map`, each behind its number.
 *   whatever psa_export_public_key() returns
 */
psa_status_t fleet_identity_write(const struct fleet_identity *identity, bool is_map,
                                  struct corral_cbor *writer);

/* Copy an identity: a call takes less than the copy in its place. */
void fleet_identity_copy(uint8_t to[FLEET_IDENTITY_SIZE], const uint8_t from[FLEET_IDENTITY_SIZE]);

/* Whether two identities are the same. */
bool fleet_identity_is(const uint8_t one[FLEET_IDENTITY_SIZE],
                       const uint8_t other[FLEET_IDENTITY_SIZE]);

/*
 * The SHA-256 of some bytes.
 *   whatever psa_hash_compute() returns
 */
psa_status_t fleet_identity_digest(const uint8_t *data, size_t length,
                                   uint8_t digest[FLEET_DIGEST_SIZE]);

/*
 * The identity that `hashed` has: of keys and kind, or of the members of a group.
 *   PSA_ERROR_INVALID_ARGUMENT  it did not fit where it was written
 *   whatever else fleet_identity_digest() returns
 */
psa_status_t fleet_identity_hash(const struct corral_cbor *hashed, uint8_t id[FLEET_IDENTITY_SIZE]);

/* Write the identity as 32 digits and a zero. */
void fleet_identity_text(const struct fleet_identity *identity,
                         char text[2u * FLEET_IDENTITY_SIZE + 1u]);

#endif
