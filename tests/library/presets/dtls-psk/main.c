/* SPDX-License-Identifier: Apache-2.0 */
/* DTLS 1.2 with a PSK: the master secret, then keys and MACs of both directions. */
#include "../keys.h"

#define PRF PSA_ALG_TLS12_PRF(PSA_ALG_SHA_256)
#define TO_MASTER PSA_ALG_TLS12_PSK_TO_MS(PSA_ALG_SHA_256)
#define SEED_SIZE 64u

static void seeded(psa_key_derivation_operation_t *operation, psa_algorithm_t alg,
                   psa_key_id_t secret, const char *label, size_t length)
{
    static const uint8_t seed[SEED_SIZE] = {3};

    DO(psa_key_derivation_setup(operation, alg));
    DO(psa_key_derivation_input_bytes(operation, PSA_KEY_DERIVATION_INPUT_SEED, seed, SEED_SIZE));
    DO(psa_key_derivation_input_key(operation, PSA_KEY_DERIVATION_INPUT_SECRET, secret));
    DO(psa_key_derivation_input_bytes(operation, PSA_KEY_DERIVATION_INPUT_LABEL,
                                      (const uint8_t *)label, length));
}

int main(void)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    const psa_algorithm_t ccm_8 = PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_CCM, 8);
    uint8_t finished[12];

    DO(psa_crypto_init());
    const psa_key_id_t known = generate(PSA_KEY_TYPE_DERIVE, 128, TO_MASTER, PSA_KEY_USAGE_DERIVE);
    seeded(&operation, TO_MASTER, known, "master secret", 13);
    const psa_key_id_t master =
        derived(&operation, PSA_KEY_TYPE_DERIVE, 384, PRF, PSA_KEY_USAGE_DERIVE);
    DO(psa_key_derivation_abort(&operation));

    seeded(&operation, PRF, master, "key expansion", 13);
    for (unsigned i = 0; i < 2; i++) {
        derived(&operation, PSA_KEY_TYPE_HMAC, 256, PSA_ALG_HMAC(PSA_ALG_SHA_256),
                PSA_KEY_USAGE_SIGN_MESSAGE);
    }
    for (unsigned i = 0; i < 2; i++) {
        seal(derived(&operation, PSA_KEY_TYPE_AES, 128, ccm_8,
                     PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT),
             ccm_8, 12);
    }
    DO(psa_key_derivation_abort(&operation));

    seeded(&operation, PRF, master, "client finished", 15);
    DO(psa_key_derivation_output_bytes(&operation, finished, sizeof finished));
    puts("done");
    return 0;
}
