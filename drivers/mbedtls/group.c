/* SPDX-License-Identifier: Apache-2.0 */
#include "group.h"

#include "ecc.h"

#include <string.h>

/* Bytes of the random multiple of the order that blinds a scalar. */
#define BLINDING 16u

int mbedtls_driver_group_open(struct mbedtls_driver_group *group, psa_ecc_family_t family,
                              size_t size)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    mbedtls_ecp_group_init(&group->group);
    mbedtls_ecp_point_init(&group->point);
    mbedtls_ecp_point_init(&group->other);
    mbedtls_mpi_init(&group->scalar);
    mbedtls_mpi_init(&group->factor);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_PUBLIC_KEY(family));
    const struct mbedtls_driver_curve *const curve =
        mbedtls_driver_find_curve(&attributes, 2 * size + 1);
    group->size = size;
    group->bits = curve != NULL ? curve->bits : 0;
    return curve != NULL ? mbedtls_ecp_group_load(&group->group, (mbedtls_ecp_group_id)curve->id)
                         : MBEDTLS_ERR_ECP_FEATURE_UNAVAILABLE;
}

int mbedtls_driver_group_open_public(struct mbedtls_driver_group *group,
                                     const psa_key_attributes_t *attributes)
{
    const psa_ecc_family_t family = PSA_KEY_TYPE_ECC_GET_FAMILY(psa_get_key_type(attributes));

    return mbedtls_driver_group_open(group, family, (psa_get_key_bits(attributes) + 7) / 8);
}

void mbedtls_driver_group_close(struct mbedtls_driver_group *group)
{
    mbedtls_mpi_free(&group->factor);
    mbedtls_mpi_free(&group->scalar);
    mbedtls_ecp_point_free(&group->other);
    mbedtls_ecp_point_free(&group->point);
    mbedtls_ecp_group_free(&group->group);
}

int mbedtls_driver_group_read(struct mbedtls_driver_group *group, mbedtls_ecp_point *point,
                              const uint8_t *data, size_t length)
{
    int result = MBEDTLS_ERR_ECP_BAD_INPUT_DATA;

    if (length == mbedtls_driver_group_point_size(group) && data[0] == 0x04) {
        result = mbedtls_ecp_point_read_binary(&group->group, point, data, length);
    }
    return result == 0 ? mbedtls_ecp_check_pubkey(&group->group, point) : result;
}

int mbedtls_driver_group_keep(struct mbedtls_driver_group *group, uint8_t *kept,
                              const uint8_t *data, size_t length)
{
    if (length != mbedtls_driver_group_point_size(group)) {
        return MBEDTLS_ERR_ECP_BAD_INPUT_DATA;
    }
    memcpy(kept, data, length);
    return mbedtls_driver_group_read(group, &group->point, kept, length);
}

int mbedtls_driver_group_write(struct mbedtls_driver_group *group, const mbedtls_ecp_point *point,
                               uint8_t *data)
{
    size_t length;

    /* Infinity would be one byte. */
    if (mbedtls_ecp_is_zero((mbedtls_ecp_point *)point) != 0) {
        return MBEDTLS_ERR_ECP_INVALID_KEY;
    }
    return mbedtls_ecp_point_write_binary(&group->group, point, MBEDTLS_ECP_PF_UNCOMPRESSED,
                                          &length, data, mbedtls_driver_group_point_size(group));
}

int mbedtls_driver_group_read_scalar(struct mbedtls_driver_group *group, mbedtls_mpi *scalar,
                                     const uint8_t *data)
{
    return mbedtls_mpi_read_binary(scalar, data, group->size);
}

int mbedtls_driver_group_write_scalar(struct mbedtls_driver_group *group, const mbedtls_mpi *scalar,
                                      uint8_t *data)
{
    return mbedtls_mpi_write_binary(scalar, data, group->size);
}

int mbedtls_driver_group_draw(struct mbedtls_driver_group *group, mbedtls_mpi *scalar)
{
    return mbedtls_ecp_gen_privkey(&group->group, scalar, mbedtls_driver_draw, NULL);
}

int mbedtls_driver_group_multiply(struct mbedtls_driver_group *group, mbedtls_ecp_point *result,
                                  const mbedtls_mpi *scalar, const mbedtls_ecp_point *point)
{
    return mbedtls_ecp_mul(&group->group, result, scalar, point, mbedtls_driver_draw, NULL);
}

int mbedtls_driver_group_add(struct mbedtls_driver_group *group, mbedtls_ecp_point *result,
                             const mbedtls_ecp_point *point)
{
    mbedtls_mpi one;

    mbedtls_mpi_init(&one);
    int status = mbedtls_mpi_lset(&one, 1);
    if (status == 0) {
        status = mbedtls_ecp_muladd(&group->group, result, &one, result, &one, point);
    }
    mbedtls_mpi_free(&one);
    return status;
}

int mbedtls_driver_group_subtract(struct mbedtls_driver_group *group, mbedtls_ecp_point *result,
                                  const mbedtls_ecp_point *point)
{
    mbedtls_ecp_point negative;

    mbedtls_ecp_point_init(&negative);
    int status = mbedtls_ecp_copy(&negative, point);
    if (status == 0) {
        /* No point of a group of odd order has y = 0. */
        status = mbedtls_mpi_sub_mpi(&negative.MBEDTLS_PRIVATE(Y), &group->group.P,
                                     &point->MBEDTLS_PRIVATE(Y));
    }
    if (status == 0) {
        status = mbedtls_driver_group_add(group, result, &negative);
    }
    mbedtls_ecp_point_free(&negative);
    return status;
}

int mbedtls_driver_group_reduce(struct mbedtls_driver_group *group, mbedtls_mpi *scalar,
                                const uint8_t *data, size_t length)
{
    const int status = mbedtls_mpi_read_binary(scalar, data, length);

    return status == 0 ? mbedtls_mpi_mod_mpi(scalar, scalar, &group->group.N) : status;
}

int mbedtls_driver_group_multiply_scalars(struct mbedtls_driver_group *group, mbedtls_mpi *result,
                                          const mbedtls_mpi *a, const mbedtls_mpi *b)
{
    mbedtls_mpi blinded;

    mbedtls_mpi_init(&blinded);
    int status = mbedtls_mpi_fill_random(&blinded, BLINDING, mbedtls_driver_draw, NULL);
    if (status == 0) {
        status = mbedtls_mpi_mul_mpi(&blinded, &blinded, &group->group.N);
    }
    if (status == 0) {
        status = mbedtls_mpi_add_mpi(&blinded, &blinded, b);
    }
    if (status == 0) {
        status = mbedtls_mpi_mul_mpi(result, a, &blinded);
    }
    if (status == 0) {
        status = mbedtls_mpi_mod_mpi(result, result, &group->group.N);
    }
    mbedtls_mpi_free(&blinded);
    return status;
}
