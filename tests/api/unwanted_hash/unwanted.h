/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_UNWANTED_H
#define TEST_UNWANTED_H

#include "../../harness/harness.h"

#define UNWANTED_COUNT 6u
static const psa_algorithm_t unwanted[UNWANTED_COUNT] = {PSA_ALG_MD5,     PSA_ALG_SHA_1,
                                                         PSA_ALG_SHA_224, PSA_ALG_SHA_256,
                                                         PSA_ALG_SHA_512, PSA_ALG_SHA3_256};

/* An algorithm with another hash. */
static inline psa_algorithm_t unwanted_in(psa_algorithm_t alg, size_t i)
{
    return (alg & ~(psa_algorithm_t)0xff) | (unwanted[i] & (psa_algorithm_t)0xff);
}

#endif
