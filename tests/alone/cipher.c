/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "alone.h"

static const uint8_t message[64] = "of some whole blocks";
static const uint8_t iv[24] = {1, 2, 3};

static bool crypt(psa_cipher_operation_t *operation, const uint8_t *input, uint8_t *output)
{
    const size_t iv_length = PSA_CIPHER_IV_LENGTH(TYPE, ALG);
    size_t length;
    size_t end;

    return (iv_length == 0 || DID(psa_cipher_set_iv(operation, iv, iv_length))) &&
           DID(psa_cipher_update(operation, input, sizeof message, output, sizeof message,
                                 &length)) &&
           DID(psa_cipher_finish(operation, output + length, sizeof message - length, &end)) &&
           HOLDS(length + end == sizeof message);
}

bool use(void)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    psa_key_id_t key;
    uint8_t sealed[sizeof message];
    uint8_t text[sizeof message];

    return create(PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, &key) &&
           DID(psa_cipher_encrypt_setup(&operation, key, ALG)) &&
           crypt(&operation, message, sealed) &&
           DID(psa_cipher_decrypt_setup(&operation, key, ALG)) && crypt(&operation, sealed, text) &&
           HOLDS(memcmp(text, message, sizeof message) == 0) &&
           HOLDS(memcmp(sealed, message, sizeof message) != 0) && DID(psa_destroy_key(key));
}
