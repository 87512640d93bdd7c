/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one generator of the library: a driver's deterministic random bit generator, seeded and
 * reseeded from the board's entropy sources, or a source that needs no seed (an element's own).
 */
#include "generator.h"

#include <corral/dispatch/random.h>
#include <corral/driver.h>
#include <corral/entropy.h>
#include <corral/lock.h>
#include <psa/crypto.h>

#include "../common/initialised.h"
#include "entropy.h"

#define SOURCES ((size_t)CORRAL_ENTROPY_SOURCE_COUNT)
#define ALL_SOURCES ((1u << SOURCES) - 1u)
#define NEEDS_SEED (CORRAL_RANDOM_INITIAL_ENTROPY_SIZE > 0)
#define CHUNK_SIZE                                                                                 \
    (CORRAL_RANDOM_INITIAL_ENTROPY_SIZE > CORRAL_RANDOM_RESEED_ENTROPY_SIZE                        \
         ? CORRAL_RANDOM_INITIAL_ENTROPY_SIZE                                                      \
         : CORRAL_RANDOM_RESEED_ENTROPY_SIZE)

static struct {
    corral_random_context_t context;
    struct corral_entropy_health health[SOURCES];
    uint16_t requests_left; /* before the next reseeding; 0: none was tried, the driver begins */
    bool is_ready;          /* instantiated, and every seed since then was good */
} generator;

/* The process that the generator was instantiated in (HAS_PROCESSES). */
static uint32_t generation;

/*
 * A bit for each source that has failed since the generator began, where there are several; a
 * single one has failed when is_ready says so.
 */
static uint8_t failed;

static bool is_out(size_t source)
{
    return SOURCES > 1 && (failed >> source & 1u) != 0;
}

static void take_out(size_t source)
{
    if (SOURCES > 1) {
        failed = (uint8_t)(failed | 1u << source);
    }
}

/* Each source gives all that a seed needs, so one that is left is enough; if none is, `latest`. */
static psa_status_t unless_one_is_left(psa_status_t latest)
{
    return SOURCES > 1 && failed != ALL_SOURCES ? PSA_SUCCESS : latest;
}

static bool are_plausible(size_t source, const uint8_t *samples, size_t size, size_t bits)
{
    /* Less than a bit a byte is below what the health tests can judge: the port must condense. */
    return bits >= size && bits <= 8 * size &&
           corral_entropy_is_healthy(&generator.health[source], samples, size,
                                     (unsigned)(bits / size));
}

