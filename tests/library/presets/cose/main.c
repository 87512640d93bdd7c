/* SPDX-License-Identifier: Apache-2.0 */
/* COSE: signed by one pair; to a recipient with another, by ECDH-ES with key wrap. */
#include <string.h>

#include "../keys.h"

#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define BOTH (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT | PSA_KEY_USAGE_EXPORT)

int main(void)
{
    static const uint8_t message[] = "a payload";
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    const psa_key_attributes_t content = like(PSA_KEY_TYPE_AES, 128, PSA_ALG_GCM, BOTH);
    psa_key_id_t unwrapped = PSA_KEY_ID_NULL;
    uint8_t header[200]; /* of a message: the context of HKDF */
    uint8_t wrapped[24];
    uint8_t mac[32];
    size_t length;

    memset(header, 'h', sizeof header);
    DO(psa_crypto_init());
    sign_and_verify(generate(P256, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256),
                             PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE));
    const psa_key_id_t secret = agree(generate(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY),
                                               255, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE),
                                      HKDF);
    derive_from(&operation, HKDF, secret, header, sizeof header);
    const psa_key_id_t wrapping = derived(&operation, PSA_KEY_TYPE_AES, 128, PSA_ALG_KW,
                                          PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP);
    DO(psa_key_derivation_abort(&operation));
    DO(psa_destroy_key(secret));
    const psa_key_id_t key = generate(PSA_KEY_TYPE_AES, 128, PSA_ALG_GCM, BOTH);

    DO(psa_wrap_key(wrapping, PSA_ALG_KW, key, wrapped, sizeof wrapped, &length));
    DO(psa_unwrap_key(&content, wrapping, PSA_ALG_KW, wrapped, length, &unwrapped));
    seal(unwrapped, PSA_ALG_GCM, 12);
    const psa_key_id_t direct =
        generate(PSA_KEY_TYPE_HMAC, 256, PSA_ALG_HMAC(PSA_ALG_SHA_256), PSA_KEY_USAGE_SIGN_MESSAGE);
    DO(psa_mac_compute(direct, PSA_ALG_HMAC(PSA_ALG_SHA_256), message, sizeof message, mac,
                       sizeof mac, &length));
    puts("done");
    return 0;
}
