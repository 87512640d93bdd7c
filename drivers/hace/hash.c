/* SPDX-License-Identifier: Apache-2.0 */
/* One message, hashed by the engine where it lies in memory. */
#include <corral/drivers/hace/entry_points.h>

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <corral/driver.h>

#define HACE ((uintptr_t)0x1e6d0000)
#ifndef HACE_STATUS /* a test puts an engine that does not answer in its place */
#define HACE_STATUS (*(volatile uint32_t *)(HACE + 0x1c))
#endif
#define HACE_HASH_SOURCE (*(volatile uint32_t *)(HACE + 0x20))
#define HACE_HASH_DIGEST (*(volatile uint32_t *)(HACE + 0x24))
#define HACE_HASH_LENGTH (*(volatile uint32_t *)(HACE + 0x2c))
#define HACE_HASH_COMMAND (*(volatile uint32_t *)(HACE + 0x30))

#define STATUS_HASH_DONE UINT32_C(0x200) /* cleared by writing it */
#define ADDRESS_ALIGNMENT 8u
#define LENGTH_MAX UINT32_C(0x0fffffff)
#define DIGEST_MAX_SIZE 64u
/* A turn reads over the bus, while the engine takes several bytes; the rest is for its start. */
#define TURNS_TO_START UINT32_C(100000)

struct hace_hash {
    uint16_t command; /* the algorithm, and the byte order of its words */
    uint8_t length;
};

#define LITTLE_ENDIAN_WORDS 0x04
#define BIG_ENDIAN_WORDS 0x08

const struct hace_hash hace_driver_md5 = {0x00 | LITTLE_ENDIAN_WORDS, 16};
const struct hace_hash hace_driver_sha1 = {0x20 | BIG_ENDIAN_WORDS, 20};
const struct hace_hash hace_driver_sha224 = {0x40 | BIG_ENDIAN_WORDS, 28};
const struct hace_hash hace_driver_sha256 = {0x50 | BIG_ENDIAN_WORDS, 32};
const struct hace_hash hace_driver_sha384 = {0x460 | BIG_ENDIAN_WORDS, 48};
const struct hace_hash hace_driver_sha512 = {0x60 | BIG_ENDIAN_WORDS, 64};

static bool is_within_reach(const uint8_t *input, size_t input_length)
{
    return input_length != 0 && input_length <= LENGTH_MAX &&
           (uintptr_t)input % ADDRESS_ALIGNMENT == 0;
}

/* Not on the stack: after a failure the engine may still write there. */
static alignas(ADDRESS_ALIGNMENT) uint8_t digest[DIGEST_MAX_SIZE];

/* A job was given up: its end could not be told from that of the next. */
static bool is_lost;

static bool run(uint32_t command, const uint8_t *input, size_t input_length)
{
    if (is_lost) {
        return false;
    }
    HACE_STATUS = STATUS_HASH_DONE;
    HACE_HASH_SOURCE = (uint32_t)(uintptr_t)input;
    HACE_HASH_DIGEST = (uint32_t)(uintptr_t)digest;
    HACE_HASH_LENGTH = (uint32_t)input_length;
    /* The message is in memory before the engine reads, and the digest is read after it wrote. */
    atomic_thread_fence(memory_order_seq_cst);
    HACE_HASH_COMMAND = command;
    for (size_t turn = 0; (HACE_STATUS & STATUS_HASH_DONE) == 0; turn++) {
        if (turn == input_length + TURNS_TO_START) {
            is_lost = true;
            return false;
        }
    }
    HACE_STATUS = STATUS_HASH_DONE;
    atomic_thread_fence(memory_order_seq_cst);
    return true;
}

psa_status_t hace_driver_hash_compute(const struct hace_hash *mechanism, psa_algorithm_t alg,
                                      const uint8_t *input, size_t input_length, uint8_t *hash,
                                      size_t hash_size, size_t *hash_length)
{
    psa_status_t status = PSA_ERROR_HARDWARE_FAILURE;

    (void)alg;
    if (hash_size < mechanism->length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (!is_within_reach(input, input_length)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (run(mechanism->command, input, input_length)) {
        corral_copy(hash, digest, mechanism->length);
        *hash_length = mechanism->length;
        status = PSA_SUCCESS;
    }
    corral_wipe(digest, sizeof digest);
    return status;
}
