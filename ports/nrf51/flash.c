/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nRF51 Series Reference Manual, 6: the code's own flash, by its controller. The processor
 * stops meanwhile: 21 ms for a page and 46 us for a word at most. A word may be written
 * twice between two erasures; the storage does so when it clears.
 */
#include <string.h>

#include <corral/port.h>

#define NVMC ((uintptr_t)0x4001e000)
#define NVMC_READY (*(volatile uint32_t *)(NVMC + 0x400))
#define NVMC_CONFIG (*(volatile uint32_t *)(NVMC + 0x504))
#define NVMC_ERASEPAGE (*(volatile uint32_t *)(NVMC + 0x508))

#define CONFIG_READ 0u
#define CONFIG_WRITE 1u
#define CONFIG_ERASE 2u

#define PAGE_SIZE 1024u
#define WORD_SIZE 4u

/* Of the linker script: the pages that are kept free of code. */
extern uint32_t storage_start[], storage_end[];

static struct corral_flash_geometry geometry = {
    .page_size = PAGE_SIZE,
    .write_size = WORD_SIZE,
    .can_clear = true,
};

static void wait_until_ready(void)
{
    while (NVMC_READY == 0) {
    }
}

const struct corral_flash_geometry *corral_port_flash(void)
{
    const uintptr_t size = (uintptr_t)storage_end - (uintptr_t)storage_start;

    geometry.page_count = (uint16_t)(size / PAGE_SIZE);
    return &geometry;
}

psa_status_t corral_port_flash_read(uint32_t offset, uint8_t *data, size_t size)
{
    memcpy(data, (const uint8_t *)storage_start + offset, size);
    return PSA_SUCCESS;
}

psa_status_t corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size)
{
    volatile uint32_t *to = storage_start + offset / WORD_SIZE;
    psa_status_t status = PSA_SUCCESS;

    NVMC_CONFIG = CONFIG_WRITE;
    for (size_t at = 0; at < size; at += WORD_SIZE, to++) {
        uint32_t word;
        memcpy(&word, data + at, WORD_SIZE);
        *to = word;
        wait_until_ready();
        if (*to != word) {
            status = PSA_ERROR_STORAGE_FAILURE;
            break;
        }
    }
    NVMC_CONFIG = CONFIG_READ;
    return status;
}

psa_status_t corral_port_flash_erase(uint16_t page)
{
    NVMC_CONFIG = CONFIG_ERASE;
    NVMC_ERASEPAGE = (uint32_t)(uintptr_t)storage_start + page * PAGE_SIZE;
    wait_until_ready();
    NVMC_CONFIG = CONFIG_READ;
    return PSA_SUCCESS;
}
