/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What psa-crypto-sys asks of <mbedtls/build_info.h>, which it includes first, of
 * <psa/crypto_se_driver.h> and of older versions of the API, beside what PSA Crypto 1.5 has. The
 * client's tests use none of the driver types; it only names them.
 */
#ifndef TESTS_CLIENTS_RUST_LEGACY_H
#define TESTS_CLIENTS_RUST_LEGACY_H

/* The client binds to functions that can be linked; this one is inline. */
#define psa_reset_key_attributes corral_inline_reset_key_attributes
#include <psa/crypto.h>
#undef psa_reset_key_attributes
void psa_reset_key_attributes(psa_key_attributes_t *attributes);

typedef uint64_t psa_key_slot_number_t;
typedef int psa_key_creation_method_t;
typedef struct psa_drv_se_context_t {
    const void *unused;
} psa_drv_se_context_t;
typedef psa_drv_se_context_t psa_drv_se_asymmetric_t;
typedef psa_drv_se_context_t psa_drv_se_key_management_t;
typedef psa_drv_se_context_t psa_drv_se_t;

/* The hash in an algorithm that is built on one. */
#define PSA_ALG_SIGN_GET_HASH(alg) PSA_ALG_GET_HASH(alg)
#define PSA_ALG_RSA_OAEP_GET_HASH(alg) PSA_ALG_GET_HASH(alg)
#define PSA_ALG_HMAC_GET_HASH(alg) PSA_ALG_GET_HASH(alg)
#define PSA_ALG_HKDF_GET_HASH(alg) PSA_ALG_GET_HASH(alg)
#define PSA_ALG_TLS12_PRF_GET_HASH(alg) PSA_ALG_GET_HASH(alg)
#define PSA_ALG_TLS12_PSK_TO_MS_GET_HASH(alg) PSA_ALG_GET_HASH(alg)

/* Bytes that a MAC is cut to; 0 if it is not. */
#define PSA_MAC_TRUNCATED_LENGTH(alg) ((size_t)((alg) >> 16 & 0x3f))

/* Keys had to be opened before API 1.0; since then opening one finds it, and closing changes
 * nothing that shows. */
psa_status_t psa_open_key(psa_key_id_t key, psa_key_id_t *handle);
psa_status_t psa_close_key(psa_key_id_t handle);

#endif
