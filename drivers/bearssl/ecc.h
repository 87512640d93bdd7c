/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the curves of BearSSL have in common. Points and scalars have PSA's format (04 || X || Y,
 * big-endian), r || s too, so only sizes and statuses are translated.
 */
#ifndef BEARSSL_ECC_H
#define BEARSSL_ECC_H

#include <limits.h>

#include <bearssl_ec.h>
#include <corral/config.h>
#include <psa/crypto.h>

/*
 * BearSSL has each function twice: for 31-bit words, and for 15-bit words for processors whose
 * 32x32 multiplication is missing, slow, or of a duration that depends on the operands.
 */
#if UINT_MAX == 0xffff || CORRAL_BEARSSL_SHORT_WORDS
#define BEARSSL_P256 br_ec_p256_m15
#define BEARSSL_PRIME br_ec_prime_i15
#define BEARSSL_C25519 br_ec_c25519_i15
#define BEARSSL_ECDSA_SIGN br_ecdsa_i15_sign_raw
#define BEARSSL_ECDSA_VERIFY br_ecdsa_i15_vrfy_raw
#else
#define BEARSSL_P256 br_ec_p256_m31
#define BEARSSL_PRIME br_ec_prime_i31
#define BEARSSL_C25519 br_ec_c25519_i31
#define BEARSSL_ECDSA_SIGN br_ecdsa_i31_sign_raw
#define BEARSSL_ECDSA_VERIFY br_ecdsa_i31_vrfy_raw
#endif

/* Largest point, in bytes: P-521. */
#define BEARSSL_POINT_MAX_SIZE 133

struct bearssl_driver_curve {
    const br_ec_impl *methods;
    int id;      /* BR_EC_... */
    size_t bits; /* as in the PSA key attributes */
    size_t size; /* bytes of a scalar and of a coordinate */
};

/*
 * Check a private key (1 to n - 1, in a time that does not depend on it) or a public key (on the
 * curve) and copy it. *key_buffer_length and *bits are written on success only.
 *   PSA_ERROR_INVALID_ARGUMENT  wrong length or format, scalar out of range, point off the curve
 *   PSA_ERROR_BUFFER_TOO_SMALL  the key is longer than key_buffer_size
 */
psa_status_t bearssl_driver_curve_import(const struct bearssl_driver_curve *curve,
                                         const psa_key_attributes_t *attributes,
                                         const uint8_t *data, size_t data_length,
                                         uint8_t *key_buffer, size_t key_buffer_size,
                                         size_t *key_buffer_length, size_t *bits);

/*
 * Draw a private key; the public key follows it if key_buffer_size has room for both.
 *   PSA_ERROR_BUFFER_TOO_SMALL      no room for the private key
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  corral_random() failed; key_buffer holds no key
 */
psa_status_t bearssl_driver_curve_generate(const struct bearssl_driver_curve *curve,
                                           uint8_t *key_buffer, size_t key_buffer_size,
                                           size_t *key_buffer_length);

/*
 * Compute the public key of a private key.
 *   PSA_ERROR_BUFFER_TOO_SMALL  data_size is less than the point
 */
psa_status_t bearssl_driver_curve_export_public(const struct bearssl_driver_curve *curve,
                                                const uint8_t *key_buffer, size_t key_buffer_size,
                                                uint8_t *data, size_t data_size,
                                                size_t *data_length);

/*
 * Deterministic ECDSA (RFC 6979) with the hash that `alg` names.
 *   PSA_ERROR_NOT_SUPPORTED     BearSSL does not have this hash, or it is not wanted in this build
 *   PSA_ERROR_BUFFER_TOO_SMALL  signature_size is less than r || s
 *   PSA_ERROR_INVALID_ARGUMENT  hash_length is not that of the hash, or the private key is invalid
 */
psa_status_t bearssl_driver_curve_sign(const struct bearssl_driver_curve *curve,
                                       const uint8_t *key_buffer, size_t key_buffer_size,
                                       psa_algorithm_t alg, const uint8_t *hash, size_t hash_length,
                                       uint8_t *signature, size_t signature_size,
                                       size_t *signature_length);

/*
 * Verify r || s over a digest of any length, truncated as SEC 1 says.
 *   PSA_ERROR_INVALID_SIGNATURE  not a signature by this key, or not of the curve's length
 */
psa_status_t bearssl_driver_curve_verify(const struct bearssl_driver_curve *curve,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         const uint8_t *hash, size_t hash_length,
                                         const uint8_t *signature, size_t signature_length);

/*
 * ECDH: the X coordinate of the shared point.
 *   PSA_ERROR_BUFFER_TOO_SMALL  output_size is less than a coordinate
 *   PSA_ERROR_INVALID_ARGUMENT  the peer's key is not a point of the curve
 */
psa_status_t bearssl_driver_curve_agree(const struct bearssl_driver_curve *curve,
                                        const uint8_t *key_buffer, size_t key_buffer_size,
                                        const uint8_t *peer_key, size_t peer_key_length,
                                        uint8_t *output, size_t output_size, size_t *output_length);

#endif
