/* SPDX-License-Identifier: Apache-2.0 */
#include "prefix.h"

#include <string.h>

#include <corral/dispatch/hash.h>

/* The kind of input, a message or a hash, and the identifier of the hash except its
 * last byte (FIPS 204, 5.4). */
#define DOMAIN_MESSAGE 0
#define DOMAIN_HASH 1
static const uint8_t identifier[] = {0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02};

/* Below 2.16.840.1.101.3.4.2 (NIST's hash algorithms); 0: none, or not wanted. */
static uint8_t arc_of(psa_algorithm_t hash_alg)
{
    if (corral_hash_length(hash_alg) == 0) {
        return 0;
    }
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

size_t mldsa_native_driver_message_prefix(const uint8_t *context, size_t context_length,
                                          uint8_t *prefix)
{
    prefix[0] = DOMAIN_MESSAGE;
    prefix[1] = (uint8_t)context_length;
    if (context_length > 0) {
        memcpy(prefix + 2, context, context_length);
    }
    return 2 + context_length;
}

size_t mldsa_native_driver_hash_prefix(psa_algorithm_t alg, const uint8_t *context,
                                       size_t context_length, uint8_t *prefix)
{
    const uint8_t arc = arc_of(PSA_ALG_GET_HASH(alg));
    const size_t length = mldsa_native_driver_message_prefix(context, context_length, prefix);

    prefix[0] = DOMAIN_HASH;
    memcpy(prefix + length, identifier, sizeof identifier);
    prefix[length + sizeof identifier] = arc;
    return arc != 0 ? length + sizeof identifier + 1 : 0;
}
