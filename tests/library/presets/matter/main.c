/* SPDX-License-Identifier: Apache-2.0 */
/* Matter: a session by passcode, and beside it one by certificates, with the keys of both. */
#include "../keys.h"

#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define PASSCODE "20202021"

static const uint8_t info[] = "SessionKeys";

/* The keys of both directions, and the challenge of attestation. */
static void session(psa_key_id_t secret)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    uint8_t challenge[16];

    derive_from(&operation, HKDF, secret, info, sizeof info - 1);
    for (unsigned i = 0; i < 2; i++) {
        seal(derived(&operation, PSA_KEY_TYPE_AES, 128, PSA_ALG_CCM,
                     PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT),
             PSA_ALG_CCM, 13);
    }
    DO(psa_key_derivation_output_bytes(&operation, challenge, sizeof challenge));
    DO(psa_key_derivation_abort(&operation));
}

/* w0 and w1 of a passcode, with few iterations for the sake of time. */
static psa_key_id_t commissioner(void)
{
    const psa_algorithm_t alg = PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_256);
    const psa_key_attributes_t attributes =
        like(PSA_KEY_TYPE_PASSWORD, 0, alg, PSA_KEY_USAGE_DERIVE);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_key_id_t passcode;

    DO(psa_import_key(&attributes, (const uint8_t *)PASSCODE, sizeof PASSCODE - 1, &passcode));
    DO(psa_key_derivation_setup(&operation, alg));
    DO(psa_key_derivation_input_integer(&operation, PSA_KEY_DERIVATION_INPUT_COST, 10));
    DO(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SALT, info, 11));
    DO(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_PASSWORD, passcode));
    const psa_key_id_t pair =
        derived(&operation, PSA_KEY_TYPE_SPAKE2P_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256,
                PSA_ALG_SPAKE2P_MATTER, PSA_KEY_USAGE_DERIVE);
    DO(psa_key_derivation_abort(&operation));
    return pair;
}

static void set_up(psa_pake_operation_t *operation, psa_key_id_t key, psa_pake_role_t role)
{
    psa_pake_cipher_suite_t suite = PSA_PAKE_CIPHER_SUITE_INIT;

    psa_pake_cs_set_algorithm(&suite, PSA_ALG_SPAKE2P_MATTER);
    psa_pake_cs_set_primitive(
        &suite, PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, PSA_ECC_FAMILY_SECP_R1, 256));
    DO(psa_pake_setup(operation, key, &suite));
    DO(psa_pake_set_role(operation, role));
    DO(psa_pake_set_context(operation, info, sizeof info - 1));
}

static void send(psa_pake_operation_t *from, psa_pake_operation_t *to, psa_pake_step_t step)
{
    uint8_t data[65];
    size_t length;

    DO(psa_pake_output(from, step, data, sizeof data, &length));
    DO(psa_pake_input(to, step, data, length));
}

int main(void)
{
    psa_pake_operation_t client = PSA_PAKE_OPERATION_INIT;
    psa_pake_operation_t server = PSA_PAKE_OPERATION_INIT;
    const psa_key_attributes_t shared = like(PSA_KEY_TYPE_DERIVE, 0, HKDF, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t secret;

    DO(psa_crypto_init());
    const psa_key_id_t pair = commissioner();

    set_up(&client, pair, PSA_PAKE_ROLE_CLIENT);
    set_up(&server, pair, PSA_PAKE_ROLE_SERVER);
    send(&client, &server, PSA_PAKE_STEP_KEY_SHARE);
    send(&server, &client, PSA_PAKE_STEP_KEY_SHARE);
    send(&server, &client, PSA_PAKE_STEP_CONFIRM);
    send(&client, &server, PSA_PAKE_STEP_CONFIRM);
    DO(psa_pake_get_shared_key(&client, &shared, &secret));
    DO(psa_pake_abort(&server));
    session(secret);

    /* The key of the operational certificate stays, the other is of one session. */
    sign_and_verify(generate(P256, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256),
                             PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE));
    session(agree(generate(P256, 256, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE), HKDF));
    puts("done");
    return 0;
}
