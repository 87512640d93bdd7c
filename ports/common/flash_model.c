/* SPDX-License-Identifier: Apache-2.0 */
#include "flash_model.h"

#include <string.h>

#define ERASED 0xff

static struct {
    struct corral_flash_geometry geometry;
    uint16_t further_pages;
    uint32_t steps;
    uint32_t reads;
    uint32_t cut_at;         /* 0: never */
    uint32_t failing_read;   /* 0: none */
    uint32_t disturbed_read; /* 0: none */
    const uint8_t *disturbance;
    uint16_t worn_page; /* 0: none */
    uint32_t violations;
    uint32_t noise;
    uint32_t wear[FLASH_MODEL_MAX_PAGES];
    enum flash_model_tear tear;
    bool is_off;
} model = {.geometry = {4096, 8, 4, true}};

static uint8_t content[FLASH_MODEL_MAX_SIZE];
static bool is_filled;

static void fill(void)
{
    if (!is_filled) {
        memset(content, ERASED, sizeof content);
        is_filled = true;
    }
}

void flash_model_reset(const struct corral_flash_geometry *geometry)
{
    memset(&model, 0, sizeof model);
    model.geometry = *geometry;
    is_filled = false;
}

const struct corral_flash_geometry *flash_model_geometry(void)
{
    return &model.geometry;
}

uint16_t flash_model_extend(uint16_t pages)
{
    const uint32_t all = (uint32_t)model.geometry.page_count + pages;

    model.further_pages = all <= FLASH_MODEL_MAX_SIZE / model.geometry.page_size ? pages : 0;
    return model.geometry.page_count;
}

/* Pages of all users. */
static uint32_t page_count(void)
{
    return (uint32_t)model.geometry.page_count + model.further_pages;
}

uint8_t *flash_model_content(void)
{
    fill();
    return content;
}

/* Bits for torn steps; the same in every run. */
static uint8_t noise(void)
{
    model.noise = model.noise * 1664525u + 1013904223u;
    return (uint8_t)(model.noise >> 24);
}

/* Change `size` bytes towards `data` (NULL: erased), or partly if power fails meanwhile. */
static psa_status_t step(uint8_t *at, const uint8_t *data, size_t size)
{
    const bool is_cut = ++model.steps == model.cut_at;

    for (size_t i = 0; i < size; i++) {
        const uint8_t wanted = data != NULL ? data[i] : ERASED;
        uint8_t reached = 0xff;
        if (is_cut) {
            reached = model.tear == FLASH_MODEL_BITS                    ? noise()
                      : model.tear == FLASH_MODEL_HALF && i < size / 2u ? 0xff
                                                                        : 0;
        }
        at[i] = (uint8_t)((at[i] & ~reached) | (wanted & reached));
    }
    model.is_off = is_cut;
    return is_cut ? PSA_ERROR_STORAGE_FAILURE : PSA_SUCCESS;
}

static bool is_all(const uint8_t *data, size_t size, uint8_t value)
{
    /* The first one, and each as the one before it. */
    return size == 0 || (data[0] == value && memcmp(data, data + 1, size - 1) == 0);
}

static psa_status_t violation(void)
{
    model.violations++;
    return PSA_ERROR_STORAGE_FAILURE;
}

static bool is_inside(uint32_t offset, size_t size)
{
    const uint32_t end = model.geometry.page_size * page_count();

    return offset <= end && size <= end - offset;
}

psa_status_t flash_model_read(uint32_t offset, uint8_t *data, size_t size)
{
    fill();
    model.reads++;
    if (model.is_off || model.reads == model.failing_read) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    if (!is_inside(offset, size)) {
        return violation();
    }
    memcpy(data, content + offset, size);
    for (size_t i = 0; i < size && model.reads == model.disturbed_read; i++) {
        data[i] ^= model.disturbance[i];
    }
    return PSA_SUCCESS;
}

psa_status_t flash_model_write(uint32_t offset, const uint8_t *data, size_t size)
{
    const size_t unit = model.geometry.write_size;
    const bool is_clearing = model.geometry.can_clear && is_all(data, size, 0);

    fill();
    if (model.is_off) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    if (!is_inside(offset, size) || offset % unit != 0 || size % unit != 0 ||
        (!is_clearing && !is_all(content + offset, size, ERASED))) {
        return violation();
    }
    psa_status_t status = PSA_SUCCESS;
    for (size_t i = 0; i < size && status == PSA_SUCCESS; i += unit) {
        status = step(content + offset + i, data + i, unit);
    }
    return status;
}

psa_status_t flash_model_erase(uint16_t page)
{
    fill();
    if (model.is_off) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    if (page >= page_count()) {
        return violation();
    }
    if (page != 0 && page == model.worn_page) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    if (page < FLASH_MODEL_MAX_PAGES) {
        model.wear[page]++;
    }
    return step(content + page * model.geometry.page_size, NULL, (size_t)model.geometry.page_size);
}

void flash_model_cut(uint32_t step_number, enum flash_model_tear tear)
{
    model.steps = 0;
    model.cut_at = step_number;
    model.tear = tear;
}

void flash_model_fail_read(uint32_t read)
{
    model.failing_read = model.reads + read;
}

void flash_model_disturb_read(uint32_t read, const uint8_t *bits)
{
    model.disturbed_read = model.reads + read;
    model.disturbance = bits;
}

void flash_model_wear_out(uint16_t page)
{
    model.worn_page = page;
}

bool flash_model_is_on(void)
{
    return !model.is_off;
}

enum flash_model_tear flash_model_step(void)
{
    const bool is_cut = ++model.steps == model.cut_at;

    model.is_off = is_cut;
    return is_cut ? model.tear : FLASH_MODEL_TEARS;
}

psa_status_t flash_model_set(uint32_t *number, uint32_t value)
{
    if (model.is_off) {
        return PSA_ERROR_STORAGE_FAILURE;
    }
    const enum flash_model_tear tear = flash_model_step();
    if (tear != FLASH_MODEL_NOTHING) {
        *number = value;
    }
    return tear == FLASH_MODEL_TEARS ? PSA_SUCCESS : PSA_ERROR_STORAGE_FAILURE;
}

bool flash_model_power_on(void)
{
    const bool was_off = model.is_off;

    model.is_off = false;
    model.cut_at = 0;
    return was_off;
}

uint32_t flash_model_steps(void)
{
    return model.steps;
}

uint32_t flash_model_reads(void)
{
    return model.reads;
}

uint32_t flash_model_violations(void)
{
    return model.violations;
}

uint32_t flash_model_wear(uint16_t page)
{
    return page < FLASH_MODEL_MAX_PAGES ? model.wear[page] : 0;
}
