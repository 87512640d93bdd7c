/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one generator of the library: a driver's deterministic random bit generator, seeded and
 * reseeded from the board's entropy source, or a source that needs no seed (an element's own).
 */
#include "random.h"

#include <corral/dispatch/random.h>
#include <corral/driver.h>
#include <corral/lock.h>
#include <psa/crypto.h>

#include "entropy.h"
#include "init.h"

#define NEEDS_SEED (CORRAL_RANDOM_INITIAL_ENTROPY_SIZE > 0)
#define CHUNK_SIZE                                                                                 \
    (CORRAL_RANDOM_INITIAL_ENTROPY_SIZE > CORRAL_RANDOM_RESEED_ENTROPY_SIZE                        \
         ? CORRAL_RANDOM_INITIAL_ENTROPY_SIZE                                                      \
         : CORRAL_RANDOM_RESEED_ENTROPY_SIZE)

static struct {
    corral_random_context_t context;
    struct corral_entropy_health health;
    uint16_t requests_left; /* before the next reseeding; 0: not seeded */
} generator;

static psa_status_t add_chunk(uint8_t *chunk, size_t size, size_t *bits)
{
    psa_status_t status = corral_port_entropy(chunk, size, bits);
    if (status != PSA_SUCCESS) {
        return status;
    }
    /* Less than a bit a byte is below what the health tests can judge: the port must condense. */
    if (*bits < size || *bits > 8 * size ||
        !corral_entropy_is_healthy(&generator.health, chunk, size, (unsigned)(*bits / size))) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    return corral_dispatch_add_entropy(&generator.context, chunk, size);
}

/* Feed entropy worth `size` full-entropy bytes into the generator; the lock is held. */
static psa_status_t seed(size_t size)
{
    uint8_t chunk[CHUNK_SIZE + 1]; /* one more, so that no seed at all is still C */
    psa_status_t status = PSA_SUCCESS;
    size_t gathered = 0;

    generator.requests_left = 0;
    while (status == PSA_SUCCESS && gathered < 8 * size) {
        size_t bits = 0;
        status = add_chunk(chunk, size, &bits);
        gathered += bits;
    }
    corral_wipe(chunk, sizeof chunk);
    if (status == PSA_SUCCESS) {
        generator.requests_left = CORRAL_RESEED_INTERVAL;
    }
    return status;
}

psa_status_t corral_random_seed(void)
{
    psa_status_t status = PSA_SUCCESS;

    corral_lock_enter(CORRAL_LOCK_CORE);
    if (NEEDS_SEED) {
        corral_wipe(&generator, sizeof generator);
        status = corral_dispatch_init_random(&generator.context);
        /* Drivers may do without: then the first entropy instantiates. */
        if (status == PSA_SUCCESS || status == PSA_ERROR_NOT_SUPPORTED) {
            status = seed(CORRAL_RANDOM_INITIAL_ENTROPY_SIZE);
        }
    }
    corral_lock_leave(CORRAL_LOCK_CORE);
    return status;
}

/* One request to the generator, reseeded first when it is due; the lock is held. */
static psa_status_t draw(uint8_t *output, size_t size, size_t *length)
{
    if (NEEDS_SEED) {
        if (generator.requests_left <= 1) {
            psa_status_t status = seed(CORRAL_RANDOM_RESEED_ENTROPY_SIZE);
            if (status != PSA_SUCCESS) {
                return status;
            }
        }
        generator.requests_left--;
    }
    return corral_dispatch_get_random(&generator.context, output, size, length);
}

/* A generator without a seed has no state of ours to guard, and may sit behind a bus. */
static psa_status_t draw_locked(uint8_t *output, size_t size, size_t *length)
{
    if (!NEEDS_SEED) {
        return draw(output, size, length);
    }
    corral_lock_enter(CORRAL_LOCK_CORE);
    psa_status_t status = draw(output, size, length);
    corral_lock_leave(CORRAL_LOCK_CORE);
    return status;
}

psa_status_t corral_random(uint8_t *output, size_t size)
{
    psa_status_t status = CORRAL_HAS_RANDOM ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED;
    size_t done = 0;

    while (status == PSA_SUCCESS && done < size) {
        size_t length = 0;
        status = draw_locked(output + done, size - done, &length);
        /* A generator that delivers nothing without an error would keep us here for ever. */
        if (status == PSA_SUCCESS && length == 0) {
            status = PSA_ERROR_INSUFFICIENT_ENTROPY;
        }
        done += length;
    }
    if (status != PSA_SUCCESS) {
        corral_wipe(output, size);
    }
    return status;
}

psa_status_t psa_generate_random(uint8_t *output, size_t output_size)
{
    return corral_is_initialised() ? corral_random(output, output_size) : PSA_ERROR_BAD_STATE;
}
