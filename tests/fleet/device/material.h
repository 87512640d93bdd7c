/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by several suites: published keys, and a device's statement about its successor. */
#ifndef TESTS_FLEET_MATERIAL_H
#define TESTS_FLEET_MATERIAL_H

#include "../../../fleet/device/identity.h"

/* Let a persistent key pair of 32 bytes be there. */
void material_key(psa_key_id_t id, psa_ecc_family_t family, psa_algorithm_t alg,
                  const uint8_t secret[32]);

/* A device's former identity, and the COSE_Key that verifies its statements. */
struct material_predecessor {
    uint8_t id[FLEET_IDENTITY_SIZE];
    uint8_t key[FLEET_KEY_MAX_SIZE];
    size_t key_length;
};

void material_remember(const struct fleet_identity *identity,
                       struct material_predecessor *predecessor);

/* Whether this says, by the predecessor, that the identity succeeds it. Returns its number, 0 if it
 * does not. */
uint64_t material_handover(const struct material_predecessor *predecessor,
                           const struct fleet_identity *successor, const uint8_t *object,
                           size_t length);

#endif
