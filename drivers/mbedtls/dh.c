/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/mbedtls/entry_points.h>

#include "stack.h"
#include "status.h"

#include <corral/driver.h>
#include <mbedtls/bignum.h>
#include <mbedtls/dhm.h>
#include <mbedtls/ecp.h>

/* The primes of the library's header; those that no key of the build has are not compiled in. */
static const uint8_t ffdhe2048[] = MBEDTLS_DHM_RFC7919_FFDHE2048_P_BIN;
static const uint8_t ffdhe3072[] = MBEDTLS_DHM_RFC7919_FFDHE3072_P_BIN;
static const uint8_t ffdhe4096[] = MBEDTLS_DHM_RFC7919_FFDHE4096_P_BIN;
static const uint8_t ffdhe6144[] = MBEDTLS_DHM_RFC7919_FFDHE6144_P_BIN;
static const uint8_t ffdhe8192[] = MBEDTLS_DHM_RFC7919_FFDHE8192_P_BIN;
static const uint8_t modp2048[] = MBEDTLS_DHM_RFC3526_MODP_2048_P_BIN;
static const uint8_t modp3072[] = MBEDTLS_DHM_RFC3526_MODP_3072_P_BIN;
static const uint8_t modp4096[] = MBEDTLS_DHM_RFC3526_MODP_4096_P_BIN;

/* The generator of all these groups. */
#define GENERATOR 2

/* base ^ exponent modulo prime; numbers with a sign in the library have none here. */
struct power {
    mbedtls_mpi prime;
    mbedtls_mpi base;
    mbedtls_mpi exponent;
    mbedtls_mpi result;
};

/* The prime of a group, by its size in bytes; NULL if the build has none such. */
static const uint8_t *find_prime(psa_dh_family_t family, size_t size)
{
    const bool is_tls = family == PSA_DH_FAMILY_RFC7919;

    switch (size) {
    case sizeof ffdhe2048:
        return CORRAL_WANT_DH_RFC7919_2048 && is_tls    ? ffdhe2048
               : CORRAL_WANT_DH_RFC3526_2048 && !is_tls ? modp2048
                                                        : NULL;
    case sizeof ffdhe3072:
        return CORRAL_WANT_DH_RFC7919_3072 && is_tls    ? ffdhe3072
               : CORRAL_WANT_DH_RFC3526_3072 && !is_tls ? modp3072
                                                        : NULL;
    case sizeof ffdhe4096:
        return CORRAL_WANT_DH_RFC7919_4096 && is_tls    ? ffdhe4096
               : CORRAL_WANT_DH_RFC3526_4096 && !is_tls ? modp4096
                                                        : NULL;
    case sizeof ffdhe6144:
        return CORRAL_WANT_DH_RFC7919_6144 && is_tls ? ffdhe6144 : NULL;
    case sizeof ffdhe8192:
        return CORRAL_WANT_DH_RFC7919_8192 && is_tls ? ffdhe8192 : NULL;
    default:
        return NULL;
    }
}

static int draw(void *unused, unsigned char *output, size_t size)
{
    (void)unused;
    return corral_random(output, size) == PSA_SUCCESS ? 0 : MBEDTLS_ERR_ECP_RANDOM_FAILED;
}

/* Start with the prime of a key of `size` bytes. Returns a result of the library. */
static int begin(struct power *power, const psa_key_attributes_t *attributes, size_t size)
{
    const psa_key_type_t type = psa_get_key_type(attributes);
    const uint8_t *const prime = find_prime(PSA_KEY_TYPE_DH_GET_FAMILY(type), size);

    mbedtls_mpi_init(&power->prime);
    mbedtls_mpi_init(&power->base);
    mbedtls_mpi_init(&power->exponent);
    mbedtls_mpi_init(&power->result);
    return prime == NULL ? MBEDTLS_ERR_ECP_INVALID_KEY
                         : mbedtls_mpi_read_binary(&power->prime, prime, size);
}

static psa_status_t end(struct power *power, int result)
{
    mbedtls_mpi_free(&power->result);
    mbedtls_mpi_free(&power->exponent);
    mbedtls_mpi_free(&power->base);
    mbedtls_mpi_free(&power->prime);
    return mbedtls_driver_group_done(mbedtls_driver_status(result));
}

/* Valid public keys and shared secrets: 2 to p - 2 (RFC 7919, 5.1; SP 800-56A, 5.7.1.1). */
static int check_element(const struct power *power, const mbedtls_mpi *element)
{
    mbedtls_mpi last;
    int result;

    mbedtls_mpi_init(&last);
    result = mbedtls_mpi_sub_int(&last, &power->prime, 1);
    if (result == 0 &&
        (mbedtls_mpi_cmp_int(element, 1) <= 0 || mbedtls_mpi_cmp_mpi(element, &last) >= 0)) {
        result = MBEDTLS_ERR_ECP_INVALID_KEY;
    }
    mbedtls_mpi_free(&last);
    return result;
}

