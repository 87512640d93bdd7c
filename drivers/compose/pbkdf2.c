/* SPDX-License-Identifier: Apache-2.0 */
#include "shared.h"

void compose_pbkdf2_begin(compose_pbkdf2_t *common,
                          const psa_crypto_driver_key_derivation_inputs_t *inputs)
{
    size_t length = 0;

    compose_append(common->salt, &length,
                   corral_derivation_input_of(inputs, PSA_KEY_DERIVATION_INPUT_SALT));
    common->salt_length = (uint16_t)length;
    common->cost = inputs->cost;
}

void compose_pbkdf2_next(compose_pbkdf2_t *common, size_t *length)
{
    common->counter++;
    common->used = 0;
    compose_put_number(common->salt + common->salt_length, common->counter);
    *length = (size_t)common->salt_length + 4;
}
