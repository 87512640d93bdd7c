/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ATECC608_SYMMETRIC_H
#define ATECC608_SYMMETRIC_H

#include "transport.h"

#define ATECC608_KEY_SIZE 32u /* the size of one write to a slot for symmetric keys */

/* Write at most 32 bytes of key, followed by zeros, into session->slot. */
psa_status_t atecc608_write_key(struct atecc608_session *session, const uint8_t *key,
                                size_t key_length);

#endif
