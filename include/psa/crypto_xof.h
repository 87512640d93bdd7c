/* SPDX-License-Identifier: Apache-2.0 */
/* Extendable-output functions (section 10.3). */
#ifndef PSA_CRYPTO_XOF_H
#define PSA_CRYPTO_XOF_H

#include "crypto_algorithms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* SHAKE128 (FIPS 202). */
#define PSA_ALG_SHAKE128 CORRAL_CAST(psa_algorithm_t, 0x0d000100)

/* SHAKE256 (FIPS 202). */
#define PSA_ALG_SHAKE256 CORRAL_CAST(psa_algorithm_t, 0x0d000200)

/* Ascon-XOF128 (SP 800-232). */
#define PSA_ALG_ASCON_XOF128 CORRAL_CAST(psa_algorithm_t, 0x0d000300)

/* Ascon-CXOF128 (SP 800-232), with a context of up to 256 bytes. */
#define PSA_ALG_ASCON_CXOF128 CORRAL_CAST(psa_algorithm_t, 0x0d008300)

/* 1 if psa_xof_set_context() can give the algorithm a context. */
#define PSA_ALG_XOF_HAS_CONTEXT(alg) (CORRAL_ALG_BITS(alg, 0x00008000) != 0)

/* Initialiser of an inactive operation. */
#define PSA_XOF_OPERATION_INIT CORRAL_ZERO_INIT

/* Starts an extendable output: psa_xof_set_context() if the algorithm has one, psa_xof_update()
 * any number of times, psa_xof_output() any number of times, and psa_xof_abort(), the only way
 * to end it. On failure the operation is unchanged. Section 10.3.2.
 *   PSA_ERROR_BAD_STATE         the operation is not inactive, or the library is not initialised
 *   PSA_ERROR_INVALID_ARGUMENT  alg is no extendable-output function
 *   PSA_ERROR_NOT_SUPPORTED     nothing in this build computes alg
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_xof_setup(psa_xof_operation_t *operation, psa_algorithm_t alg);

/* Sets the context (customisation string). Needed for an algorithm that has one, right after
 * setup. On failure the operation is in the error state: abort it. Section 10.3.2.
 *   PSA_ERROR_BAD_STATE         the operation is not active, or context, input or output has been
 *                               given before
 *   PSA_ERROR_INVALID_ARGUMENT  the algorithm has no context (PSA_ALG_XOF_HAS_CONTEXT()), or not
 *                               such a one
 *   PSA_ERROR_NOT_SUPPORTED     this build does not take such a context
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_xof_set_context(psa_xof_operation_t *operation, const uint8_t *context,
                                 size_t context_length);

/* Adds a part of the input, before any output is read. On failure the operation is in the error
 * state: abort it. Section 10.3.2.
 *   PSA_ERROR_BAD_STATE         the operation is not active, or output has been read
 *   PSA_ERROR_INVALID_ARGUMENT  the input grows beyond what the algorithm takes
 *   PSA_ERROR_NOT_SUPPORTED     the input grows beyond what this build takes
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_xof_update(psa_xof_operation_t *operation, const uint8_t *input,
                            size_t input_length);

/* Writes the next output_length bytes of the output. The first call ends the input. On failure the
 * operation is in the error state: abort it. Section 10.3.2.
 *   PSA_ERROR_BAD_STATE  the operation is not active, or lacks its context
 *   and the statuses of device (psa/crypto.h) */
psa_status_t psa_xof_output(psa_xof_operation_t *operation, uint8_t *output, size_t output_length);

/* Ends an operation in any state, wipes it and makes it inactive. Harmless for an inactive one.
 * Section 10.3.2.
 *   and the statuses of library and device (psa/crypto.h) */
psa_status_t psa_xof_abort(psa_xof_operation_t *operation);

#ifdef __cplusplus
}
#endif

#endif
