/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches over an attacker of the storage (adversary.h), against a model of the acceptable states.
 * Acceptable are the state after the last successful start, or after the last change that returned
 * PSA_SUCCESS, and the results of changes since then. And the device starts again whenever the
 * attacker has only cut its power.
 */
#include "adversary.h"

#include <stdio.h>

#include <corral/board.h>
#include <corral/config.h>
#include <psa/crypto.h>
#include <psa/protected_storage.h>

#include "../harness/harness.h"

#define LEFT (ADVERSARY_IMAGES - 1u) /* the image that the device itself left */
#define FOUND (ADVERSARY_IMAGES - 2u)
#define COLLECTED (ADVERSARY_IMAGES - 2u)
#define NO_STATE 0xffffu

/* A state: the entry's value, and above it the key's. */
static struct {
    uint16_t known;   /* shown or acknowledged */
    uint16_t pending; /* the result of a change that a power cut stopped, or NO_STATE */
} model;

static uint32_t random_state;
static unsigned refused;
static unsigned accepted;
static unsigned replayed;

static uint32_t draw(uint32_t limit)
{
    random_state = random_state * 1103515245u + 12345u;
    return (random_state >> 16) % limit;
}

static psa_status_t import(uint8_t value)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t key;

    psa_set_key_id(&attributes, ADVERSARY_ID);
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_PERSISTENT);
    return psa_import_key(&attributes, &value, 1, &key);
}

static psa_status_t change(const struct adversary_run *run)
{
    switch (run->change) {
    case ADVERSARY_SET:
        return psa_ps_set(ADVERSARY_ID, 1, &run->value, PSA_STORAGE_FLAG_NONE);
    case ADVERSARY_REMOVE:
        return psa_ps_remove(ADVERSARY_ID);
    case ADVERSARY_IMPORT:
        return import(run->value);
    case ADVERSARY_DESTROY:
        return psa_destroy_key(ADVERSARY_ID);
    default:
        return PSA_ERROR_DOES_NOT_EXIST;
    }
}

void adversary_live(struct adversary_run *run)
{
    size_t length;

    run->entry = 0;
    run->key = 0;
    run->changed = PSA_ERROR_BAD_STATE;
    run->started = psa_crypto_init();
    if (run->started != PSA_SUCCESS) {
        return;
    }
    psa_status_t status = psa_ps_get(ADVERSARY_ID, 0, 1, &run->entry, &length);
    CHECK(status == PSA_SUCCESS || status == PSA_ERROR_DOES_NOT_EXIST);
    status = psa_export_key(ADVERSARY_ID, &run->key, 1, &length);
    CHECK(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_HANDLE);
    run->changed = change(run);
}

static uint16_t state_of(unsigned entry, unsigned key)
{
    return (uint16_t)(key << 8 | entry);
}

/* The state that the change of a run makes of another. */
static uint16_t changed(uint16_t state, const struct adversary_run *run)
{
    const uint8_t entry = (uint8_t)(state & 0xffu);
    const uint8_t key = (uint8_t)(state >> 8);

    switch (run->change) {
    case ADVERSARY_SET:
        return state_of(run->value, key);
    case ADVERSARY_REMOVE:
        return state_of(0, key);
    case ADVERSARY_IMPORT:
        return state_of(entry, key != 0 ? key : run->value);
    case ADVERSARY_DESTROY:
        return state_of(entry, 0);
    default:
        return state;
    }
}

/* Compare a run with the model, and let the model follow. */
static void judge(const struct adversary_run *run)
{
    const uint16_t state = state_of(run->entry, run->key);

    if (run->started != PSA_SUCCESS) {
        CHECK(run->was_cut || run->started == PSA_ERROR_DATA_CORRUPT);
        refused += run->started == PSA_ERROR_DATA_CORRUPT;
        return;
    }
    accepted++;
    CHECK(state == model.known || state == model.pending);
    model.known = state;
    model.pending = NO_STATE;
    if (run->changed == PSA_SUCCESS) {
        model.known = changed(state, run);
    } else if (run->was_cut) {
        model.pending = changed(state, run);
    }
}

/* Run the device on what it left itself, or on what the attacker has put there. */
static void try_run(struct adversary_run *run, bool is_left)
{
    const uint32_t before = world_counter();

    world_run(run);
    judge(run);
    if (is_left) {
        CHECK(run->was_cut || run->started == PSA_SUCCESS);
    }
    if (is_left || world_counter() != before) {
        world_save(LEFT); /* the state was accepted, if it moved the counter */
        replayed += !is_left;
    }
}

static void begin(void)
{
    struct adversary_run run = {.change = ADVERSARY_SET, .value = 1};

    if (!CORRAL_ROLLBACK_DETECTION) {
        test_skip("a rollback is not detected");
    }
    world_begin();
    model.known = 0;
    model.pending = NO_STATE;
    try_run(&run, true);
    run = (struct adversary_run){.change = ADVERSARY_IMPORT, .value = 1};
    try_run(&run, true);
    for (unsigned i = 0; i < COLLECTED; i++) {
        world_save(i);
    }
}

