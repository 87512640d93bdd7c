/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs tests/storage/cuts.c on this computer over whatever stands behind psa_its_*(), without the
 * rest of the library: the flash is the model, and the harness is what these tests need of it.
 */
#include <stdio.h>
#include <stdlib.h>

#include <corral/board.h>

#include "../../tests/harness/harness.h"
#include "../../tests/storage/media.h"

extern const struct test_suite suite_cuts;

static unsigned long failures;

bool test_check(bool ok, const char *file, int line, const char *expression)
{
    if (!ok) {
        (void)fprintf(stderr, "%s:%d: %s\n", file, line, expression);
        failures++;
    }
    return ok;
}

void test_require(bool ok, const char *file, int line, const char *expression)
{
    if (!test_check(ok, file, line, expression)) {
        exit(EXIT_FAILURE);
    }
}

void test_context(const char *title, size_t row)
{
    (void)title;
    (void)row;
}

void test_fill(uint8_t *data, size_t size, uint8_t seed)
{
    for (size_t i = 0; i < size; i++) {
        data[i] = (uint8_t)(seed + 29 * i);
    }
}

void corral_board_print(const char *text)
{
    (void)fputs(text, stdout);
}

const struct corral_flash_geometry *corral_port_flash(void)
{
    return flash_model_geometry();
}

psa_status_t corral_port_flash_read(uint32_t offset, uint8_t *data, size_t size)
{
    return flash_model_read(offset, data, size);
}

psa_status_t corral_port_flash_write(uint32_t offset, const uint8_t *data, size_t size)
{
    return flash_model_write(offset, data, size);
}

psa_status_t corral_port_flash_erase(uint16_t page)
{
    return flash_model_erase(page);
}

int main(void)
{
    for (size_t i = 0; i < suite_cuts.count; i++) {
        suite_cuts.tests[i].run();
    }
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
