/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SHA-256 in parts. The chip's state is carried off after each update and taken back before the
 * next, so that any number of operations, and other commands, go on side by side.
 */
#include <string.h>

#include <corral/devices.h>
#include <corral/driver.h>

#include <corral/drivers/atecc608/entry_points.h>

#include "session.h"
#include "sha256.h"

#define BLOCK_SIZE ATECC608_SHA256_BLOCK_SIZE
/* So many bytes have less than 2^32 bits: whether the chip counts further is not documented. */
#define MAX_COUNT 0x1FFFFF00u

/*
 * SHA-256 in parts: one session for each update that completes a block.
 *   PSA_ERROR_NOT_SUPPORTED  more than 512 MB in one operation; a part of them may be hashed
 */
psa_status_t atecc608_hash_setup(atecc608_hash_operation_t *operation, psa_algorithm_t alg)
{
    (void)alg;
    (void)operation; /* all zero: nothing hashed */
    return PSA_SUCCESS;
}

/* Bytes hashed so far; the chip's state begins with their number, low byte first. */
static uint32_t count_of(const atecc608_hash_operation_t *operation)
{
    const uint8_t *state = operation->state;

    return (uint32_t)state[0] | (uint32_t)state[1] << 8 | (uint32_t)state[2] << 16 |
           (uint32_t)state[3] << 24;
}

/* Open a session, which is to be closed whatever comes of it, and put the chip into the state that
 * the operation remembers. */
static psa_status_t take_back(struct atecc608_session *session,
                              const atecc608_hash_operation_t *operation)
{
    psa_status_t status = atecc608_open(session, corral_atecc608_keyless_device());

    if (status != PSA_SUCCESS) {
        return status;
    }
    return operation->has_begun ? atecc608_sha256_step(session, ATECC608_SHA256_WRITE_CONTEXT,
                                                       operation->state, sizeof operation->state, 0)
                                : atecc608_sha256_step(session, ATECC608_SHA256_START, NULL, 0, 0);
}

/* Hash the block that the first bytes of the input complete, then whole blocks of it, and remember
 * what comes behind them. */
static psa_status_t absorb(struct atecc608_session *session, atecc608_hash_operation_t *operation,
                           const uint8_t *input, size_t input_length)
{
    const size_t missing = BLOCK_SIZE - operation->used;

    memcpy(operation->block + operation->used, input, missing);
    psa_status_t status =
        atecc608_sha256_step(session, ATECC608_SHA256_UPDATE, operation->block, BLOCK_SIZE, 0);
    input += missing;
    input_length -= missing;
    for (; status == PSA_SUCCESS && input_length >= BLOCK_SIZE; input_length -= BLOCK_SIZE) {
        status = atecc608_sha256_step(session, ATECC608_SHA256_UPDATE, input, BLOCK_SIZE, 0);
        input += BLOCK_SIZE;
    }
    if (status == PSA_SUCCESS) {
        memcpy(operation->block, input, input_length);
        operation->used = (uint8_t)input_length;
    }
    return status;
}

psa_status_t atecc608_hash_update(atecc608_hash_operation_t *operation, const uint8_t *input,
                                  size_t input_length)
{
    const uint32_t count = count_of(operation);
    struct atecc608_session session;

    if (input_length < (size_t)(BLOCK_SIZE - operation->used)) {
        if (input_length > 0) {
            memcpy(operation->block + operation->used, input, input_length);
        }
        operation->used = (uint8_t)(operation->used + input_length);
        return PSA_SUCCESS;
    }
    if (count > MAX_COUNT || input_length > MAX_COUNT - count) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    psa_status_t status = take_back(&session, operation);
    if (status == PSA_SUCCESS) {
        status = absorb(&session, operation, input, input_length);
    }
    if (status == PSA_SUCCESS) {
        status = atecc608_sha256_step(&session, ATECC608_SHA256_READ_CONTEXT, NULL, 0,
                                      sizeof operation->state);
    }
    if (status == PSA_SUCCESS) {
        memcpy(operation->state, atecc608_output(&session), sizeof operation->state);
        operation->has_begun = true;
    }
    return atecc608_close(&session, status);
}

psa_status_t atecc608_hash_finish(atecc608_hash_operation_t *operation, uint8_t *hash,
                                  size_t hash_size, size_t *hash_length)
{
    struct atecc608_session session;

    if (hash_size < ATECC608_SHA256_SIZE) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = take_back(&session, operation);
    if (status == PSA_SUCCESS) {
        status = atecc608_sha256_step(&session, ATECC608_SHA256_END, operation->block,
                                      operation->used, ATECC608_SHA256_SIZE);
    }
    return atecc608_deliver(&session, status, hash, ATECC608_SHA256_SIZE, hash_length);
}

psa_status_t atecc608_hash_abort(atecc608_hash_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