static struct adversary_run draw_run(void)
{
    const enum adversary_change change = (enum adversary_change)draw(ADVERSARY_CHANGES);
    const struct adversary_run run = {
        .cut = draw(3) == 0 ? 0 : 1 + draw(world_steps()),
        .tear = (enum flash_model_tear)draw(FLASH_MODEL_TEARS),
        .change = change,
        .value = (uint8_t)(1 + draw(3)),
    };

    return run;
}

/*
 * Read the storage in the middle of a run that goes on. Runs are the same each time: so this is one
 * that is cut there, and taken back.
 */
static void peek(const struct adversary_run *run, uint32_t step, unsigned image)
{
    const uint32_t counter = world_counter();
    struct adversary_run part = *run;

    world_save(FOUND);
    part.cut = step;
    part.tear = FLASH_MODEL_NOTHING;
    world_run(&part);
    world_save(image);
    world_set_counter(counter);
    world_load(FOUND, 0, 0);
}

/* Collect images, put them back whole or in parts, cut power anywhere: as chance has it. */
static void images__put_back_by_chance__undo_nothing(void)
{
    char text[100];

    for (uint32_t seed = 1; seed <= 8; seed++) {
        test_context("seed", seed);
        random_state = seed;
        begin();
        for (unsigned i = 0; i < world_runs() / 8u; i++) {
            const bool is_left = draw(3) == 0;
            const unsigned parts = draw(4) == 0 ? 1 + draw(ADVERSARY_ALL) : 0;
            struct adversary_run run = draw_run();

            world_load(is_left ? LEFT : draw(COLLECTED), draw(COLLECTED), is_left ? 0 : parts);
            if (draw(2) == 0) {
                peek(&run, 1 + draw(run.cut != 0 ? run.cut : world_steps()), draw(COLLECTED));
            }
            try_run(&run, is_left);
            world_save(draw(COLLECTED));
        }
        world_load(LEFT, 0, 0);
        struct adversary_run last = {.change = ADVERSARY_LOOK};
        try_run(&last, true);
    }
    test_context(NULL, 0);
    (void)snprintf(text, sizeof text, "starts: %u refused, %u accepted, %u of them put back\n",
                   refused, accepted, replayed);
    corral_board_print(text);
    CHECK(refused > world_runs() / 10u && replayed > world_runs() / 50u);
}

/* From here: runs that all begin with one image, one counter and one model. */
static uint32_t base_counter;

static void go_back(uint16_t known)
{
    world_set_counter(base_counter);
    world_load(LEFT, 0, 0);
    model.known = known;
    model.pending = NO_STATE;
}

/* Put three images there, one after the other, from the first one or from the second. */
static void try_images(unsigned first)
{
    for (unsigned i = 0; i < 3; i++) {
        struct adversary_run run = {.change = ADVERSARY_LOOK};

        world_load((first + i) % 3, 0, 0);
        world_run(&run);
        judge(&run);
    }
}

/*
 * A change that power cuts off at each step, then another start, cut at each step, on the image
 * before or after; then the images of all three moments, one after the other.
 */
static void images__of_every_two_cuts__show_one_state(void)
{
    static const enum adversary_change changes[] = {ADVERSARY_SET, ADVERSARY_DESTROY};
    const uint32_t stride = world_runs() < 4000u ? 5 : 1;

    begin();
    base_counter = world_counter();
    const uint16_t known = model.known;
    for (size_t c = 0; c < sizeof changes / sizeof changes[0]; c++) {
        for (uint32_t first = 1; first <= world_steps(); first += stride) {
            for (uint32_t second = 1; second <= world_steps(); second += stride) {
                struct adversary_run run = {.cut = first, .change = changes[c], .value = 2};

                go_back(known);
                world_save(0);
                world_run(&run);
                judge(&run);
                world_save(1);
                world_load(second % 2, 0, 0);
                run = (struct adversary_run){.cut = second, .change = ADVERSARY_LOOK};
                world_run(&run);
                judge(&run);
                world_save(2);
                try_images(0);
            }
        }
    }
}

/* Two images of one run, the second where power failed, in each order that alternates. */
static void images__of_one_run__show_one_state(void)
{
    static const enum adversary_change changes[] = {ADVERSARY_SET, ADVERSARY_DESTROY};
    const uint32_t stride = world_runs() < 4000u ? 7 : 2; /* files take longer */

    begin();
    base_counter = world_counter();
    const uint16_t known = model.known;
    for (size_t c = 0; c < sizeof changes / sizeof changes[0]; c++) {
        for (uint32_t last = 1; last <= world_steps(); last++) {
            for (uint32_t step = 1 + last % stride; step <= last; step += stride) {
                struct adversary_run run = {.cut = last, .change = changes[c], .value = 2};

                for (unsigned order = 0; order < 2; order++) {
                    go_back(known);
                    peek(&run, step, 0);
                    world_run(&run);
                    judge(&run);
                    world_save(1);
                    world_save(2);
                    try_images(order);
                }
            }
        }
    }
}

static const struct test_case tests[] = {
    TEST(images__of_one_run__show_one_state),
    TEST(images__put_back_by_chance__undo_nothing),
    TEST(images__of_every_two_cuts__show_one_state),
};
TEST_SUITE(adversary, tests);
