/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Curves of AWS-LC. Scalars, coordinates, shared secrets and r || s are big-endian in `size` bytes
 * each; a point is 04 || X || Y. The library takes memory from the heap.
 */
#ifndef AWSLC_EC_H
#define AWSLC_EC_H

#include <openssl/ec_key.h>
#include <psa/error.h>

#define AWSLC_SCALAR_MAX_SIZE 66u

struct awslc_curve {
    const EC_GROUP *(*group)(void);
    uint16_t bits;
    uint8_t size;
};

extern const struct awslc_curve awslc_p224;
extern const struct awslc_curve awslc_p256;
extern const struct awslc_curve awslc_p384;
extern const struct awslc_curve awslc_p521;

static inline size_t awslc_ec_point_size(const struct awslc_curve *curve)
{
    return 1 + (size_t)2 * curve->size;
}

/* Call this before the library, so that awslc_ec_failed() knows what failed in it. */
void awslc_ec_begin(void);

/*
 * What failed since the last begin(): PSA_ERROR_INSUFFICIENT_MEMORY of the heap, or the status of
 * corral_random(); or else `status`.
 */
psa_status_t awslc_ec_failed(psa_status_t status);

/*
 * Read a private key (1 to the order - 1) or a public key (a point of the curve). Returns NULL if
 * it is none, or the heap is exhausted.
 */
EC_KEY *awslc_ec_read_private(const struct awslc_curve *curve, const uint8_t *bytes);
EC_POINT *awslc_ec_read_point(const struct awslc_curve *curve, const uint8_t *bytes, size_t length);

#endif
