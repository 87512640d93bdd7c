/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of a cipher algorithm that the core needs to feed a driver. */
#ifndef CORRAL_CORE_OPERATIONS_CIPHER_MODE_H
#define CORRAL_CORE_OPERATIONS_CIPHER_MODE_H

#include <stdbool.h>

#include <corral/dispatch/cipher.h>
#include <psa/crypto.h>

struct corral_cipher_mode {
    psa_algorithm_t alg;  /* as drivers know it: padding is the core's */
    uint8_t block_length; /* 1 for a stream */
    uint8_t iv_length;    /* 0 for a mode without IV */
    bool is_padded;
};

/*
 * Fill in what is known of `alg` with keys of `type`.
 *   PSA_ERROR_NOT_SUPPORTED     this build does not support it
 *   PSA_ERROR_INVALID_ARGUMENT  not a cipher algorithm
 */
static inline psa_status_t corral_cipher_mode(struct corral_cipher_mode *mode, psa_key_type_t type,
                                              psa_algorithm_t alg)
{
    mode->is_padded = CORRAL_WANT_ALG_CBC_PKCS7 && alg == PSA_ALG_CBC_PKCS7;
    mode->alg = mode->is_padded ? PSA_ALG_CBC_NO_PADDING : alg;
    mode->block_length = (uint8_t)corral_cipher_block_length(type, mode->alg);
    mode->iv_length = (uint8_t)corral_cipher_iv_length(type, mode->alg);
    if (mode->block_length == 0) {
        return PSA_ALG_IS_CIPHER(alg) ? PSA_ERROR_NOT_SUPPORTED : PSA_ERROR_INVALID_ARGUMENT;
    }
    return PSA_SUCCESS;
}

#endif
