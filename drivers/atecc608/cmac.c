/* SPDX-License-Identifier: Apache-2.0 */
/* CMAC over the chip's AES block (RFC 4493, NIST SP 800-38B). */
#include <string.h>

#include <corral/driver.h>

#include <corral/drivers/atecc608/entry_points.h>

#include "block.h"
#include "session.h"

#define BLOCK_SIZE ATECC608_AES_BLOCK_SIZE

/* AES-128-CMAC (RFC 4493): one command for each block, and one for the subkeys. */
psa_status_t atecc608_cmac_setup(atecc608_cmac_operation_t *operation,
                                 const psa_key_attributes_t *attributes, const uint8_t *key_buffer,
                                 size_t key_buffer_size, psa_algorithm_t alg)
{
    (void)key_buffer_size;
    (void)alg;
    atecc608_refer(&operation->key, attributes, key_buffer);
    return PSA_SUCCESS;
}

/* Encrypt chain xor block into chain. */
static psa_status_t absorb(atecc608_cmac_operation_t *operation, struct atecc608_session *session)
{
    atecc608_xor_block(operation->chain, operation->block);
    return atecc608_block(session, true, operation->chain, operation->chain);
}

psa_status_t atecc608_cmac_update(atecc608_cmac_operation_t *operation, const uint8_t *input,
                                  size_t input_length)
{
    struct atecc608_session session;

    psa_status_t status = atecc608_open_reference(&session, &operation->key);
    for (size_t i = 0; i < input_length && status == PSA_SUCCESS; i++) {
        if (operation->used == BLOCK_SIZE) {
            status = absorb(operation, &session);
            operation->used = 0;
        }
        operation->block[operation->used++] = input[i];
    }
    return atecc608_close(&session, status);
}

/* Multiply by x in GF(2^128). */
static void double_block(uint8_t block[BLOCK_SIZE])
{
    const uint8_t reduction = block[0] >> 7 != 0 ? 0x87 : 0;

    for (size_t i = 0; i < BLOCK_SIZE - 1; i++) {
        block[i] = (uint8_t)(block[i] << 1 | block[i + 1] >> 7);
    }
    block[BLOCK_SIZE - 1] = (uint8_t)(block[BLOCK_SIZE - 1] << 1 ^ reduction);
}

/* Turn the last block into what is absorbed last: filled up and mixed with its subkey. */
static psa_status_t complete(atecc608_cmac_operation_t *operation, struct atecc608_session *session)
{
    uint8_t subkey[BLOCK_SIZE] = {0};

    psa_status_t status = atecc608_block(session, true, subkey, subkey);
    double_block(subkey);
    if (operation->used < BLOCK_SIZE) {
        double_block(subkey);
        memset(operation->block + operation->used, 0, BLOCK_SIZE - operation->used);
        operation->block[operation->used] = 0x80;
    }
    atecc608_xor_block(operation->block, subkey);
    corral_wipe(subkey, sizeof subkey);
    return status;
}

psa_status_t atecc608_cmac_finish(atecc608_cmac_operation_t *operation, uint8_t *mac,
                                  size_t mac_size, size_t *mac_length)
{
    struct atecc608_session session;

    if (mac_size < BLOCK_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = atecc608_open_reference(&session, &operation->key);
    if (status == PSA_SUCCESS) {
        status = complete(operation, &session);
    }
    if (status == PSA_SUCCESS) {
        status = absorb(operation, &session);
    }
    if (status == PSA_SUCCESS) {
        memcpy(mac, operation->chain, BLOCK_SIZE);
        *mac_length = BLOCK_SIZE;
    }
    return atecc608_close(&session, status);
}

psa_status_t atecc608_cmac_abort(atecc608_cmac_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
