/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GCM with AES; GHASH by 32-bit multiplications, whose time does not depend on the data.
 * The library's context points to the keys; the pointer is set again by each call, because
 * operations may be moved.
 */
#include <corral/drivers/bearssl/entry_points.h>

#include "aes_keys.h"
#include "stack.h"

#include <string.h>

#include <bearssl_aead.h>
#include <corral/aead.h>
#include <corral/driver.h>

CORRAL_REPEATS(bearssl_driver_gcm_t, br_gcm_context);
CORRAL_REPEATS(bearssl_driver_aes_keys_t, br_aes_ct_ctr_keys);

static br_gcm_context *context_of(bearssl_driver_gcm_operation_t *operation)
{
    br_gcm_context *const context = (br_gcm_context *)&operation->state;

    context->bctx = (const br_block_ctr_class **)(void *)&operation->keys;
    return context;
}

static psa_status_t setup(bearssl_driver_gcm_operation_t *operation, const uint8_t *key,
                          size_t key_length, psa_algorithm_t alg, bool is_encrypt)
{
    br_aes_ct_ctr_init((br_aes_ct_ctr_keys *)&operation->keys, key, key_length);
    bearssl_driver_wipe_stack_aead();
    operation->tag_length = (uint8_t)corral_aead_tag_length(alg);
    operation->is_encrypt = is_encrypt;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_gcm_encrypt_setup(bearssl_driver_gcm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg)
{
    (void)attributes;
    return setup(operation, key_buffer, key_buffer_size, alg, true);
}

psa_status_t bearssl_driver_gcm_decrypt_setup(bearssl_driver_gcm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg)
{
    (void)attributes;
    return setup(operation, key_buffer, key_buffer_size, alg, false);
}

psa_status_t bearssl_driver_gcm_set_nonce(bearssl_driver_gcm_operation_t *operation,
                                          const uint8_t *nonce, size_t nonce_length)
{
    br_gcm_context *const context = (br_gcm_context *)&operation->state;

    br_gcm_init(context, (const br_block_ctr_class **)(void *)&operation->keys, br_ghash_ctmul32);
    br_gcm_reset(context, nonce, nonce_length);
    bearssl_driver_wipe_stack_aead();
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_gcm_update_ad(bearssl_driver_gcm_operation_t *operation,
                                          const uint8_t *input, size_t input_length)
{
    br_gcm_aad_inject(context_of(operation), input, input_length);
    bearssl_driver_wipe_stack_aead();
    return PSA_SUCCESS;
}

/* From additional data to text, once. */
static br_gcm_context *text_of(bearssl_driver_gcm_operation_t *operation)
{
    br_gcm_context *const context = context_of(operation);

    if (!operation->has_text) {
        operation->has_text = 1;
        br_gcm_flip(context);
    }
    return context;
}

psa_status_t bearssl_driver_gcm_update(bearssl_driver_gcm_operation_t *operation,
                                       const uint8_t *input, size_t input_length, uint8_t *output,
                                       size_t output_size, size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (input != output) {
        memcpy(output, input, input_length);
    }
    br_gcm_run(text_of(operation), operation->is_encrypt, output, input_length);
    bearssl_driver_wipe_stack_aead();
    *output_length = input_length;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_gcm_finish(bearssl_driver_gcm_operation_t *operation, uint8_t *tag,
                                       size_t tag_size, size_t *tag_length)
{
    if (tag_size < operation->tag_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    br_gcm_get_tag_trunc(text_of(operation), tag, operation->tag_length);
    bearssl_driver_wipe_stack_aead();
    *tag_length = operation->tag_length;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_gcm_abort(bearssl_driver_gcm_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
