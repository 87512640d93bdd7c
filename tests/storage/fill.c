/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Costs of calls in flash that is empty, half full, and full. They are counted in reads of the
 * flash, which need no clock. With an index, and in a build without one.
 */
#include <stdio.h>
#include <string.h>

#include <corral/board.h>
#include <corral/config.h>
#include <psa/internal_trusted_storage.h>

#include "../harness/harness.h"
#include "media.h"

#define SIZE 60u
#define WARM_UP 700u /* more than once round the pages */
#define PAIRS 300u
#define EXTRA 100000u    /* beside the entries that stay */
#define PAGE_RECORDS 49u /* of that size */

static const struct corral_flash_geometry geometry = {4096, 8, 4, true};
static uint8_t data[SIZE];

struct cost {
    uint32_t mean; /* of making and removing an entry */
    uint32_t most; /* of one of both */
    uint32_t get;  /* the most */
    uint32_t next;
    uint32_t refusal;
};

/* Reads of a call that ends as it should. */
static uint32_t reads_of(psa_status_t wanted, psa_status_t (*call)(psa_storage_uid_t),
                         psa_storage_uid_t uid)
{
    const uint32_t before = flash_model_reads();

    EXPECT(wanted, call(uid));
    return flash_model_reads() - before;
}

static psa_status_t set(psa_storage_uid_t uid)
{
    return psa_its_set(uid, sizeof data, data, PSA_STORAGE_FLAG_NONE);
}

static psa_status_t get(psa_storage_uid_t uid)
{
    size_t length;

    return psa_its_get(uid, 0, sizeof data, data, &length);
}

static psa_status_t next(psa_storage_uid_t uid)
{
    return corral_store_next(CORRAL_SPACE_ITS, &uid);
}

/* Numbers whose order is not that of their making. */
static psa_storage_uid_t uid_of(uint32_t entry)
{
    return 1 + entry * 7919u % 65537u;
}

/* Entries until the flash is full, or so many. */
static uint32_t fill(uint32_t most)
{
    uint32_t count = 0;

    media_fresh(&geometry);
    while (count < most && set(uid_of(count)) == PSA_SUCCESS) {
        count++;
    }
    return count;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void measure_pairs(uint32_t pairs, struct cost *cost)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < pairs; i++) {
        const uint32_t made = reads_of(PSA_SUCCESS, set, EXTRA + i);
        const uint32_t removed = reads_of(PSA_SUCCESS, psa_its_remove, EXTRA + i);

        sum += made + removed;
        cost->most = greater(cost->most, greater(made, removed));
    }
    cost->mean = sum / pairs;
}

/* Costs where so many entries live; in full flash, of one more once one of them is gone. */
static struct cost measure(uint32_t count, bool is_full)
{
    struct cost cost = {0};

    CHECK(fill(count) == count);
    if (is_full) {
        cost.refusal = reads_of(PSA_ERROR_INSUFFICIENT_STORAGE, set, EXTRA);
        EXPECT(PSA_SUCCESS, psa_its_remove(uid_of(--count)));
    }
    measure_pairs(WARM_UP, &cost);
    measure_pairs(PAIRS, &cost);
    for (uint32_t i = 0; i < count; i += 7) {
        cost.get = greater(cost.get, reads_of(PSA_SUCCESS, get, uid_of(i)));
        cost.next = greater(cost.next, reads_of(PSA_SUCCESS, next, uid_of(i) - 1));
    }
    cost.get = greater(cost.get, reads_of(PSA_ERROR_DOES_NOT_EXIST, get, EXTRA));
    return cost;
}

/* Reads that find a name in an index: of a header and its mark, at each step of a binary search. */
static uint32_t reads_of_search(uint32_t count)
{
    uint32_t reads = 0;

    for (; count > 0; count /= 2) {
        reads += 2;
    }
    return reads;
}

/* Nothing takes more than so many reads for each entry, and an index makes a search of it. */
static void check_bounds(uint32_t count, const struct cost *cost)
{
    const bool is_indexed = count + 1 <= CORRAL_STORAGE_INDEX_ENTRIES;

    CHECK(cost->most <= 70 * (count + PAGE_RECORDS));
    CHECK(cost->refusal <= 2 * cost->get); /* it is asked whether there is something to replace */
    CHECK(!is_indexed || cost->get <= reads_of_search(count) + 3); /* that of the data is twofold */
    CHECK(!is_indexed || cost->next <= reads_of_search(count) + 2);
    CHECK(cost->get <= 1200 && cost->next <= 1200); /* one walk */
}

static void show(uint32_t count, const struct cost *cost)
{
    char text[120];

    (void)snprintf(text, sizeof text,
                   "entries: %lu; reads: pair %lu, most %lu, get %lu, next %lu, refusal %lu\n",
                   (unsigned long)count, (unsigned long)cost->mean, (unsigned long)cost->most,
                   (unsigned long)cost->get, (unsigned long)cost->next,
                   (unsigned long)cost->refusal);
    corral_board_print(text);
}

static void calls__at_every_level__cost_little_more_than_at_half(void)
{
    static const uint8_t percents[] = {50, 0, 90, 99, 100};
    const uint32_t most = fill(UINT32_MAX);
    struct cost half = {0};

    for (size_t i = 0; i < sizeof percents; i++) {
        test_context("per cent", percents[i]);
        const uint32_t count = (most * percents[i] + 99) / 100;
        const struct cost cost = measure(count, count == most);
        show(count, &cost);
        half = i == 0 ? cost : half;
        CHECK(cost.mean <= 4 * half.mean);
        check_bounds(count, &cost);
    }
    test_context(NULL, 0);
}

/* Each sixteenth that it passes may take one more walk. */
static void next__over_removed_names__takes_few_walks(void)
{
    const uint32_t count = 200;
    const uint32_t removed = 150;
    psa_storage_uid_t uid = 0;

    media_fresh(&geometry);
    for (psa_storage_uid_t i = 1; i <= count; i++) {
        /* In an order that puts lower numbers in front of higher ones and behind them. */
        REQUIRE(set(1 + i * 77 % count) == PSA_SUCCESS);
    }
    for (psa_storage_uid_t i = 1; i <= removed; i++) {
        REQUIRE(psa_its_remove(i) == PSA_SUCCESS);
    }
    CHECK(reads_of(PSA_SUCCESS, next, 0) <= (removed / 16 + 2) * 1200);
    for (psa_storage_uid_t i = removed + 1; i <= count; i++) {
        EXPECT(PSA_SUCCESS, corral_store_next(CORRAL_SPACE_ITS, &uid));
        CHECK(uid == i);
    }
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, corral_store_next(CORRAL_SPACE_ITS, &uid));
    CHECK(uid == count);
}

static const struct test_case tests[] = {
    TEST(next__over_removed_names__takes_few_walks),
    TEST(calls__at_every_level__cost_little_more_than_at_half),
};
TEST_SUITE(fill, tests);
