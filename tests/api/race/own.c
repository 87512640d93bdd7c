/* SPDX-License-Identifier: Apache-2.0 */
/* The board's own keys, which are in memory only while they are in use. */
#include <corral/builtin_keys.h>
#include <psa/initial_attestation.h>

#include "race.h"

#define CHALLENGE PSA_INITIAL_ATTEST_CHALLENGE_SIZE_32

/* By Python's hmac, from the device key that ports/common/device_key.h publishes. */
static const uint8_t derived[32] = {
    0xf5, 0xb4, 0xae, 0x1b, 0x7f, 0x80, 0x16, 0x29, 0x47, 0x94, 0x3f, 0xc8, 0x6e, 0x63, 0xf9, 0x44,
    0xc2, 0xfc, 0x41, 0xaf, 0x55, 0x16, 0x3e, 0x7d, 0x11, 0x22, 0x7b, 0xd8, 0x5e, 0x8b, 0x4d, 0x56};

static void do_unique(struct worker *worker)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    uint8_t output[32];

    SUCCEEDS(worker, psa_key_derivation_setup(&operation, HKDF_256));
    SUCCEEDS(worker, psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET,
                                                  CORRAL_KEY_HARDWARE));
    SUCCEEDS(worker, psa_purge_key(CORRAL_KEY_HARDWARE));
    SUCCEEDS(worker, psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO,
                                                    (const uint8_t *)"test", 4));
    SUCCEEDS(worker, psa_key_derivation_output_bytes(&operation, output, sizeof output));
    HOLDS(worker, memcmp(output, derived, sizeof output) == 0);
    SUCCEEDS(worker, psa_key_derivation_abort(&operation));
}

RACE_UNKEYED(unique, 12);

static void do_token(struct worker *worker)
{
    static const uint8_t challenge[CHALLENGE];
    uint8_t token[PSA_INITIAL_ATTEST_MAX_TOKEN_SIZE];
    size_t size = 0;
    size_t length = 0;

    SUCCEEDS(worker, psa_initial_attest_get_token_size(CHALLENGE, &size));
    SUCCEEDS(worker,
             psa_initial_attest_get_token(challenge, CHALLENGE, token, sizeof token, &length));
    HOLDS(worker, length == size);
}

RACE_UNKEYED(token, 2);
