/* SPDX-License-Identifier: Apache-2.0 */
#include "alone.h"

#define IS_SAE PSA_ALG_IS_WPA3_SAE(ALG)

static const uint8_t identities[2][6] = {{2, 0, 0, 0, 0, 1}, {2, 0, 0, 0, 0, 2}};
static uint8_t output[PSA_PAKE_OUTPUT_MAX_SIZE];

/* As far as the first message: all of the setup, and arithmetic in the group. */
bool use(void)
{
    psa_pake_cipher_suite_t suite = PSA_PAKE_CIPHER_SUITE_INIT;
    psa_pake_operation_t operation = PSA_PAKE_OPERATION_INIT;
    psa_key_id_t key;
    size_t length;

    psa_pake_cs_set_algorithm(&suite, ALG);
    psa_pake_cs_set_primitive(&suite, PRIMITIVE);
    psa_pake_cs_set_key_confirmation(&suite, PSA_ALG_IS_JPAKE(ALG) ? PSA_PAKE_UNCONFIRMED_KEY
                                                                   : PSA_PAKE_CONFIRMED_KEY);
    return create(PSA_KEY_USAGE_DERIVE, &key) && DID(psa_pake_setup(&operation, key, &suite)) &&
           (ROLE == PSA_PAKE_ROLE_NONE || DID(psa_pake_set_role(&operation, ROLE))) &&
           DID(psa_pake_set_user(&operation, identities[0], sizeof identities[0])) &&
           DID(psa_pake_set_peer(&operation, identities[1], sizeof identities[1])) &&
           DID(psa_pake_output(&operation, IS_SAE ? PSA_PAKE_STEP_COMMIT : PSA_PAKE_STEP_KEY_SHARE,
                               output, sizeof output, &length)) &&
           HOLDS(length != 0) && DID(psa_pake_abort(&operation)) && DID(psa_destroy_key(key));
}
