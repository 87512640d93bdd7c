/* SPDX-License-Identifier: Apache-2.0 */
/* The chip's random generator, within a session. */
#ifndef ATECC608_RANDOM_H
#define ATECC608_RANDOM_H

#include "transport.h"

#define ATECC608_RANDOM_SIZE 32u

/*
 * Draw 32 random bytes; they are in atecc608_output().
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  the chip's zones are not locked: it would answer with a pattern
 */
psa_status_t atecc608_draw(struct atecc608_session *session);

/* Let the generator take in fresh entropy before a signature, as Microchip's library does. */
static inline psa_status_t atecc608_update_seed(struct atecc608_session *session)
{
    return atecc608_draw(session);
}

#endif
