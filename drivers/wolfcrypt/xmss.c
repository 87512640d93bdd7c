/* SPDX-License-Identifier: Apache-2.0 */
/* XMSS and XMSS^MT verification (RFC 8391, SP 800-208). */
#include <corral/drivers/wolfcrypt/entry_points.h>

#include "part.h"

#include <corral/driver.h>
#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/wolfcrypt/wc_xmss.h>

/* A type, root and seed. */
#define KEY_SIZE(n) (4u + 2u * (n))

static bool load(XmssKey *key, psa_key_type_t type, const uint8_t *data, size_t length)
{
    return length <= UINT16_MAX && wc_XmssKey_Init(key, NULL, INVALID_DEVID) == 0 &&
           wc_XmssKey_ImportPubRaw_ex(key, data, (word32)length,
                                      type == PSA_KEY_TYPE_XMSS_MT_PUBLIC_KEY) == 0;
}

psa_status_t wolfcrypt_driver_xmss_import_key(const psa_key_attributes_t *attributes,
                                              const uint8_t *data, size_t data_length,
                                              uint8_t *key_buffer, size_t key_buffer_size,
                                              size_t *key_buffer_length, size_t *bits)
{
    XmssKey key;

    if (data_length != KEY_SIZE(24) && data_length != KEY_SIZE(32)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (!load(&key, psa_get_key_type(attributes), key_buffer, data_length)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    *key_buffer_length = data_length;
    *bits = (size_t)8 * key.params->n;
    return PSA_SUCCESS;
}

/* The number of the leaf, at the beginning of a signature of the right length, exists. */
static bool has_leaf(const XmssParams *params, const uint8_t *signature)
{
    uint64_t leaf = 0;

    for (size_t i = 0; i < params->idx_len; i++) {
        leaf = leaf << 8 | signature[i];
    }
    return leaf >> params->h == 0;
}

psa_status_t wolfcrypt_driver_xmss_verify_message(const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  psa_algorithm_t alg, const uint8_t *input,
                                                  size_t input_length, const uint8_t *signature,
                                                  size_t signature_length)
{
    XmssKey key;

    (void)alg;
    if (input_length > INT32_MAX) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (!load(&key, psa_get_key_type(attributes), key_buffer, key_buffer_size)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (signature_length != key.params->sig_len || !has_leaf(key.params, signature) ||
        wc_XmssKey_Verify(&key, signature, (word32)signature_length, input, (int)input_length) !=
            0) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    return PSA_SUCCESS;
}
