/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A slot and pages of the state with anything in them, or an image of the maker with changes, with
 * or without a security counter. Only that image starts, it lies in its slot and is in the memory,
 * if there is some, the counter is that of the image, and no rule of the flash is broken.
 */
#include <stdlib.h>

#include "../../../ports/common/update_counter.h"
#include "../../update/device.h"
#include "../common/fuzz.h"

#define PAGE 256u
#define CODE_SIZE 64u

static const struct corral_flash_geometry geometry = {PAGE, 2, 8, false};

/* The two pages of the state, and both slots behind them. */
static uint8_t *area(void)
{
    return flash_model_content() + flash_model_geometry()->page_count * PAGE;
}

/* Fill the flash. Returns the image of which it may have a copy. */
static const struct image *fill(struct fuzz_input *input)
{
    const unsigned any = fuzz_below(input, 8);
    const struct image *const image = any < 4 ? &image_first : &image_counted;
    const unsigned choice = any % 4u;
    uint8_t *const slot = area() + 2u * PAGE;

    if (choice == 0) {
        memcpy(slot, input->data, input->size);
        return image;
    }
    memcpy(slot, image->bytes, image->size);
    for (unsigned changes = choice - 1u; changes > 0; changes--) {
        fuzz_change(input, slot, image->size);
    }
    if (fuzz_below(input, 2) == 1) {
        memcpy(area(), input->data, input->size);
    }
    return image;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    struct corral_update_image image;
    psa_fwu_component_info_t info;

    flash_model_reset(&geometry);
    update_counter_set(0);
    FUZZ_CHECK(corral_port_update_flash()->page_count == 8u);
    const size_t room = fuzz_below(&input, 2) * (CODE_SIZE - 8u + fuzz_below(&input, 16));
    uint8_t *const memory = room > 0 ? malloc(room) : NULL; /* exactly, for the sanitizer */
    const struct image *const whole = fill(&input);
    if (corral_update_boot_into(memory, room, &image) == PSA_SUCCESS) {
        const uint8_t *const found = area() + image.offset;
        FUZZ_CHECK(memcmp(found, whole->bytes, image.header_size + image.size) == 0);
        FUZZ_CHECK(image.security_counter == (whole == &image_counted ? 0x80000000u : 0u));
        FUZZ_CHECK(image.size == CODE_SIZE && image.version.minor == VERSION_FIRST);
        FUZZ_CHECK(memory == NULL || memcmp(memory, found + image.header_size, image.size) == 0);
    }
    free(memory);
    FUZZ_CHECK(psa_fwu_query(0, &info) == PSA_SUCCESS && info.state <= PSA_FWU_UPDATED);
    FUZZ_CHECK(flash_model_violations() == 0 && corral_holds() == 0);
    return 0;
}
