/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The EEPROM as the flash of the storage (ATmega2560 data sheet, "EEPROM data memory"): it can do
 * more, because each byte is erased by itself. So bytes that are erased cost neither time nor wear.
 * No interrupt may come between the two writes by which a change begins; this port uses none.
 */
#include <corral/port.h>

#include <avr/io.h>

#define PAGE_SIZE 512u
#define PAGE_COUNT ((E2END + 1u) / PAGE_SIZE)
#define ERASED 0xffu

#define MODE_ERASE ((uint8_t)_BV(EEPM0))
#define MODE_WRITE ((uint8_t)_BV(EEPM1))

static const struct corral_flash_geometry geometry = {
    .page_size = PAGE_SIZE,
    .page_count = PAGE_COUNT,
    .write_size = 1,
    .can_clear = true,
};

const struct corral_flash_geometry *corral_port_flash(void)
{
    return &geometry;
}

static void wait_until_ready(void)
{
    while ((EECR & _BV(EEPE)) != 0) {
    }
}

static uint8_t read_byte(uint16_t address)
{
    wait_until_ready();
    EEAR = address;
    EECR = (uint8_t)_BV(EERE);
    return EEDR;
}

/* Erase the byte at EEAR, or write to it what is in EEDR. */
static void change(uint8_t mode)
{
    EECR = (uint8_t)(mode | _BV(EEMPE));
    EECR |= (uint8_t)_BV(EEPE); /* within four cycles */
    wait_until_ready();
}

psa_status_t corral_port_flash_read(uint32_t offset, uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        data[i] = read_byte((uint16_t)(offset + i));
    }
    return PSA_SUCCESS;
}

psa_status_t corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const uint16_t address = (uint16_t)(offset + i);
        if (read_byte(address) != data[i]) {
            EEDR = data[i];
            change(MODE_WRITE);
        }
        if (read_byte(address) != data[i]) {
            return PSA_ERROR_STORAGE_FAILURE;
        }
    }
    return PSA_SUCCESS;
}

psa_status_t corral_port_flash_erase(uint16_t page)
{
    const uint16_t start = (uint16_t)(page * PAGE_SIZE);

    for (uint16_t i = 0; i < PAGE_SIZE; i++) {
        const uint16_t address = (uint16_t)(start + i);
        if (read_byte(address) != ERASED) {
            EEDR = ERASED;
            change(MODE_ERASE);
        }
        if (read_byte(address) != ERASED) {
            return PSA_ERROR_STORAGE_FAILURE;
        }
    }
    return PSA_SUCCESS;
}
