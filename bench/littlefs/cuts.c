/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs tests/storage/cuts.c on this computer over any implementation of psa_its_*(), without
 * the rest of the library: the flash is the model, and the harness is the part that these tests
 * need. Then tells the wear of replacing sixteen entries of 48 bytes in turn, if they fit.
 */
#include <stdio.h>
#include <stdlib.h>

#include <corral/board.h>

#include <psa/internal_trusted_storage.h>

#include "../../tests/harness/harness.h"
#include "../../tests/storage/media.h"

#define REPLACEMENTS 2000u

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

/* Pages erased so far. */
static unsigned long wear(void)
{
    unsigned long erased = 0;

    for (uint16_t page = 0; page < flash_model_geometry()->page_count; page++) {
        erased += flash_model_wear(page);
    }
    return erased;
}

/* Replace entries often enough that the flash has been filled several times. */
static bool replace(unsigned times)
{
    uint8_t data[48];
    bool is_good = true;

    for (unsigned i = 0; i < times; i++) {
        test_fill(data, sizeof data, (uint8_t)i);
        is_good &= psa_its_set(1 + i % 16, sizeof data, data, 0) == PSA_SUCCESS;
    }
    return is_good;
}

static void show_wear(void)
{
    media_fresh(&media_geometries[0]);
    if (replace(1000)) {
        const unsigned long before = wear();
        if (replace(REPLACEMENTS)) {
            (void)printf("pages erased: %lu\n", wear() - before);
        }
    }
}

int main(void)
{
    for (size_t i = 0; i < suite_cuts.count; i++) {
        suite_cuts.tests[i].run();
    }
    show_wear();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
