/* SPDX-License-Identifier: Apache-2.0 */
/* ECDSA with the nonce of RFC 6979, which the library derives by its HMAC_DRBG. */
#include <corral/drivers/mbedtls/entry_points.h>

#include "signer.h"
#include "stack.h"
#include "status.h"

#include <corral/dispatch/hash.h>
#include <corral/driver.h>
#include <mbedtls/ecdsa.h>

psa_status_t mbedtls_driver_sign_hash_deterministic(const psa_key_attributes_t *attributes,
                                                    const uint8_t *key_buffer,
                                                    size_t key_buffer_size, psa_algorithm_t alg,
                                                    const uint8_t *hash, size_t hash_length,
                                                    uint8_t *signature, size_t signature_size,
                                                    size_t *signature_length)
{
    const struct mbedtls_driver_curve *const curve =
        mbedtls_driver_find_curve(attributes, key_buffer_size);
    /* The low byte of the algorithm, as of the hash in it, is the library's digest type. */
    const mbedtls_md_type_t digest = (mbedtls_md_type_t)(alg & 0xff);
    struct mbedtls_driver_signer signer;
    uint8_t copy[PSA_HASH_MAX_SIZE];
    int result;

    /* The library may have one for itself that this build does not want. */
    const bool is_wanted = corral_hash_length(PSA_ALG_GET_HASH(alg)) != 0;
    if (curve == NULL || !is_wanted || mbedtls_md_info_from_type(digest) == NULL ||
        hash_length > sizeof copy) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    if (signature_size < (size_t)2 * curve->size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    /* Read twice, and if it changed meanwhile, two signatures would have one nonce. */
    corral_copy(copy, hash, hash_length);
    result = mbedtls_driver_signer_begin(&signer, curve, key_buffer);
    if (result == 0) {
        result = mbedtls_ecdsa_sign_det_ext(&signer.group, &signer.r, &signer.s, &signer.key, copy,
                                            hash_length, digest, mbedtls_driver_draw, NULL);
        mbedtls_driver_wipe_stack_nonce();
    }
    return mbedtls_driver_signer_end(&signer, curve, result, signature, signature_length);
}
