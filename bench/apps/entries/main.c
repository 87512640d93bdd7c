/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sixteen entries of 48 bytes in internal trusted storage: made, replaced until the flash has been
 * filled and beyond, read, read after a restart, and some of them removed.
 * bench/corral_bench/storage.py knows the order of the calls.
 */
#include <string.h>

#include <corral/board.h>
#include <psa/internal_trusted_storage.h>

#include "../../../storage/store.h"

#define ENTRIES 16u
#define SAMPLE 4u
#define SIZE 48u
#define COUNTED_ROUNDS 3u
#define ROUNDS (26u + COUNTED_ROUNDS)

static psa_storage_uid_t uid_of(unsigned entry)
{
    return 0x123456789abc0000u + entry;
}

static void fill(uint8_t data[SIZE], unsigned entry, unsigned round)
{
    for (unsigned i = 0; i < SIZE; i++) {
        data[i] = (uint8_t)(i + 7 * entry + 31 * round);
    }
}

static bool set_all(unsigned round)
{
    uint8_t data[SIZE];
    bool is_good = true;

    for (unsigned entry = 0; entry < ENTRIES; entry++) {
        fill(data, entry, round);
        is_good &= psa_its_set(uid_of(entry), SIZE, data, PSA_STORAGE_FLAG_NONE) == PSA_SUCCESS;
    }
    return is_good;
}

static bool get_all(unsigned round)
{
    uint8_t data[SIZE];
    uint8_t got[SIZE];
    bool is_good = true;
    size_t length;

    for (unsigned entry = 0; entry < ENTRIES; entry++) {
        fill(data, entry, round);
        is_good &= psa_its_get(uid_of(entry), 0, SIZE, got, &length) == PSA_SUCCESS &&
                   length == SIZE && memcmp(got, data, SIZE) == 0;
    }
    return is_good;
}

static bool get_some_info(void)
{
    struct psa_storage_info_t info;
    bool is_good = true;

    for (unsigned entry = 0; entry < ENTRIES; entry += ENTRIES / SAMPLE) {
        is_good &= psa_its_get_info(uid_of(entry), &info) == PSA_SUCCESS && info.size == SIZE;
    }
    return is_good;
}

static bool remove_some(void)
{
    bool is_good = true;

    for (unsigned entry = 0; entry < ENTRIES; entry += ENTRIES / SAMPLE) {
        is_good &= psa_its_remove(uid_of(entry)) == PSA_SUCCESS;
    }
    return is_good;
}

/* The first call after a start opens the storage. */
static bool open_expecting(psa_status_t status)
{
    size_t length;

    return psa_its_get(uid_of(0), 0, 0, NULL, &length) == status;
}

/* Found by its name; its own work is not counted. */
__attribute__((noinline)) bool bench_fill_flash(void)
{
    bool is_good = true;

    for (unsigned round = 1; round <= ROUNDS - COUNTED_ROUNDS; round++) {
        is_good &= set_all(round);
    }
    return is_good;
}

int main(void)
{
    bool is_good = open_expecting(PSA_ERROR_DOES_NOT_EXIST) && set_all(0) && bench_fill_flash();

    for (unsigned round = ROUNDS - COUNTED_ROUNDS + 1; round <= ROUNDS; round++) {
        is_good = is_good && set_all(round);
    }
    is_good = is_good && get_all(ROUNDS) && get_some_info();
    corral_store_unmount();
    is_good = is_good && open_expecting(PSA_SUCCESS) && remove_some();
    corral_board_print(is_good ? "bench: pass\n" : "bench: FAIL\n");
    return is_good ? 0 : 1;
}
