/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"

#include <string.h>

#include <corral/driver.h>

#define SIZE 32u
/* max_number_of_bits_per_request is 2^19 (table 2); size_t may have 16 bits. */
#define REQUEST_MAX ((size_t)0x8000)

/* output = HMAC(key, value || separator || data); without separator and data if `data` is NULL. */
static psa_status_t step(const compose_drbg_context_t *context, const uint8_t *separator,
                         const uint8_t *data, size_t data_size, uint8_t output[SIZE])
{
    compose_hmac_operation_t hmac;
    size_t length;

    memset(&hmac, 0, sizeof hmac);
    psa_status_t status = compose_hmac_begin(&hmac, PSA_ALG_SHA_256, context->key, SIZE);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = compose_hmac_update(&hmac, context->value, SIZE);
    if (status == PSA_SUCCESS && separator != NULL) {
        status = compose_hmac_update(&hmac, separator, 1);
    }
    if (status == PSA_SUCCESS && data_size > 0) {
        status = compose_hmac_update(&hmac, data, data_size);
    }
    if (status == PSA_SUCCESS) {
        status = compose_hmac_finish(&hmac, output, SIZE, &length);
    }
    (void)compose_hmac_abort(&hmac);
    return status;
}

/* HMAC_DRBG_Update (10.1.2.2), the half of it that `round` (0 or 1) marks. */
static psa_status_t half_update(compose_drbg_context_t *context, uint8_t round, const uint8_t *data,
                                size_t data_size)
{
    psa_status_t status = step(context, &round, data, data_size, context->key);

    return status == PSA_SUCCESS ? step(context, NULL, NULL, 0, context->value) : status;
}

static psa_status_t update(compose_drbg_context_t *context, const uint8_t *data, size_t data_size)
{
    psa_status_t status = half_update(context, 0, data, data_size);

    if (status == PSA_SUCCESS && data_size > 0) {
        status = half_update(context, 1, data, data_size);
    }
    return status;
}

/* The first entropy instantiates, further entropy reseeds. */
psa_status_t compose_drbg_init_random(compose_drbg_context_t *context)
{
    memset(context->key, 0x00, SIZE);
    memset(context->value, 0x01, SIZE);
    return PSA_SUCCESS;
}

psa_status_t compose_drbg_add_entropy(compose_drbg_context_t *context, const uint8_t *entropy,
                                      size_t entropy_size)
{
    return update(context, entropy, entropy_size);
}

/* At most 32,768 bytes a call, half of the standard's bound on one request. */
psa_status_t compose_drbg_get_random(compose_drbg_context_t *context, uint8_t *output,
                                     size_t output_size, size_t *output_length)
{
    const size_t size = output_size < REQUEST_MAX ? output_size : REQUEST_MAX;
    psa_status_t status = PSA_SUCCESS;

    for (size_t done = 0; status == PSA_SUCCESS && done < size; done += SIZE) {
        const size_t part = size - done < SIZE ? size - done : SIZE;
        status = step(context, NULL, NULL, 0, context->value);
        memcpy(output + done, context->value, part);
    }
    if (status == PSA_SUCCESS) {
        status = update(context, NULL, 0);
    }
    *output_length = size;
    return status;
}
