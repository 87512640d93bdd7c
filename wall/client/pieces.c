/* SPDX-License-Identifier: Apache-2.0 */
#include "cross.h"

psa_status_t corral_wall_cross_in_pieces(struct corral_wall_call *call)
{
    const uint8_t *const data = (const uint8_t *)call->inputs[0].data;
    const size_t length = call->inputs[0].length;
    psa_status_t status;
    size_t done = 0;

    do {
        const size_t left = length - done;
        call->inputs[0].data = done == 0 ? data : data + done;
        call->inputs[0].length = left < CORRAL_WALL_BUFFER_SIZE ? left : CORRAL_WALL_BUFFER_SIZE;
        done += call->inputs[0].length;
        status = corral_wall_cross(call);
    } while (status == PSA_SUCCESS && done < length);
    return status;
}
