/* SPDX-License-Identifier: Apache-2.0 */
#include "subject.h"

#include <stdio.h>

#include "../../harness/harness.h"
#include "curves.h"
#include "residue.h"

typedef void row_test(const struct subject_row *row);

static void run_once(row_test *test, const struct subject_row *row)
{
    test(row);
}

/* How many rows of the kind were run. */
static size_t over(const struct subject_kind *kind, row_test *test,
                   void (*run)(row_test *test, const struct subject_row *row), bool at_edges)
{
    size_t done = 0;

    for (size_t i = 0; i < subject_row_count; i++) {
        const struct subject_row *const row = &subject_rows[i];
        if (row->kind == kind && !(at_edges && row->only_computes)) {
            test_context(row->mechanism, i);
            run(test, row);
            test_destroy_keys();
            test_free_buffers();
            done++;
        }
    }
    test_context(NULL, 0);
    return done;
}

#define NOT_SERVED "the driver does not serve this"
#define NO_EDGES NOT_SERVED ", or with keys alone whose edges are looked at elsewhere"

static void skip_if_none(size_t done, const char *reason)
{
    if (done == 0) {
        test_skip(reason);
    }
}

void subject_for_each(const struct subject_kind *kind, row_test *test)
{
    skip_if_none(over(kind, test, run_once, false), NOT_SERVED);
}

void subject_for_each_of(const struct subject_kind *one, const struct subject_kind *other,
                         row_test *test)
{
    const size_t done = over(one, test, run_once, false);

    skip_if_none(done + over(other, test, run_once, false), NOT_SERVED);
}

void subject_for_edges(const struct subject_kind *kind, row_test *test)
{
    skip_if_none(over(kind, test, run_once, true), NO_EDGES);
}

void subject_for_edges_of(const struct subject_kind *one, const struct subject_kind *other,
                          row_test *test)
{
    const size_t done = over(one, test, run_once, true);

    skip_if_none(done + over(other, test, run_once, true), NO_EDGES);
}

void residue_for_each(const struct subject_kind *kind, row_test *test)
{
    skip_if_none(over(kind, test, residue_run, false), NOT_SERVED);
}

psa_key_attributes_t subject_attributes(const struct subject_row *row, psa_key_usage_t usage)
{
    psa_key_attributes_t attributes = test_attributes(row->type, row->bits, row->alg, usage);

    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, subject_location));
    return attributes;
}

/* The public key of a pair that is not kept. */
static size_t fresh_public(const struct subject_row *row, uint8_t *output, size_t size)
{
    psa_key_attributes_t attributes = subject_attributes(row, 0);
    psa_key_id_t pair = PSA_KEY_ID_NULL;
    size_t length = 0;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_KEY_PAIR_OF_PUBLIC_KEY(row->type));
    NEED(psa_generate_key(&attributes, &pair));
    NEED(psa_export_public_key(pair, output, size, &length));
    NEED(psa_destroy_key(pair));
    return length;
}

psa_key_id_t subject_key(const struct subject_row *row, psa_key_usage_t usage, const uint8_t *data,
                         size_t size)
{
    const psa_key_attributes_t attributes = subject_attributes(row, usage);
    uint8_t point[2 * CURVE_MAX_SIZE + 1];
    psa_key_id_t key = PSA_KEY_ID_NULL;

    if (PSA_KEY_TYPE_IS_ECC_PUBLIC_KEY(row->type) && data == NULL) {
        NEED(psa_import_key(&attributes, point, fresh_public(row, point, sizeof point), &key));
    } else if (PSA_KEY_TYPE_IS_KEY_PAIR(row->type)) {
        NEED(psa_generate_key(&attributes, &key));
    } else {
        NEED(psa_import_key(&attributes, data, size, &key));
    }
    return test_keep(key);
}

bool subject_started(psa_status_t status)
{
    if (status == PSA_ERROR_NOT_SUPPORTED && subject_location != 0) {
        return false;
    }
    NEED(status);
    return true;
}

size_t subject_private_size(const struct subject_row *row)
{
    if (PSA_KEY_TYPE_ECC_GET_FAMILY(row->type) == PSA_ECC_FAMILY_TWISTED_EDWARDS) {
        return row->bits / 8 + 1; /* a bit for the sign of x (RFC 8032) */
    }
    return (row->bits + 7) / 8;
}

size_t subject_public_size(const struct subject_row *row)
{
    const psa_ecc_family_t family = PSA_KEY_TYPE_ECC_GET_FAMILY(row->type);
    const size_t size = subject_private_size(row);

    return family == PSA_ECC_FAMILY_MONTGOMERY || family == PSA_ECC_FAMILY_TWISTED_EDWARDS
               ? size
               : 2 * size + 1;
}

size_t subject_signature_size(const struct subject_row *row)
{
    return 2 * subject_private_size(row);
}

void probe__every_function_of_the_driver__was_called(void)
{
    CHECK(subject_function_count > 0);
    for (size_t i = 0; i < subject_function_count; i++) {
        test_context(subject_functions[i], i);
        CHECK(subject_hits[i] > 0);
        printf("called %s %lu\n", subject_functions[i], (unsigned long)subject_hits[i]);
    }
}
