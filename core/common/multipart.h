/* SPDX-License-Identifier: Apache-2.0 */
/*
 * States of multi-part operations, kept in their `alg`: inactive, active, failed.
 *
 * A call that fails on an active operation aborts the driver's context, wipes the operation and
 * leaves it failed until it is aborted (PSA Crypto 1.5, 3.3.2). A setup that fails leaves it as it
 * was, and so does a call on an operation that is not active.
 */
#ifndef CORRAL_CORE_COMMON_MULTIPART_H
#define CORRAL_CORE_COMMON_MULTIPART_H

#include <stdbool.h>

#include <psa/crypto.h>

static inline bool corral_operation_is_active(psa_algorithm_t alg)
{
    return alg != PSA_ALG_NONE && alg != CORRAL_OPERATION_FAILED;
}

#endif
