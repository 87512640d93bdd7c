/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/mbedtls/entry_points.h>

#include "rsa.h"
#include "stack.h"

#include <corral/driver.h>

/* Check that the numbers of a key belong together. Primes are not tested again. */
static psa_status_t check(const struct corral_rsa_key *key, bool is_pair)
{
    mbedtls_rsa_context rsa;

    int result = mbedtls_driver_rsa_load(&rsa, key);
    if (result == 0) {
        result = is_pair ? mbedtls_rsa_check_privkey(&rsa) : mbedtls_rsa_check_pubkey(&rsa);
    }
    mbedtls_rsa_free(&rsa);
    const psa_status_t status = mbedtls_driver_rsa_status(result);
    /* Whatever the library calls it: of a key that was given to us, nothing else can be wrong. */
    return status == PSA_ERROR_CORRUPTION_DETECTED ? PSA_ERROR_INVALID_ARGUMENT : status;
}

/*
 * RSA keys, as in corral/rsa.h. *_import_key checks that the numbers belong together; it does not
 * test the primes. *_generate_key: public exponent 65537; *_custom: the exponent of custom_data,
 * least significant byte first, odd and greater than 1.
 *   PSA_ERROR_INVALID_ARGUMENT      no key, or its numbers contradict each other
 *   PSA_ERROR_NOT_SUPPORTED         public exponents that are larger than an int (generation) or 8
 *                                   bytes; more than two primes; primes of very different sizes
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t mbedtls_driver_rsa_import_key(const psa_key_attributes_t *attributes,
                                           const uint8_t *data, size_t data_length,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length, size_t *bits)
{
    const psa_key_type_t type = psa_get_key_type(attributes);
    struct corral_rsa_key key;

    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_NOT_SUPPORTED; /* of primes that differ much in their sizes */
    }
    psa_status_t status = corral_rsa_read(type, key_buffer, data_length, &key);
    if (status == PSA_SUCCESS) {
        status = check(&key, PSA_KEY_TYPE_IS_KEY_PAIR(type));
        mbedtls_driver_wipe_stack_rsa();
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    *key_buffer_length = data_length;
    *bits = corral_rsa_modulus_bits(&key);
    return PSA_SUCCESS;
}

psa_status_t mbedtls_driver_rsa_export_public_key(const psa_key_attributes_t *attributes,
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
