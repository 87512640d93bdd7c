/* SPDX-License-Identifier: Apache-2.0 */
/* A test for each row of rows.tsv; the rows come with the tests' names from status_rows.py. */
#include <string.h>

#include "../../harness/harness.h"
#include "status_call.h"

const uint8_t spake2p_pair[64] = {1, 2, 3, [32] = 4, 5, 6};
const uint8_t spake2p_public[97] = {
    /* w0, and of P-256 the generator. */
    1,    2,    3,    [32] = 0x04, 0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc,
    0xe6, 0xe5, 0x63, 0xa4,        0x40, 0xf2, 0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0,
    0xf4, 0xa1, 0x39, 0x45,        0xd8, 0x98, 0xc2, 0x96, 0x4f, 0xe3, 0x42, 0xe2, 0xfe, 0x1a,
    0x7f, 0x9b, 0x8e, 0xe7,        0xeb, 0x4a, 0x7c, 0x0f, 0x9e, 0x16, 0x2b, 0xce, 0x33, 0x57,
    0x6b, 0x31, 0x5e, 0xce,        0xcb, 0xb6, 0x40, 0x68, 0x37, 0xbf, 0x51, 0xf5,
};

const struct status_call *status_call_of(const char *function)
{
    for (size_t i = 0; i < status_call_count; i++) {
        if (strcmp(status_calls[i].function, function) == 0) {
            return &status_calls[i];
        }
    }
    return NULL;
}

void status_check(const struct status_row *row)
{
    const struct status_call *call = status_call_of(row->function);
    psa_key_id_t key = PSA_KEY_ID_NULL;

    REQUIRE(call != NULL);
    if (row->key_type != PSA_KEY_TYPE_NONE) {
        key = test_import(row->key_type, row->policy, row->usage != 0 ? row->usage : call->usage,
                          row->key_data, row->key_size);
    }
    EXPECT(row->status, call->run(row, key));
}

int main(void)
{
    return test_initialise_and_run(test_suites, test_suite_count);
}
