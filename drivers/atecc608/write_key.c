/* SPDX-License-Identifier: Apache-2.0 */
#include "symmetric.h"

#include <string.h>

#define OPCODE_WRITE 0x12
#define ZONE_DATA_BLOCK 0x82 /* data zone, 32 bytes */

psa_status_t atecc608_write_key(struct atecc608_session *session, const uint8_t *key,
                                size_t key_length)
{
    uint8_t *data = atecc608_input(session);

    /* An HMAC key with zeros behind it is the same key (RFC 2104), so any length to 32 works.
     */
    memset(data, 0, ATECC608_KEY_SIZE);
    if (key_length > 0) {
        memcpy(data, key, key_length);
    }
    return atecc608_execute(session,
                            ATECC608_COMMAND(OPCODE_WRITE, ZONE_DATA_BLOCK, session->slot << 3),
                            ATECC608_KEY_SIZE, 0);
}
