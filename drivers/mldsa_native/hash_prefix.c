/* SPDX-License-Identifier: Apache-2.0 */
#include "mldsa_native_driver.h"

#include <string.h>

/* Domain (a hash is signed), no context, and the object identifier but for its end (FIPS 204, 5.4).
 */
static const uint8_t beginning[MLDSA_NATIVE_DRIVER_PREFIX_SIZE - 1] = {
    0x01, 0x00, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02};

/* Below 2.16.840.1.101.3.4.2 (NIST's hash algorithms); 0: none. */
static uint8_t arc_of(psa_algorithm_t hash_alg)
{
    switch (hash_alg) {
    case PSA_ALG_SHA_256:
        return 1;
    case PSA_ALG_SHA_384:
        return 2;
    case PSA_ALG_SHA_512:
        return 3;
    case PSA_ALG_SHA_224:
        return 4;
    case PSA_ALG_SHA_512_224:
        return 5;
    case PSA_ALG_SHA_512_256:
        return 6;
    case PSA_ALG_SHA3_224:
        return 7;
    case PSA_ALG_SHA3_256:
        return 8;
    case PSA_ALG_SHA3_384:
        return 9;
    case PSA_ALG_SHA3_512:
        return 10;
    case PSA_ALG_SHAKE128_256:
        return 11;
    case PSA_ALG_SHAKE256_512:
        return 12;
    default:
        return 0;
    }
}

bool mldsa_native_driver_hash_prefix(psa_algorithm_t alg,
                                     uint8_t prefix[MLDSA_NATIVE_DRIVER_PREFIX_SIZE])
{
    const uint8_t arc = arc_of(PSA_ALG_GET_HASH(alg));

    memcpy(prefix, beginning, sizeof beginning);
    prefix[sizeof beginning] = arc;
    return arc != 0;
}
