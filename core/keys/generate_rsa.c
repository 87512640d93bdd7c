/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/key.h>

#include "create.h"

/* Odd and greater than 1; the first byte is the least significant one. */
static bool is_exponent(const uint8_t *exponent, size_t length)
{
    uint8_t others = exponent[0] & 0xfe;

    for (size_t i = 1; i < length; i++) {
        others |= exponent[i];
    }
    return (exponent[0] & 1) != 0 && others != 0;
}

psa_status_t corral_generate_rsa(const psa_key_attributes_t *attributes,
                                 const psa_custom_key_parameters_t *custom, const uint8_t *exponent,
                                 size_t exponent_length, psa_key_id_t *key)
{
    struct corral_key *slot;
    size_t length = 0;

    if (attributes->bits == 0 || !is_exponent(exponent, exponent_length)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = corral_create_begin(attributes, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    /* An element would first have to be asked for room: no driver of one generates RSA keys. */
    status = PSA_ERROR_NOT_SUPPORTED;
    if (corral_attributes_are_local(&slot->attributes)) {
        status = corral_dispatch_generate_key_custom(
            &slot->attributes, custom, exponent, exponent_length, corral_key_data(slot),
            corral_key_capacity(&slot->attributes), &length);
    }
    slot->length = (uint16_t)length;
    return corral_create_end(slot, status, key);
}
