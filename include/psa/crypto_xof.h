/* SPDX-License-Identifier: Apache-2.0 */
/* Extendable-output functions (section 10.3). */
#ifndef PSA_CRYPTO_XOF_H
#define PSA_CRYPTO_XOF_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* SHAKE128 (FIPS 202). */
#define PSA_ALG_SHAKE128 ((psa_algorithm_t)0x0d000100)

/* SHAKE256 (FIPS 202). */
#define PSA_ALG_SHAKE256 ((psa_algorithm_t)0x0d000200)

/* Ascon-XOF128 (SP 800-232). */
#define PSA_ALG_ASCON_XOF128 ((psa_algorithm_t)0x0d000300)

/* Ascon-CXOF128 (SP 800-232), with a context of up to 256 bytes. */
#define PSA_ALG_ASCON_CXOF128 ((psa_algorithm_t)0x0d008300)

/* 1 if psa_xof_set_context() can give the algorithm a context. */
#define PSA_ALG_XOF_HAS_CONTEXT(alg) (CORRAL_ALG_BITS(alg, 0x00008000) != 0)

#define PSA_XOF_OPERATION_INIT CORRAL_ZERO_INIT
psa_status_t psa_xof_setup(psa_xof_operation_t *operation, psa_algorithm_t alg);
psa_status_t psa_xof_set_context(psa_xof_operation_t *operation, const uint8_t *context,
                                 size_t context_length);
psa_status_t psa_xof_update(psa_xof_operation_t *operation, const uint8_t *input,
                            size_t input_length);
psa_status_t psa_xof_output(psa_xof_operation_t *operation, uint8_t *output, size_t output_length);
psa_status_t psa_xof_abort(psa_xof_operation_t *operation);

#ifdef __cplusplus
}
#endif

#endif