/* A private key: 1 to p - 1 (PSA Crypto 1.5, 9.5.3), looked at in secret-independent time. */
static int check_private(struct power *power, const uint8_t *data, size_t size)
{
    unsigned is_below = 0;
    uint8_t any = 0;
    size_t i;
    int result = mbedtls_mpi_read_binary(&power->exponent, data, size);

    for (i = 0; i < size; i++) {
        any |= data[i];
    }
    if (result == 0) {
        result = mbedtls_mpi_lt_mpi_ct(&power->exponent, &power->prime, &is_below);
    }
    return result == 0 && (any == 0 || is_below == 0) ? MBEDTLS_ERR_ECP_INVALID_KEY : result;
}

static int raise(struct power *power, const uint8_t *key_buffer, size_t size)
{
    int result = mbedtls_mpi_read_binary(&power->exponent, key_buffer, size);

    if (result == 0) {
        result = mbedtls_mpi_exp_mod(&power->result, &power->base, &power->exponent, &power->prime,
                                     NULL);
    }
    return result == 0 ? check_element(power, &power->result) : result;
}

/*
 * Finite field Diffie-Hellman in the groups of RFC 7919 and, up to 4096 bits, of RFC 3526. Keys and
 * secrets are big-endian numbers as long as the prime p (PSA Crypto 1.5, 9.5.3). A private key is
 * drawn from all of 1 to p - 2. Exponents are raised to in secret-independent time.
 *   PSA_ERROR_INVALID_ARGUMENT      a private key that is not 1 to p - 1; a public key, the peer's
 *                                   or the shared secret that is not 2 to p - 2
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed (generation)
 *   PSA_ERROR_INSUFFICIENT_MEMORY   the heap is exhausted
 */
psa_status_t mbedtls_driver_dh_import_key(const psa_key_attributes_t *attributes,
                                          const uint8_t *data, size_t data_length,
                                          uint8_t *key_buffer, size_t key_buffer_size,
                                          size_t *key_buffer_length, size_t *bits)
{
    const psa_key_type_t type = psa_get_key_type(attributes);
    struct power power;
    int result;

    if (find_prime(PSA_KEY_TYPE_DH_GET_FAMILY(type), data_length) == NULL) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!corral_take_key(key_buffer, key_buffer_size, data, data_length)) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    result = begin(&power, attributes, data_length);
    if (result == 0 && PSA_KEY_TYPE_IS_PUBLIC_KEY(type)) {
        result = mbedtls_mpi_read_binary(&power.base, key_buffer, data_length);
        result = result == 0 ? check_element(&power, &power.base) : result;
    } else if (result == 0) {
        result = check_private(&power, key_buffer, data_length);
    }
    if (result == 0) {
        *key_buffer_length = data_length;
        *bits = 8 * data_length;
    }
    return end(&power, result);
}

psa_status_t mbedtls_driver_dh_generate_key(const psa_key_attributes_t *attributes,
                                            uint8_t *key_buffer, size_t key_buffer_size,
                                            size_t *key_buffer_length)
{
    const size_t size = psa_get_key_bits(attributes) / 8;
    struct power power;
    int result;

    if (key_buffer_size < size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    result = begin(&power, attributes, size);
    if (result == 0) {
        result = mbedtls_mpi_sub_int(&power.base, &power.prime, 1);
    }
    if (result == 0) {
        result = mbedtls_mpi_random(&power.exponent, 1, &power.base, draw, NULL);
    }
    if (result == 0) {
        result = mbedtls_mpi_write_binary(&power.exponent, key_buffer, size);
        *key_buffer_length = size;
    }
    return end(&power, result);
}

psa_status_t mbedtls_driver_dh_export_public_key(const psa_key_attributes_t *attributes,
                                                 const uint8_t *key_buffer, size_t key_buffer_size,
                                                 uint8_t *data, size_t data_size,
                                                 size_t *data_length)
{
    struct power power;
    int result;

    if (data_size < key_buffer_size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    result = begin(&power, attributes, key_buffer_size);
    if (result == 0) {
        result = mbedtls_mpi_lset(&power.base, GENERATOR);
    }
    if (result == 0) {
        result = raise(&power, key_buffer, key_buffer_size);
    }
    if (result == 0) {
        result = mbedtls_mpi_write_binary(&power.result, data, key_buffer_size);
        *data_length = key_buffer_size;
    }
    return end(&power, result);
}

psa_status_t mbedtls_driver_dh_key_agreement(psa_algorithm_t alg,
                                             const psa_key_attributes_t *attributes,
                                             const uint8_t *key_buffer, size_t key_buffer_size,
                                             const uint8_t *peer_key, size_t peer_key_length,
                                             uint8_t *output, size_t output_size,
                                             size_t *output_length)
{
    struct power power;
    int result;

    (void)alg;
    if (output_size < key_buffer_size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (peer_key_length != key_buffer_size) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    result = begin(&power, attributes, key_buffer_size);
    if (result == 0) {
        result = mbedtls_mpi_read_binary(&power.base, peer_key, peer_key_length);
    }
    if (result == 0) {
        result = check_element(&power, &power.base);
    }
    if (result == 0) {
        result = raise(&power, key_buffer, key_buffer_size);
    }
    if (result == 0) {
        result = mbedtls_mpi_write_binary(&power.result, output, key_buffer_size);
        *output_length = key_buffer_size;
    }
    return end(&power, result);
}
