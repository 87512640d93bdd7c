/* SPDX-License-Identifier: Apache-2.0 */
#include "block.h"

#include <string.h>

#include <corral/devices.h>

#include "slots.h"

#define OPCODE_AES 0x51
#define AES_ENCRYPT 0x00
#define AES_DECRYPT 0x01

_Static_assert(sizeof(((atecc608_key_reference_t *)0)->context) == sizeof(struct atecc608_key),
               "a reference holds a key context");

psa_status_t atecc608_block(struct atecc608_session *session, bool is_encrypt, const uint8_t *input,
                            uint8_t *output)
{
    memcpy(atecc608_input(session), input, ATECC608_AES_BLOCK_SIZE);
    psa_status_t status = atecc608_execute(
        session,
        ATECC608_COMMAND(OPCODE_AES, is_encrypt ? AES_ENCRYPT : AES_DECRYPT, session->slot),
        ATECC608_AES_BLOCK_SIZE, ATECC608_AES_BLOCK_SIZE);
    if (status == PSA_SUCCESS) {
        memcpy(output, atecc608_output(session), ATECC608_AES_BLOCK_SIZE);
    }
    return status;
}

void atecc608_xor_block(uint8_t *a, const uint8_t *b)
{
    for (size_t i = 0; i < ATECC608_AES_BLOCK_SIZE; i++) {
        a[i] ^= b[i];
    }
}

void atecc608_refer(atecc608_key_reference_t *reference, const psa_key_attributes_t *attributes,
                    const uint8_t *key_buffer)
{
    reference->device = (uint8_t)corral_atecc608_device_index(attributes);
    memcpy(reference->context, key_buffer, sizeof reference->context);
}

psa_status_t atecc608_open_reference(struct atecc608_session *session,
                                     const atecc608_key_reference_t *reference)
{
    return atecc608_open_key(session, reference->device, reference->context);
}
