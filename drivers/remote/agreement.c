/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/remote.h>

#include <corral/drivers/remote/entry_points.h>

#include "keys.h"

/* The secret comes out from behind the wall: this core derives keys from it. */
psa_status_t remote_key_agreement(psa_algorithm_t alg, const psa_key_attributes_t *attributes,
                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                  const uint8_t *peer_key, size_t peer_key_length, uint8_t *output,
                                  size_t output_size, size_t *output_length)
{
    (void)attributes;
    (void)key_buffer_size;
    return corral_remote_raw_key_agreement(alg, remote_id(key_buffer), peer_key, peer_key_length,
                                           output, output_size, output_length);
}
