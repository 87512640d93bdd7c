/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/remote.h>

#include <corral/drivers/remote/entry_points.h>

/* Of the trusted side's generator, as much at once as its buffer holds. */
psa_status_t remote_get_random(remote_random_context_t *context, uint8_t *output,
                               size_t output_size, size_t *output_length)
{
    const size_t length =
        output_size < CORRAL_REMOTE_BUFFER_SIZE ? output_size : CORRAL_REMOTE_BUFFER_SIZE;

    (void)context;
    const psa_status_t status = corral_remote_generate_random(output, length);
    if (status == PSA_SUCCESS) {
        *output_length = length;
    }
    return status;
}
