/* SPDX-License-Identifier: Apache-2.0 */
/* A device's keys: which there are, and how their public parts are written (PROTOCOL.md, 1). */
#ifndef FLEET_KEY_H
#define FLEET_KEY_H

#include <corral/cbor.h>
#include <psa/crypto.h>

enum fleet_curve {
    FLEET_NO_KEY, /* none, where a key is optional */
    FLEET_P256,
    FLEET_ED25519, /* to sign */
    FLEET_X25519,  /* to agree on a secret */
};

/* Signatures that need no luck (RFC 6979), where the build has them: RFC 9053, 2.1. */
#ifdef PSA_WANT_ALG_DETERMINISTIC_ECDSA
#define FLEET_ECDSA PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)
#else
#define FLEET_ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#endif

/* The algorithm of a signing key. Elements draw their numbers themselves. */
static inline psa_algorithm_t fleet_key_algorithm(enum fleet_curve signing,
                                                  psa_key_location_t location)
{
    return signing == FLEET_ED25519                     ? PSA_ALG_PURE_EDDSA
           : location == PSA_KEY_LOCATION_LOCAL_STORAGE ? FLEET_ECDSA
                                                        : PSA_ALG_ECDSA(PSA_ALG_SHA_256);
}

/* Whether the device obeys commands: if it has room for a key to verify them with. */
#ifndef FLEET_OBEYS
#define FLEET_OBEYS (CORRAL_SINGLE_KEY_SLOTS > 0)
#endif

#define FLEET_COORDINATE_SIZE 32u
#define FLEET_BEFORE_X_SIZE 8u

/* The bytes before the first coordinate of a COSE_Key (RFC 9052, 7; RFC 9053, 7), which
 * can be written in one way: kind, curve, label and length. FLEET_BEFORE_X_SIZE bytes.
 * FLEET_NO_KEY has none. */
const uint8_t *fleet_key_before_x(enum fleet_curve curve);

/* The same of the second, which keys on P-256 have. */
extern const uint8_t fleet_key_before_y[3];

/* The longest COSE_Key that is written. */
#define FLEET_KEY_MAX_SIZE 75u

/*
 * Whether an encoded point of Ed25519 has small order: a signature by such a key can hold for any
 * message. The encodings of the eight points that do not fit below the prime count, too.
 */
bool fleet_key_has_small_order(const uint8_t point[FLEET_COORDINATE_SIZE]);

/*
 * Generate a persistent key, to sign or, if is_for_agreement, to agree on secrets.
 *   PSA_ERROR_ALREADY_EXISTS  there is a key of this identifier
 *   whatever else psa_generate_key() returns
 */
psa_status_t fleet_key_make(psa_key_id_t key, enum fleet_curve curve, bool is_for_agreement,
                            psa_key_location_t location);

/*
 * Destroy a key; none is no error.
 *   whatever else psa_destroy_key() returns
 */
psa_status_t fleet_key_destroy(psa_key_id_t key);

/*
 * Write the public part of a key as a COSE_Key of the required members, or null for FLEET_NO_KEY.
 *   whatever psa_export_public_key() returns; then nothing was written
 */
psa_status_t fleet_key_write(psa_key_id_t key, enum fleet_curve curve, struct corral_cbor *writer);

#endif