/* Read raw samples, and test them against the claimed entropy; the lock is held. */
static psa_status_t read_samples(size_t source, uint8_t *samples, size_t size, size_t *bits)
{
    psa_status_t status = corral_dispatch_read_entropy(source, samples, size, bits);

    if (status == PSA_SUCCESS && !are_plausible(source, samples, size, *bits)) {
        status = PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    if (status != PSA_SUCCESS) {
        take_out(source);
    }
    return status;
}

/* Look at the first samples of a source, which nothing is made of; the lock is held. */
static psa_status_t start_source(size_t source)
{
    uint8_t samples[CHUNK_SIZE + 1];
    psa_status_t status = PSA_SUCCESS;
    size_t bits;

    for (size_t seen = 0; status == PSA_SUCCESS && seen < CORRAL_ENTROPY_START_UP_SAMPLES;
         seen += sizeof samples) {
        status = read_samples(source, samples, sizeof samples, &bits);
    }
    corral_wipe(samples, sizeof samples);
    return status;
}

static psa_status_t start_sources(void)
{
    psa_status_t status = PSA_SUCCESS;

    if (SOURCES > 1) {
        failed = 0;
    }
    for (size_t source = 0; source < SOURCES; source++) {
        status = start_source(source);
    }
    return unless_one_is_left(status);
}

/* Feed entropy of one source worth `size` full-entropy bytes into the generator; it is locked. */
static psa_status_t seed_from(size_t source, size_t size)
{
    uint8_t chunk[CHUNK_SIZE + 1]; /* one more, so that no seed at all is still C */
    psa_status_t status = PSA_SUCCESS;
    size_t gathered = 0;

    while (status == PSA_SUCCESS && gathered < 8 * size) {
        size_t bits = 0;
        status = read_samples(source, chunk, size, &bits);
        if (status == PSA_SUCCESS) {
            status = corral_dispatch_add_entropy(&generator.context, chunk, size);
        }
        gathered += bits;
    }
    corral_wipe(chunk, sizeof chunk);
    return status;
}

/* The same of each source that is not out. A failure that is none of a source ends it. */
static psa_status_t seed(size_t size)
{
    psa_status_t status = PSA_ERROR_INSUFFICIENT_ENTROPY;
    bool is_broken = false;

    for (size_t source = 0; source < SOURCES && !is_broken; source++) {
        if (!is_out(source)) {
            status = seed_from(source, size);
            is_broken = status != PSA_SUCCESS && !is_out(source);
        }
    }
    if (!is_broken) {
        status = unless_one_is_left(status);
    }
    generator.requests_left = CORRAL_RESEED_INTERVAL;
    generator.is_ready = status == PSA_SUCCESS;
    return status;
}

/* Drivers may do without: then the first entropy instantiates. */
static psa_status_t begin(void)
{
    const psa_status_t status = corral_dispatch_init_random(&generator.context);

    return status == PSA_ERROR_NOT_SUPPORTED ? PSA_SUCCESS : status;
}

/*
 * Begin with sources that were tested anew and as much fresh entropy as a first seed takes; the
 * lock is held. The old state, if any, goes into the new one: an attacker that knows
 * the fresh entropy, as after a failure that it caused, does not know the generator.
 */
static psa_status_t instantiate(void)
{
    /* Read before the entropy is drawn: a copy made from here on begins anew. */
    if (HAS_PROCESSES) {
        generation = corral_port_generation();
    }
    generator.is_ready = false;
    corral_wipe(generator.health, sizeof generator.health);
    psa_status_t status = generator.requests_left == 0 ? begin() : PSA_SUCCESS;
    if (status == PSA_SUCCESS) {
        status = start_sources();
    }
    return status == PSA_SUCCESS ? seed(CORRAL_RANDOM_INITIAL_ENTROPY_SIZE) : status;
}

psa_status_t corral_random_seed(void)
{
    psa_status_t status = PSA_SUCCESS;

    if (NEEDS_SEED) {
        corral_lock_enter(CORRAL_LOCK_CORE);
        status = instantiate();
        corral_lock_leave(CORRAL_LOCK_CORE);
    }
    return status;
}

/* Whether no copy has the generator's state, and its entropy is good; the lock is held. */
static bool is_usable(void)
{
    return generator.is_ready && (!HAS_PROCESSES || generation == corral_port_generation());
}

/* One request to the generator, seeded first when that is due; the lock is held. */
static psa_status_t draw(uint8_t *output, size_t size, size_t *length)
{
    psa_status_t status = PSA_SUCCESS;

    if (NEEDS_SEED) {
        if (!is_usable()) {
            status = instantiate();
        } else if (generator.requests_left <= 1) {
            status = seed(CORRAL_RANDOM_RESEED_ENTROPY_SIZE);
        } else {
            generator.requests_left--;
        }
    }
    return status == PSA_SUCCESS
               ? corral_dispatch_get_random(&generator.context, output, size, length)
               : status;
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

/* Fill the buffer by as many requests as that takes. */
static psa_status_t fill(uint8_t *output, size_t size)
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
    return status;
}

/* A number that was another one before this memory was copied (HAS_PROCESSES). */
static uint32_t ask_generation(void)
{
    uint32_t number = 0;

    if (HAS_PROCESSES) {
        corral_lock_enter(CORRAL_LOCK_CORE);
        number = corral_port_generation();
        corral_lock_leave(CORRAL_LOCK_CORE);
    }
    return number;
}

/* Draws of one request at most: a port that cannot tell gives another number at each question. */
#define DRAWS 4u

psa_status_t corral_random(uint8_t *output, size_t size)
{
    psa_status_t status;
    uint32_t before;
    unsigned draws = 0;

    do {
        before = ask_generation();
        status = fill(output, size);
        draws++;
        /* Copied meanwhile, as by a signal's handler, two would go on with the same bytes. */
    } while (status == PSA_SUCCESS && ask_generation() != before && draws < DRAWS);
    if (status != PSA_SUCCESS) {
        corral_wipe(output, size);
    }
    return status;
}

psa_status_t psa_generate_random(uint8_t *output, size_t output_size)
{
    return corral_is_initialised() ? corral_random(output, output_size) : PSA_ERROR_BAD_STATE;
}

uint8_t corral_entropy_failed(void)
{
    corral_lock_enter(CORRAL_LOCK_CORE);
    const uint8_t sources = failed;
    corral_lock_leave(CORRAL_LOCK_CORE);
    return sources;
}
