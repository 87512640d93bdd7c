/* SPDX-License-Identifier: Apache-2.0 */
/*
 * WPA3-SAE where random numbers and hashes lead once in the life of the universe: numbers that are
 * drawn again, and those for which the map to a curve makes an exception.
 */
#include "../../../drivers/bearssl/sae.h"
#include "forced.h"
#include "sae_test.h"

#define MAX_SCALAR 512u
/* Draws after which the driver gives up. */
#define PATIENCE BEARSSL_SAE_DRAWS

/* The future output of the generator, one number behind the other. */
static uint8_t draws[8192];
static size_t draw_count;

static void will_draw(const uint8_t *number, size_t size)
{
    REQUIRE((draw_count + 1) * size <= sizeof draws);
    memcpy(draws + draw_count * size, number, size);
    draw_count++;
}

/* Numbers that are no rand and no mask; the bits beyond the order's do not count. */
static void will_draw_useless(const struct sae_group *group)
{
    const size_t size = group->order.length;
    uint8_t number[MAX_SCALAR] = {0};

    will_draw(number, size);
    number[0] = group->spare;
    will_draw(number, size);
    number[size - 1] = 1;
    will_draw(number, size);
    memcpy(number, group->order.data, size);
    will_draw(number, size);
    number[0] |= group->spare;
    will_draw(number, size);
    memset(number, 0xff, size);
    will_draw(number, size);
}

/* The mask by which rand becomes a small scalar: order - rand + scalar. */
static void will_draw_complement(const struct sae_group *group, const struct sae_bytes *rand,
                                 unsigned scalar)
{
    uint8_t mask[MAX_SCALAR];
    unsigned carry = scalar;
    unsigned borrow = 0;

    for (size_t i = group->order.length; i-- > 0;) {
        const unsigned sum = group->order.data[i] + carry;
        const unsigned rest = (sum & 0xffu) - rand->data[i] - borrow;

        mask[i] = (uint8_t)rest;
        carry = sum >> 8;
        borrow = rest >> 8 & 1u;
    }
    will_draw(mask, group->order.length);
}

static psa_pake_operation_t begin(const struct sae_exchange *row)
{
    const struct sae_kind kind = {row->alg, row->key.primitive};

    draw_count = 0;
    return sae_named(sae_key_of(&row->key, row->alg), &kind, row->sides[0].mac.data,
                     row->sides[1].mac.data);
}

/* Commit with these draws, all of which are used. */
static psa_status_t commit(psa_pake_operation_t *operation, const struct sae_exchange *row,
                           uint8_t *output)
{
    const struct sae_row_side *const side = &row->sides[0];
    size_t length = 0;

    test_force_randoms(draws, side->rand.length, draw_count);
    const psa_status_t status =
        psa_pake_output(operation, COMMIT, output, side->commit.length, &length);
    CHECK(test_forced_left() == 0);
    test_force_randoms(NULL, 0, 0);
    CHECK(length == (status == PSA_SUCCESS ? side->commit.length : 0));
    EXPECT(PSA_SUCCESS, psa_pake_abort(operation));
    return status;
}

static void check_commit(psa_pake_operation_t *operation, const struct sae_exchange *row)
{
    const struct sae_bytes *const wanted = &row->sides[0].commit;
    uint8_t *const output = test_buffer(wanted->length);

    EXPECT(PSA_SUCCESS, commit(operation, row, output));
    CHECK_BYTES(output, wanted->length, wanted->data, wanted->length);
}

/* For each group, with a token and an exchange of which the random numbers are known. */
static void for_each_group(void (*check)(const struct sae_exchange *row,
                                         const struct sae_group *group))
{
    for (size_t i = 0; i < sae_group_count; i++) {
        size_t j = 0;

        while (j < sae_exchange_count &&
               (sae_exchanges[j].key.primitive != sae_groups[i].primitive ||
                sae_exchanges[j].key.token.length == 0)) {
            j++;
        }
        REQUIRE(j < sae_exchange_count);
        test_context("group", i);
        check(&sae_exchanges[j], &sae_groups[i]);
        test_destroy_keys();
        test_free_buffers();
    }
}

