/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/bearssl/entry_points.h>

#include "rsa.h"
#include "stack.h"

#include <string.h>

#include <corral/driver.h>

/* The input with which a private key is tested: below every modulus of the length. */
static void fill_sample(uint8_t *sample, size_t size)
{
    memset(sample, 0x5a, size);
    sample[0] = 0;
}

/*
 * Check that the numbers of a pair belong together: by a private operation, with and without the
 * Chinese remainders, that the public one takes back.
 */
static bool is_consistent(const struct corral_rsa_key *key)
{
    const size_t size = key->numbers[CORRAL_RSA_MODULUS].length;
    uint8_t first[CORRAL_RSA_MAX_SIZE];
    uint8_t second[CORRAL_RSA_MAX_SIZE];
    br_rsa_private_key private_key;
    br_rsa_public_key public_key;
    br_rsa_public_key exponent;

    bearssl_driver_rsa_private(key, &private_key);
    bearssl_driver_rsa_public(key, &public_key);
    exponent = public_key;
    exponent.e = (unsigned char *)key->numbers[CORRAL_RSA_PRIVATE_EXPONENT].data;
    exponent.elen = key->numbers[CORRAL_RSA_PRIVATE_EXPONENT].length;
    /* The library assumes that the product of the primes has the bytes of the modulus. */
    const size_t product = private_key.plen + private_key.qlen;
    if (product < size || product > size + 1 || exponent.elen > size) {
        return false;
    }
    fill_sample(first, size);
    fill_sample(second, size);
    bool is_right = BEARSSL_RSA_PRIVATE(first, &private_key) == 1 &&
                    BEARSSL_RSA_PUBLIC(second, size, &exponent) == 1 &&
                    corral_equal(first, second, size) &&
                    BEARSSL_RSA_PUBLIC(first, size, &public_key) == 1;
    fill_sample(second, size);
    is_right = is_right && memcmp(first, second, size) == 0;
    bearssl_driver_wipe_stack_rsa();
    corral_wipe(first, sizeof first);
    return is_right;
}

static psa_status_t check(psa_key_type_t type, const uint8_t *data, size_t length,
                          struct corral_rsa_key *key)
{
    const psa_status_t status = corral_rsa_read(type, data, length, key);

    if (status != PSA_SUCCESS) {
        return status;
    }
    if (key->numbers[CORRAL_RSA_MODULUS].length > CORRAL_RSA_MAX_SIZE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return PSA_KEY_TYPE_IS_KEY_PAIR(type) && !is_consistent(key) ? PSA_ERROR_INVALID_ARGUMENT
                                                                 : PSA_SUCCESS;
}

/*
 * RSA keys, as in corral/rsa.h, up to 4096 bits. *_import_key tries a pair; it does not test the
 * primes. Signatures: PKCS#1 v1.5, with and without hash, checked before they leave. Encryption:
 * OAEP with `salt` as label.
 *   PSA_ERROR_INVALID_ARGUMENT      no key, or its numbers contradict each other; a hash or text
 *                                   too long for the key, a ciphertext of another length
 *   PSA_ERROR_INVALID_PADDING       what is encrypted has no valid padding, or another label
 *   PSA_ERROR_NOT_SUPPORTED         another hash than SHA-1 and SHA-2; a key as corral/rsa.h says
 */
psa_status_t bearssl_driver_rsa_import_key(const psa_key_attributes_t *attributes,
                                           const uint8_t *data, size_t data_length,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length, size_t *bits)
{
    const psa_key_type_t type = psa_get_key_type(attributes);
    struct corral_rsa_key key;

    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    const psa_status_t status = check(type, key_buffer, data_length, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    *key_buffer_length = data_length;
    *bits = corral_rsa_modulus_bits(&key);
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_rsa_export_public_key(const psa_key_attributes_t *attributes,
                                                  const uint8_t *key_buffer, size_t key_buffer_size,
                                                  uint8_t *data, size_t data_size,
                                                  size_t *data_length)
{
    struct corral_rsa_key key;

    psa_status_t status =
        corral_rsa_read(psa_get_key_type(attributes), key_buffer, key_buffer_size, &key);
    return status == PSA_SUCCESS ? corral_rsa_write_public(&key, data, data_size, data_length)
                                 : PSA_ERROR_CORRUPTION_DETECTED;
}
