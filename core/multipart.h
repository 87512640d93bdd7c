/* SPDX-License-Identifier: Apache-2.0 */
/*
 * States of multi-part operations, kept in their `alg`: inactive, active, failed.
 *
 * Setup on an operation that is not inactive is BAD_STATE and leaves it as it is. Every other
 * failure aborts the driver's context, wipes the operation and leaves it failed until it is
 * aborted (PSA Crypto 1.5, 3.3.2).
 */
#ifndef CORRAL_CORE_MULTIPART_H
#define CORRAL_CORE_MULTIPART_H

#include <stdbool.h>

#include <psa/crypto.h>

static inline bool corral_operation_is_active(psa_algorithm_t alg)
{
    return alg != PSA_ALG_NONE && alg != CORRAL_OPERATION_FAILED;
}

#endif
