/* SPDX-License-Identifier: Apache-2.0 */
/* Texts for a pair of keys. They are encrypted in memory, as signatures are verified. */
#include <corral/remote.h>

#include <corral/drivers/remote/entry_points.h>

#include "keys.h"

psa_status_t remote_asymmetric_decrypt(const psa_key_attributes_t *attributes,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg, const uint8_t *input,
                                       size_t input_length, const uint8_t *salt, size_t salt_length,
                                       uint8_t *output, size_t output_size, size_t *output_length)
{
    (void)attributes;
    (void)key_buffer_size;
    return corral_remote_asymmetric_decrypt(remote_id(key_buffer), alg, input, input_length, salt,
                                            salt_length, output, output_size, output_length);
}
