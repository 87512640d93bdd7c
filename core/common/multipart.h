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

#include <corral/driver.h>
#include <psa/crypto.h>

static inline bool corral_operation_is_active(psa_algorithm_t alg)
{
    return alg != PSA_ALG_NONE && alg != CORRAL_OPERATION_FAILED;
}

/*
 * A function `name(operation, status)` for calls that failed with `status`, which it returns: the
 * driver at work on an active operation aborts it (`abort_driver`, an expression), all of it is
 * wiped, and it has failed. An operation that is not active stays as it is. (The prototype in the
 * end is there for the semicolon.)
 */
/* NOLINTBEGIN(bugprone-macro-parentheses): C permits no parentheses around a type. */
#define CORRAL_DEFINE_FAIL(name, operation_type, abort_driver)                                     \
    psa_status_t name(operation_type *operation, psa_status_t status)                              \
    {                                                                                              \
        if (corral_operation_is_active(operation->alg)) {                                          \
            abort_driver;                                                                          \
            corral_wipe(operation, sizeof *operation);                                             \
            operation->alg = CORRAL_OPERATION_FAILED;                                              \
        }                                                                                          \
        return status;                                                                             \
    }                                                                                              \
    psa_status_t name(operation_type *, psa_status_t)
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
