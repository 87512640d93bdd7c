/* SPDX-License-Identifier: Apache-2.0 */
#include "ec.h"

#include <openssl/bn.h>
#include <openssl/ec.h>

const struct awslc_curve awslc_p224 = {EC_group_p224, 224, 28};
const struct awslc_curve awslc_p256 = {EC_group_p256, 256, 32};
const struct awslc_curve awslc_p384 = {EC_group_p384, 384, 48};
const struct awslc_curve awslc_p521 = {EC_group_p521, 521, 66};

#define UNCOMPRESSED 0x04

EC_KEY *awslc_ec_read_private(const struct awslc_curve *curve, const uint8_t *bytes)
{
    BIGNUM *const number = BN_bin2bn(bytes, curve->size, NULL);
    EC_KEY *key = EC_KEY_new();

    if (key != NULL && (number == NULL || EC_KEY_set_group(key, curve->group()) != 1 ||
                        EC_KEY_set_private_key(key, number) != 1)) {
        EC_KEY_free(key);
        key = NULL;
    }
    BN_free(number);
    return key;
}

EC_POINT *awslc_ec_read_point(const struct awslc_curve *curve, const uint8_t *bytes, size_t length)
{
    EC_POINT *point;

    if (length != awslc_ec_point_size(curve) || bytes[0] != UNCOMPRESSED) {
        return NULL;
    }
    point = EC_POINT_new(curve->group());
    if (point != NULL && EC_POINT_oct2point(curve->group(), point, bytes, length, NULL) != 1) {
        EC_POINT_free(point);
        point = NULL;
    }
    return point;
}
