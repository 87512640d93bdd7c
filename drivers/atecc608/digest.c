/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "p256.h"

#define OPCODE_NONCE 0x16
#define NONCE_PASS_THROUGH 0x03

psa_status_t atecc608_load_digest(struct atecc608_session *session, const uint8_t *hash,
                                  size_t hash_length)
{
    uint8_t *digest = atecc608_input(session);
    const size_t used = hash_length < ATECC608_SCALAR_SIZE ? hash_length : ATECC608_SCALAR_SIZE;

    memset(digest, 0, ATECC608_SCALAR_SIZE - used);
    memcpy(digest + ATECC608_SCALAR_SIZE - used, hash, used);
    /* TempKey, not the message digest buffer: Sign and Verify refuse a TempKey that was lost */
    return atecc608_execute(session, ATECC608_COMMAND(OPCODE_NONCE, NONCE_PASS_THROUGH, 0),
                            ATECC608_SCALAR_SIZE, 0);
}
