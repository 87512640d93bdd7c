/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/key.h>

#include "create.h"

/* Bytes of the longest public exponent; drivers take shorter ones. */
#define EXPONENT_SIZE 8u

/*
 * Copy a public exponent, the first byte of which is the least significant one. The copy is
 * checked, and the driver sees no other. It is odd and greater than 1.
 */
static psa_status_t take_exponent(uint8_t exponent[EXPONENT_SIZE], const uint8_t *data,
                                  size_t length)
{
    uint8_t others = 0;
    uint8_t beyond = 0;

    for (size_t i = 0; i < length; i++) {
        const uint8_t byte = *(const volatile uint8_t *)&data[i];
        if (i < EXPONENT_SIZE) {
            exponent[i] = byte;
        } else {
            beyond |= byte;
        }
        others = (uint8_t)(others | (i == 0 ? byte & 0xfeu : byte));
    }
    if ((exponent[0] & 1) == 0 || others == 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return beyond == 0 ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED;
}

/*
 * Generate an RSA key pair with a public exponent, which is read once.
 *   PSA_ERROR_INVALID_ARGUMENT  the size is missing, or it is no public exponent: even, or 1
 *   PSA_ERROR_NOT_SUPPORTED     no driver generates such a key, or the exponent is over 8 bytes
 */
static psa_status_t generate_rsa(const psa_key_attributes_t *attributes, const uint8_t *exponent,
                                 size_t exponent_length, psa_key_id_t *key)
{
    const psa_custom_key_parameters_t custom = {0};
    uint8_t taken[EXPONENT_SIZE] = {0};
    struct corral_key *slot;
    size_t length = 0;

    if (attributes->bits == 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    psa_status_t status = take_exponent(taken, exponent, exponent_length);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_create_begin(attributes, &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    /* An element would first have to be asked for room, and no driver of one takes an exponent. */
    status = PSA_ERROR_NOT_SUPPORTED;
    if (corral_attributes_are_local(&slot->attributes)) {
        status = corral_dispatch_generate_key_custom(
            &slot->attributes, &custom, taken, sizeof taken, corral_key_data(slot),
            corral_key_capacity(&slot->attributes), &length);
    }
    slot->length = (uint16_t)length;
    return corral_create_end(slot, status, key);
}

psa_status_t psa_generate_key_custom(const psa_key_attributes_t *attributes,
                                     const psa_custom_key_parameters_t *custom,
                                     const uint8_t *custom_data, size_t custom_data_length,
                                     psa_key_id_t *key)
{
    corral_no_key_yet(key);
    /* Only RSA keys have production parameters, and none of them a flag. */
    if (custom->flags != 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (custom_data_length == 0) {
        return psa_generate_key(attributes, key);
    }
    const psa_key_attributes_t wanted = corral_attributes_of(attributes);
    if (wanted.type != PSA_KEY_TYPE_RSA_KEY_PAIR) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (!CORRAL_WANT_KEY_TYPE_RSA_KEY_PAIR_GENERATE) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return generate_rsa(&wanted, custom_data, custom_data_length, key);
}
