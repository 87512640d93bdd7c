/* SPDX-License-Identifier: Apache-2.0 */
/* TLS 1.3 of a client with a certificate: five secrets and keys at once, and two pairs. */
#include "../keys.h"

#define EXPAND PSA_ALG_HKDF_EXPAND(PSA_ALG_SHA_256)
#define BOTH (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)

int main(void)
{
    static const uint8_t label[] = "tls13 derived";
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    DO(psa_crypto_init());
    const psa_key_id_t own = generate(P256, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256),
                                      PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
    const psa_key_id_t handshake =
        agree(generate(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY), 255, PSA_ALG_ECDH,
                       PSA_KEY_USAGE_DERIVE),
              EXPAND);

    /* Traffic of the handshake in both directions, and of the application. */
    derive_from(&operation, EXPAND, handshake, label, sizeof label - 1);
    const psa_key_id_t client =
        derived(&operation, PSA_KEY_TYPE_DERIVE, 256, EXPAND, PSA_KEY_USAGE_DERIVE);
    derived(&operation, PSA_KEY_TYPE_DERIVE, 256, EXPAND, PSA_KEY_USAGE_DERIVE);
    DO(psa_key_derivation_abort(&operation));
    derive_from(&operation, EXPAND, client, label, sizeof label - 1);
    seal(derived(&operation, PSA_KEY_TYPE_AES, 128, PSA_ALG_GCM, BOTH), PSA_ALG_GCM, 12);
    seal(derived(&operation, PSA_KEY_TYPE_CHACHA20, 256, PSA_ALG_CHACHA20_POLY1305, BOTH),
         PSA_ALG_CHACHA20_POLY1305, 12);
    DO(psa_key_derivation_abort(&operation));
    /* The key of the peer's certificate. */
    generate(PSA_KEY_TYPE_AES, 256, PSA_ALG_GCM, BOTH);
    sign_and_verify(own);
    puts("done");
    return 0;
}
