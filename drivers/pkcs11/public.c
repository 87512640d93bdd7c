/* SPDX-License-Identifier: Apache-2.0 */
/* Public keys of pairs, in PSA's format. */
#include <string.h>

#include <corral/drivers/pkcs11/entry_points.h>

#include <corral/rsa.h>

#include "curve.h"
#include "object.h"

#define DER_OCTET_STRING 0x04u
#define UNCOMPRESSED 0x04u
#define HEAD_MAX_SIZE 3u

/*
 * The point in a CKA_EC_POINT: in an octet string of DER, as the standard says, or bare, as some
 * tokens have it. Null: neither.
 */
static const uint8_t *point_in(const uint8_t *value, size_t length, size_t size)
{
    if (length < size || length > size + HEAD_MAX_SIZE) {
        return NULL;
    }
    const uint8_t *point = value + (length - size);
    const size_t head = length - size;
    const bool is_headed =
        (head == 2 && value[0] == DER_OCTET_STRING && value[1] == size && size < 0x80) ||
        (head == 3 && value[0] == DER_OCTET_STRING && value[1] == 0x81 && value[2] == size &&
         size >= 0x80);
    return point[0] == UNCOMPRESSED && (head == 0 || is_headed) ? point : NULL;
}

static psa_status_t open_public(struct pkcs11_call *call, const psa_key_attributes_t *attributes,
                                const uint8_t *key_buffer, CK_OBJECT_HANDLE *object)
{
    const psa_status_t status = pkcs11_open(call, corral_pkcs11_device_index(attributes));

    return status == PSA_SUCCESS
               ? pkcs11_find_public(call, attributes, (const struct pkcs11_key *)key_buffer, object)
               : status;
}

/* PSA_ERROR_NOT_SUPPORTED: the token does not say the public key of this pair. */
psa_status_t pkcs11_export_ec_public_key(const psa_key_attributes_t *attributes,
                                         const uint8_t *key_buffer, size_t key_buffer_size,
                                         uint8_t *data, size_t data_size, size_t *data_length)
{
    struct pkcs11_call call;
    CK_OBJECT_HANDLE object;
    uint8_t value[HEAD_MAX_SIZE + PKCS11_POINT_MAX_SIZE];
    const size_t size = 1 + 2 * CORRAL_BITS_TO_BYTES(attributes->bits);
    size_t length = 0;

    (void)key_buffer_size;
    if (data_size < size) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    psa_status_t status = open_public(&call, attributes, key_buffer, &object);
    if (status == PSA_SUCCESS) {
        status = pkcs11_read(&call, object, CKA_EC_POINT, value, sizeof value, &length);
    }
    if (status == PSA_SUCCESS) {
        const uint8_t *point = point_in(value, length, size);
        if (point == NULL) {
            status = pkcs11_lied(&call);
        } else {
            memcpy(data, point, size);
            *data_length = size;
        }
    }
    return pkcs11_close(&call, status);
}

/* A number without zeros in front. */
static struct corral_rsa_field field_of(const uint8_t *value, size_t length)
{
    while (length > 0 && value[0] == 0) {
        value++;
        length--;
    }
    return (struct corral_rsa_field){value, length};
}

psa_status_t pkcs11_export_rsa_public_key(const psa_key_attributes_t *attributes,
                                          const uint8_t *key_buffer, size_t key_buffer_size,
                                          uint8_t *data, size_t data_size, size_t *data_length)
{
    struct pkcs11_call call;
    CK_OBJECT_HANDLE object;
    uint8_t modulus[1 + CORRAL_RSA_MAX_SIZE];
    uint8_t exponent[CORRAL_RSA_PUBLIC_EXPONENT_MAX_SIZE];
    size_t modulus_length = 0;
    size_t exponent_length = 0;
    struct corral_rsa_key key = {0};

    (void)key_buffer_size;
    psa_status_t status = open_public(&call, attributes, key_buffer, &object);
    if (status == PSA_SUCCESS) {
        status = pkcs11_read(&call, object, CKA_MODULUS, modulus, sizeof modulus, &modulus_length);
    }
    if (status == PSA_SUCCESS) {
        status = pkcs11_read(&call, object, CKA_PUBLIC_EXPONENT, exponent, sizeof exponent,
                             &exponent_length);
    }
    if (status == PSA_SUCCESS) {
        key.numbers[CORRAL_RSA_MODULUS] = field_of(modulus, modulus_length);
        key.numbers[CORRAL_RSA_PUBLIC_EXPONENT] = field_of(exponent, exponent_length);
        status = key.numbers[CORRAL_RSA_MODULUS].length == CORRAL_BITS_TO_BYTES(attributes->bits) &&
                         key.numbers[CORRAL_RSA_PUBLIC_EXPONENT].length > 0
                     ? corral_rsa_write_public(&key, data, data_size, data_length)
                     : pkcs11_lied(&call);
    }
    return pkcs11_close(&call, status);
}
