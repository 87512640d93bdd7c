/* SPDX-License-Identifier: Apache-2.0 */
#include "race.h"

/* FIPS 202 example of NIST: SHAKE128 of nothing. */
static const uint8_t shake128_empty[16] = {0x7f, 0x9c, 0x2b, 0xa4, 0xe8, 0x8f, 0x82, 0x7d,
                                           0x61, 0x60, 0x45, 0x50, 0x76, 0x05, 0x85, 0x3e};

static void do_xofs(struct worker *worker)
{
    psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;
    uint8_t output[16];

    SUCCEEDS(worker, psa_xof_setup(&operation, PSA_ALG_SHAKE128));
    SUCCEEDS(worker, psa_xof_update(&operation, NULL, 0));
    SUCCEEDS(worker, psa_xof_output(&operation, output, 5));
    SUCCEEDS(worker, psa_xof_output(&operation, output + 5, 11));
    HOLDS(worker, memcmp(output, shake128_empty, 16) == 0);
    SUCCEEDS(worker, psa_xof_abort(&operation));
}

RACE_UNKEYED(xofs, 12);
