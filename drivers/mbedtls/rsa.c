/* SPDX-License-Identifier: Apache-2.0 */
/* The library computes an RSA key's other numbers itself if they are missing: in our format none
 * is, and it is given all, because computing them takes long and a time that depends on the key. */
#define MBEDTLS_ALLOW_PRIVATE_ACCESS

#include "rsa.h"

#include <corral/dispatch/hash.h>
#include <corral/driver.h>

#include <mbedtls/bignum.h>
#include <mbedtls/entropy.h>

/* An error code is the sum of a module's code, a multiple of 128, and the code of a lower layer.
 */
#define LOW_MASK 0x7f

static const struct {
    int16_t error; /* without its sign */
    int16_t status;
} statuses[] = {
    {-MBEDTLS_ERR_MPI_ALLOC_FAILED, PSA_ERROR_INSUFFICIENT_MEMORY},
    {-MBEDTLS_ERR_ENTROPY_SOURCE_FAILED, PSA_ERROR_INSUFFICIENT_ENTROPY},
    {-MBEDTLS_ERR_MPI_NOT_ACCEPTABLE, PSA_ERROR_INSUFFICIENT_ENTROPY}, /* no usable draw */
    {-MBEDTLS_ERR_RSA_RNG_FAILED, PSA_ERROR_INSUFFICIENT_ENTROPY},
    {-MBEDTLS_ERR_RSA_BAD_INPUT_DATA, PSA_ERROR_INVALID_ARGUMENT},
    {-MBEDTLS_ERR_RSA_KEY_CHECK_FAILED, PSA_ERROR_INVALID_ARGUMENT},
    {-MBEDTLS_ERR_RSA_INVALID_PADDING, PSA_ERROR_INVALID_PADDING},
    {-MBEDTLS_ERR_RSA_OUTPUT_TOO_LARGE, PSA_ERROR_BUFFER_TOO_SMALL},
    {-MBEDTLS_ERR_MD_ALLOC_FAILED, PSA_ERROR_INSUFFICIENT_MEMORY},
};

static psa_status_t find_status(int error)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (statuses[i].error == error) {
            return statuses[i].status;
        }
    }
    return PSA_ERROR_CORRUPTION_DETECTED;
}

psa_status_t mbedtls_driver_rsa_status(int result)
{
    if (result == 0) {
        return PSA_SUCCESS;
    }
    psa_status_t status = find_status(-result & LOW_MASK);
    return status != PSA_ERROR_CORRUPTION_DETECTED ? status : find_status(-result & ~LOW_MASK);
}

static int read_number(mbedtls_mpi *number, const struct corral_rsa_field *field)
{
    return mbedtls_mpi_read_binary(number, field->data, field->length);
}

int mbedtls_driver_rsa_load(mbedtls_rsa_context *rsa, const struct corral_rsa_key *key)
{
    const struct corral_rsa_field *const numbers = key->numbers;

    mbedtls_rsa_init(rsa);
    int result = read_number(&rsa->N, &numbers[CORRAL_RSA_MODULUS]);
    if (result == 0) {
        result = read_number(&rsa->E, &numbers[CORRAL_RSA_PUBLIC_EXPONENT]);
    }
    rsa->len = numbers[CORRAL_RSA_MODULUS].length;
    mbedtls_mpi *const others[] = {&rsa->D, &rsa->P, &rsa->Q, &rsa->DP, &rsa->DQ, &rsa->QP};
    for (size_t i = 0; i < sizeof others / sizeof others[0] && result == 0; i++) {
        const struct corral_rsa_field *const field = &numbers[CORRAL_RSA_PRIVATE_EXPONENT + i];
        if (field->length != 0) {
            result = read_number(others[i], field);
        }
    }
    return result == 0 ? mbedtls_rsa_complete(rsa) : result;
}

int mbedtls_driver_rsa_open(mbedtls_rsa_context *rsa, psa_key_type_t type,
                            const uint8_t *key_buffer, size_t key_buffer_size)
{
    struct corral_rsa_key key;

    if (corral_rsa_read(type, key_buffer, key_buffer_size, &key) != PSA_SUCCESS) {
        mbedtls_rsa_init(rsa);
        return MBEDTLS_ERR_RSA_BAD_INPUT_DATA;
    }
    return mbedtls_driver_rsa_load(rsa, &key);
}

mbedtls_md_type_t mbedtls_driver_rsa_hash(psa_algorithm_t alg)
{
    /* The library's numbers are those of the hash field (PSA Crypto 1.5, B.1.2). */
    const mbedtls_md_type_t type = (mbedtls_md_type_t)(alg & 0xff);

    /* The library may have one for itself that this build does not want. */
    const bool is_wanted = corral_hash_length(PSA_ALG_GET_HASH(alg)) != 0;
    return is_wanted && mbedtls_md_info_from_type(type) != NULL ? type : MBEDTLS_MD_NONE;
}

_Static_assert(MBEDTLS_MD_SHA256 == (PSA_ALG_SHA_256 & 0xff) &&
                   MBEDTLS_MD_SHA3_512 == (PSA_ALG_SHA3_512 & 0xff) &&
                   MBEDTLS_MD_RIPEMD160 == (PSA_ALG_RIPEMD160 & 0xff),
               "hashes have the same numbers here and there");

int mbedtls_driver_rsa_draw(void *unused, unsigned char *output, size_t size)
{
    (void)unused;
    return corral_random(output, size) == PSA_SUCCESS ? 0 : MBEDTLS_ERR_ENTROPY_SOURCE_FAILED;
}
