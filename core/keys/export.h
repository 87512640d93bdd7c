/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CORRAL_CORE_KEYS_EXPORT_H
#define CORRAL_CORE_KEYS_EXPORT_H

#include "key.h"

/*
 * Write the public key of a held asymmetric key, in the format of psa_export_public_key().
 *   PSA_ERROR_BUFFER_TOO_SMALL  `data` is smaller than the public key; it is not written
 *   other                       from the driver that computes or fetches it; `data` is wiped
 */
psa_status_t corral_export_public(struct corral_key *key, uint8_t *data, size_t data_size,
                                  size_t *data_length);

/*
 * Write the private, secret or public key itself; the policy has been checked.
 *   PSA_ERROR_BUFFER_TOO_SMALL  as above
 *   PSA_ERROR_NOT_SUPPORTED     the key is in an element that does not give it away
 */
psa_status_t corral_export_whole(struct corral_key *key, uint8_t *data, size_t data_size,
                                 size_t *data_length);

#endif
