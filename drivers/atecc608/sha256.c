/* SPDX-License-Identifier: Apache-2.0 */
#include "sha256.h"

#include <string.h>

#include "session.h"

#define OPCODE_SHA 0x47
#define SHA_UPDATE 0x01
#define SHA_END 0xC2 /* result to the output buffer alone */
#define BLOCK_SIZE 64u

/* Send one block, or the rest that is shorter than one. */
static psa_status_t send(struct atecc608_session *session, uint8_t mode, const uint8_t *input,
                         size_t length, size_t output_length)
{
    if (length > 0) {
        memcpy(atecc608_input(session), input, length);
    }
    return atecc608_continued(atecc608_execute(session, ATECC608_COMMAND(OPCODE_SHA, mode, length),
                                               length, output_length));
}

psa_status_t atecc608_sha256(struct atecc608_session *session, uint8_t mode, uint8_t slot,
                             const uint8_t *input, size_t input_length)
{
    psa_status_t status = atecc608_execute(session, ATECC608_COMMAND(OPCODE_SHA, mode, slot), 0, 0);

    for (; status == PSA_SUCCESS && input_length >= BLOCK_SIZE; input_length -= BLOCK_SIZE) {
        status = send(session, SHA_UPDATE, input, BLOCK_SIZE, 0);
        input += BLOCK_SIZE;
    }
    if (status == PSA_SUCCESS) {
        status = send(session, SHA_END, input, input_length, ATECC608_SHA256_SIZE);
    }
    return status;
}
