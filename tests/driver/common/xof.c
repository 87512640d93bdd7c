/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../../harness/harness.h"
#include "subject.h"

SUBJECT_KIND(xof, "xof_multipart");

#define SIZE 420u /* more than two blocks of either rate */

static void begin(const struct subject_row *row, psa_xof_operation_t *operation)
{
    static const uint8_t context[] = {5, 4, 3, 2, 1};

    NEED(psa_xof_setup(operation, row->alg));
    if (PSA_ALG_XOF_HAS_CONTEXT(row->alg)) {
        NEED(psa_xof_set_context(operation, context, sizeof context));
    }
}

static void whole(const struct subject_row *row, const uint8_t message[SIZE], uint8_t output[SIZE])
{
    psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;

    begin(row, &operation);
    NEED(psa_xof_update(&operation, message, SIZE));
    NEED(psa_xof_output(&operation, output, SIZE));
    NEED(psa_xof_abort(&operation));
}

static void check_chunks(const struct subject_row *row)
{
    uint8_t message[SIZE];
    uint8_t expected[SIZE];
    uint8_t output[SIZE];

    test_fill(message, SIZE, 5);
    whole(row, message, expected);
    for (size_t chunk = 1; chunk <= SIZE; chunk += chunk < 10 ? 1 : 23) {
        psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;
        begin(row, &operation);
        for (size_t at = 0; at < SIZE; at += chunk) {
            const size_t part = SIZE - at < chunk ? SIZE - at : chunk;
            EXPECT(PSA_SUCCESS, psa_xof_update(&operation, test_copy(message + at, part), part));
            EXPECT(PSA_SUCCESS, psa_xof_update(&operation, NULL, 0));
        }
        test_free_buffers();
        for (size_t at = 0; at < SIZE; at += chunk) {
            const size_t part = SIZE - at < chunk ? SIZE - at : chunk;
            uint8_t *exact = test_buffer(part);
            EXPECT(PSA_SUCCESS, psa_xof_output(&operation, exact, part));
            EXPECT(PSA_SUCCESS, psa_xof_output(&operation, NULL, 0));
            memcpy(output + at, exact, part);
        }
        CHECK_BYTES(output, SIZE, expected, SIZE);
        EXPECT(PSA_SUCCESS, psa_xof_abort(&operation));
        test_free_buffers();
    }
}

SECRET_TEST(xof__chunks__give_the_same)
{
    subject_for_each(&subject_xof, check_chunks);
}

static void check_moved(const struct subject_row *row)
{
    uint8_t message[SIZE];
    uint8_t expected[SIZE];
    uint8_t output[SIZE];

    test_fill(message, SIZE, 6);
    whole(row, message, expected);
    for (size_t split = 0; split <= SIZE; split += 35) {
        psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;
        psa_xof_operation_t moved;
        begin(row, &operation);
        NEED(psa_xof_update(&operation, message, split));
        memcpy(&moved, &operation, sizeof moved);
        memset(&operation, 0xdd, sizeof operation);
        NEED(psa_xof_update(&moved, message + split, SIZE - split));
        NEED(psa_xof_output(&moved, output, split));
        memcpy(&operation, &moved, sizeof moved);
        memset(&moved, 0xdd, sizeof moved);
        NEED(psa_xof_output(&operation, output + split, SIZE - split));
        CHECK_BYTES(output, SIZE, expected, SIZE);
        NEED(psa_xof_abort(&operation));
    }
}

SUBJECT_TEST(xof__moved_operation__goes_on)
{
    subject_for_each(&subject_xof, check_moved);
}
