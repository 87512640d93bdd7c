/* SPDX-License-Identifier: Apache-2.0 */
#include "ecc.h"

#include <corral/driver.h>

static const struct mbedtls_driver_curve curves[] = {
    {PSA_ECC_FAMILY_SECP_R1, 24, 192, MBEDTLS_ECP_DP_SECP192R1},
    {PSA_ECC_FAMILY_SECP_R1, 28, 224, MBEDTLS_ECP_DP_SECP224R1},
    {PSA_ECC_FAMILY_SECP_R1, 32, 256, MBEDTLS_ECP_DP_SECP256R1},
    {PSA_ECC_FAMILY_SECP_R1, 48, 384, MBEDTLS_ECP_DP_SECP384R1},
    {PSA_ECC_FAMILY_SECP_R1, 66, 521, MBEDTLS_ECP_DP_SECP521R1},
    {PSA_ECC_FAMILY_SECP_K1, 24, 192, MBEDTLS_ECP_DP_SECP192K1},
    {PSA_ECC_FAMILY_SECP_K1, 32, 256, MBEDTLS_ECP_DP_SECP256K1},
    {PSA_ECC_FAMILY_BRAINPOOL_P_R1, 32, 256, MBEDTLS_ECP_DP_BP256R1},
    {PSA_ECC_FAMILY_BRAINPOOL_P_R1, 48, 384, MBEDTLS_ECP_DP_BP384R1},
    {PSA_ECC_FAMILY_BRAINPOOL_P_R1, 64, 512, MBEDTLS_ECP_DP_BP512R1},
    {PSA_ECC_FAMILY_MONTGOMERY, 32, 255, MBEDTLS_ECP_DP_CURVE25519},
    {PSA_ECC_FAMILY_MONTGOMERY, 56, 448, MBEDTLS_ECP_DP_CURVE448},
};

const struct mbedtls_driver_curve *mbedtls_driver_find_curve(const psa_key_attributes_t *attributes,
                                                             size_t key_length)
{
    const psa_key_type_t type = psa_get_key_type(attributes);
    const psa_ecc_family_t family = PSA_KEY_TYPE_ECC_GET_FAMILY(type);
    const bool is_public = PSA_KEY_TYPE_IS_PUBLIC_KEY(type);
    size_t i;

    for (i = 0; i < sizeof(curves) / sizeof(curves[0]); i++) {
        const struct mbedtls_driver_curve *const curve = &curves[i];
        const size_t length = is_public ? mbedtls_driver_public_size(curve) : curve->size;

        if (curve->family == family && length == key_length) {
            return curve;
        }
    }
    return NULL;
}

size_t mbedtls_driver_public_size(const struct mbedtls_driver_curve *curve)
{
    const size_t size = curve->size;

    return curve->family == PSA_ECC_FAMILY_MONTGOMERY ? size : 1 + 2 * size;
}

int mbedtls_driver_read_point(const struct mbedtls_driver_curve *curve,
                              const mbedtls_ecp_group *group, mbedtls_ecp_point *point,
                              const uint8_t *data, size_t length)
{
    if (length != mbedtls_driver_public_size(curve) ||
        (curve->family != PSA_ECC_FAMILY_MONTGOMERY && data[0] != 0x04)) {
        return MBEDTLS_ERR_ECP_BAD_INPUT_DATA;
    }
    return mbedtls_ecp_point_read_binary(group, point, data, length);
}

int mbedtls_driver_draw(void *unused, unsigned char *output, size_t size)
{
    (void)unused;
    return corral_random(output, size) == PSA_SUCCESS ? 0 : MBEDTLS_ERR_ECP_RANDOM_FAILED;
}
