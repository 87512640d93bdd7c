/* SPDX-License-Identifier: Apache-2.0 */
/* A strong key from a short secret, over a wire that everybody reads: SPAKE2+, both sides. */
#include "../show.h"

#define ALG PSA_ALG_SPAKE2P_HMAC(PSA_ALG_SHA_256)
#define P256 PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, (uint32_t)PSA_ECC_FAMILY_SECP_R1, 256u)

/* The password after registration; a server that stores only the public key is better. */
static const uint8_t registered[64] = {[31] = 7, [63] = 9};

static psa_status_t import(psa_key_id_t *pair)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_SPAKE2P_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_DERIVE);
    psa_set_key_algorithm(&attributes, ALG);
    return psa_import_key(&attributes, registered, sizeof registered, pair);
}

static psa_status_t begin(psa_pake_operation_t *side, psa_key_id_t pair, psa_pake_role_t role)
{
    psa_pake_cipher_suite_t suite = PSA_PAKE_CIPHER_SUITE_INIT;

    psa_pake_cs_set_algorithm(&suite, ALG);
    psa_pake_cs_set_primitive(&suite, P256);
    psa_pake_cs_set_key_confirmation(&suite, PSA_PAKE_CONFIRMED_KEY);
    const psa_status_t status = psa_pake_setup(side, pair, &suite);
    return THEN(status, psa_pake_set_role(side, role));
}

static psa_status_t pass(psa_pake_operation_t *from, psa_pake_operation_t *to, psa_pake_step_t step)
{
    uint8_t message[PSA_PAKE_OUTPUT_MAX_SIZE];
    size_t length;

    const psa_status_t status = psa_pake_output(from, step, message, sizeof message, &length);
    return THEN(status, psa_pake_input(to, step, message, length));
}

static psa_status_t finish(psa_pake_operation_t *side, const char *name)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t secret[32];
    size_t length = 0;
    psa_key_id_t key;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_DERIVE);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT);
    psa_status_t status = psa_pake_get_shared_key(side, &attributes, &key);
    status = THEN(status, psa_export_key(key, secret, sizeof secret, &length));
    show(name, secret, length);
    (void)psa_destroy_key(key);
    return status;
}

int main(void)
{
    static const psa_pake_step_t steps[] = {PSA_PAKE_STEP_KEY_SHARE, PSA_PAKE_STEP_KEY_SHARE,
                                            PSA_PAKE_STEP_CONFIRM, PSA_PAKE_STEP_CONFIRM};
    psa_pake_operation_t sides[2] = {PSA_PAKE_OPERATION_INIT, PSA_PAKE_OPERATION_INIT};
    psa_key_id_t pair = PSA_KEY_ID_NULL;

    psa_status_t status = psa_crypto_init();
    status = THEN(status, import(&pair));
    status = THEN(status, begin(&sides[0], pair, PSA_PAKE_ROLE_CLIENT));
    status = THEN(status, begin(&sides[1], pair, PSA_PAKE_ROLE_SERVER));
    for (unsigned i = 0; i < 4; i++) {
        const unsigned from = (i + 1) / 2 % 2; /* the client, twice the server, the client */
        status = THEN(status, pass(&sides[from], &sides[1 - from], steps[i]));
    }
    status = THEN(status, finish(&sides[0], "client"));
    status = THEN(status, finish(&sides[1], "server"));
    (void)psa_pake_abort(&sides[0]);
    (void)psa_pake_abort(&sides[1]);
    (void)psa_destroy_key(pair);
    return show_end(status);
}