static void check_useless(const struct sae_exchange *row, const struct sae_group *group)
{
    const struct sae_row_side *const side = &row->sides[0];
    psa_pake_operation_t operation = begin(row);
    uint8_t rand[MAX_SCALAR];

    will_draw_useless(group);
    memcpy(rand, side->rand.data, side->rand.length);
    rand[0] |= group->spare;
    will_draw(rand, side->rand.length);
    will_draw_useless(group);
    will_draw(side->mask.data, side->mask.length);
    check_commit(&operation, row);
}

static void commit__numbers_out_of_range__are_drawn_again_in_each_group(void)
{
    for_each_group(check_useless);
}

/* A scalar of 0 or 1 would tell what the mask is (IEEE 802.11, 12.4.5.3); 2 is as good as any. */
static void check_small(const struct sae_exchange *row, const struct sae_group *group)
{
    const struct sae_row_side *const side = &row->sides[0];
    uint8_t *const output = test_buffer(side->commit.length);
    psa_pake_operation_t operation = begin(row);

    for (unsigned scalar = 0; scalar < 2; scalar++) {
        will_draw(side->rand.data, side->rand.length);
        will_draw_complement(group, &side->rand, scalar);
    }
    will_draw(side->rand.data, side->rand.length);
    will_draw(side->mask.data, side->mask.length);
    check_commit(&operation, row);

    operation = begin(row);
    will_draw(side->rand.data, side->rand.length);
    will_draw_complement(group, &side->rand, 2);
    EXPECT(PSA_SUCCESS, commit(&operation, row, output));
    CHECK(output[group->order.length - 1] == 2 && test_all(output, group->order.length - 1, 0));
}

static void commit__scalar_of_0_or_1__is_drawn_again_in_each_group(void)
{
    for_each_group(check_small);
}

/* An exchange on P-256, whose numbers are short. */
static const struct sae_exchange *short_exchange(const struct sae_group **group)
{
    *group = &sae_groups[0];
    REQUIRE((*group)->primitive == CURVE(256u) && sae_exchanges[0].key.primitive == CURVE(256u));
    return &sae_exchanges[0];
}

static void commit__generator_that_gives_useless_numbers_alone__is_given_up(void)
{
    const struct sae_group *group;
    const struct sae_exchange *const row = short_exchange(&group);
    uint8_t *const output = test_buffer(row->sides[0].commit.length);

    psa_pake_operation_t operation = begin(row);
    for (unsigned i = 0; i < PATIENCE; i++) {
        will_draw(group->order.data, group->order.length);
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, commit(&operation, row, output));
    CHECK(test_all(output, row->sides[0].commit.length, 0));

    operation = begin(row);
    for (unsigned i = 0; i < PATIENCE; i++) {
        will_draw(row->sides[0].rand.data, row->sides[0].rand.length);
        will_draw_complement(group, &row->sides[0].rand, i % 2);
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, commit(&operation, row, output));
    CHECK(test_all(output, row->sides[0].commit.length, 0));
}

static void map__numbers_without_an_inverse__give_the_known_points(void)
{
    for (size_t i = 0; i < sae_map_count; i++) {
        const struct sae_map *const row = &sae_maps[i];
        const struct bearssl_driver_sae_group *const group =
            bearssl_driver_sae_group(TOKEN_TYPE, row->bits);
        uint8_t *const element = test_buffer(row->element.length);

        test_context("map", i);
        REQUIRE(group != NULL && row->element.length == group->element_size);
        bearssl_driver_sae_map(group, row->value.data, row->value.length, element);
        CHECK_BYTES(element, row->element.length, row->element.data, row->element.length);
        CHECK(bearssl_driver_sae_is_element(group, element));
    }
}

static const struct test_case tests[] = {
    TEST(commit__numbers_out_of_range__are_drawn_again_in_each_group),
    TEST(commit__scalar_of_0_or_1__is_drawn_again_in_each_group),
    TEST(commit__generator_that_gives_useless_numbers_alone__is_given_up),
    TEST(map__numbers_without_an_inverse__give_the_known_points),
};
TEST_SUITE(sae_edges, tests);
