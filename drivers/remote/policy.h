/* SPDX-License-Identifier: Apache-2.0 */
/* The policy by which the trusted side lets the driver use a key. */
#ifndef REMOTE_POLICY_H
#define REMOTE_POLICY_H

#include <psa/crypto_types.h>

/*
 * The attributes of the trusted side's key for one with `attributes` here: type, size,
 * and only the policy that the entry points need for the uses it permits here. Where it
 * computes a mechanism from another one (padding, truncation, a message from its hash),
 * that is the other one. Neither lifetime nor identifier.
 */
psa_key_attributes_t remote_attributes(const psa_key_attributes_t *attributes);

#endif
