/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <corral/devices.h>

#include <corral/drivers/atecc608/entry_points.h>

#include "random.h"
#include "session.h"

/*
 * Random bytes of the chip.
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  also from a chip whose zones are not locked: it answers with a
 *                                   fixed pattern
 */
psa_status_t atecc608_get_random(atecc608_random_context_t *context, uint8_t *output,
                                 size_t output_size, size_t *output_length)
{
    struct atecc608_session session;
    size_t done = 0;

    (void)context;
    psa_status_t status = atecc608_open(&session, corral_atecc608_keyless_device());
    while (status == PSA_SUCCESS && done < output_size) {
        const size_t rest = output_size - done;
        const size_t part = rest < ATECC608_RANDOM_SIZE ? rest : ATECC608_RANDOM_SIZE;

        status = atecc608_draw(&session);
        memcpy(output + done, atecc608_output(&session), part);
        done += part;
    }
    if (status == PSA_SUCCESS) {
        *output_length = done;
    }
    return atecc608_close(&session, status);
}
