/* SPDX-License-Identifier: Apache-2.0 */
/* The world of adversary.h in flash: the images are those of the model of the flash. */
#include <string.h>

#include "../../storage/store.h"
#include "adversary.h"
#include "device.h"

#define PART_SIZE 128u

static const struct corral_flash_geometry geometry = {1024, 4, 4, true};
static uint8_t images[ADVERSARY_IMAGES][4096];
static uint32_t longest;

static const struct {
    enum corral_space space;
    uint64_t uid;
} parts[] = {
    {CORRAL_SPACE_ROLLBACK, 1}, {CORRAL_SPACE_PS, ADVERSARY_ID}, {CORRAL_SPACE_KEYS, ADVERSARY_ID}};

void world_begin(void)
{
    device_new(&geometry);
    device_off();
    longest = 0;
}

void world_run(struct adversary_run *run)
{
    device_off();
    flash_model_cut(run->cut, run->tear);
    adversary_live(run);
    longest = flash_model_steps() > longest ? flash_model_steps() : longest;
    run->was_cut = flash_model_power_on();
    device_off();
}

void world_save(unsigned image)
{
    memcpy(images[image], flash_model_content(), sizeof images[image]);
}

static void load(unsigned image)
{
    memcpy(flash_model_content(), images[image], sizeof images[image]);
    device_off();
}

/* The attacker understands the log, and writes records of another image into this one. */
void world_load(unsigned image, unsigned other, unsigned wanted)
{
    uint8_t bytes[3][PART_SIZE];
    psa_status_t found[3];
    size_t lengths[3];
    uint8_t flags;

    load(other);
    for (size_t i = 0; i < 3 && wanted != 0; i++) {
        found[i] = corral_store_get(parts[i].space, parts[i].uid, 0, bytes[i], PART_SIZE,
                                    &lengths[i], &flags);
        CHECK(found[i] != PSA_SUCCESS || lengths[i] <= PART_SIZE);
    }
    load(image);
    for (size_t i = 0; i < 3; i++) {
        if ((wanted & 1u << i) != 0 && found[i] == PSA_SUCCESS) {
            (void)corral_store_set(parts[i].space, parts[i].uid, CORRAL_STORE_URGENT, bytes[i],
                                   lengths[i]);
        } else if ((wanted & 1u << i) != 0) {
            (void)corral_store_remove(parts[i].space, parts[i].uid);
        }
    }
    device_off();
}

uint32_t world_counter(void)
{
    uint32_t value = 0;

    NEED(counter_model_read(&value));
    return value;
}

void world_set_counter(uint32_t value)
{
    counter_model_set(value);
}

uint32_t world_steps(void)
{
    return longest;
}

unsigned world_runs(void)
{
    return 24000;
}
