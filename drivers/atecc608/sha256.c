/* SPDX-License-Identifier: Apache-2.0 */
#include "sha256.h"

#include <string.h>

#include "session.h"

#define OPCODE_SHA 0x47
#define BLOCK_SIZE ATECC608_SHA256_BLOCK_SIZE

psa_status_t atecc608_sha256_step(struct atecc608_session *session, uint8_t mode,
                                  const uint8_t *input, size_t input_length, size_t output_length)
{
    if (input_length > 0) {
        memcpy(atecc608_input(session), input, input_length);
    }
    psa_status_t status = atecc608_execute(
        session, ATECC608_COMMAND(OPCODE_SHA, mode, input_length), input_length, output_length);
    return mode == ATECC608_SHA256_START || mode == ATECC608_SHA256_WRITE_CONTEXT
               ? status
               : atecc608_continued(status);
}

psa_status_t atecc608_sha256(struct atecc608_session *session, uint8_t mode, uint8_t slot,
                             const uint8_t *input, size_t input_length)
{
    psa_status_t status = atecc608_execute(session, ATECC608_COMMAND(OPCODE_SHA, mode, slot), 0, 0);

    for (; status == PSA_SUCCESS && input_length >= BLOCK_SIZE; input_length -= BLOCK_SIZE) {
        status = atecc608_sha256_step(session, ATECC608_SHA256_UPDATE, input, BLOCK_SIZE, 0);
        input += BLOCK_SIZE;
    }
    if (status == PSA_SUCCESS) {
        status = atecc608_sha256_step(session, ATECC608_SHA256_END, input, input_length,
                                      ATECC608_SHA256_SIZE);
    }
    return status;
}
