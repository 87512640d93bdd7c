/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"

#include "session.h"

#define OPCODE_RANDOM 0x1B

psa_status_t atecc608_draw(struct atecc608_session *session)
{
    if (!atecc608_state(session)->is_locked) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    return atecc608_execute(session, ATECC608_COMMAND(OPCODE_RANDOM, 0, 0), 0,
                            ATECC608_RANDOM_SIZE);
}
