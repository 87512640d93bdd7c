/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CCM with AES, by the library's CTR and CBC-MAC in one pass.
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

CORRAL_REPEATS(bearssl_driver_ccm_t, br_ccm_context);

static br_ccm_context *context_of(bearssl_driver_ccm_operation_t *operation)
{
    br_ccm_context *const context = (br_ccm_context *)&operation->state;

    context->bctx = (const br_block_ctrcbc_class **)(void *)&operation->keys;
    return context;
}

static psa_status_t setup(bearssl_driver_ccm_operation_t *operation, const uint8_t *key,
                          size_t key_length, psa_algorithm_t alg, bool is_encrypt)
{
    br_aes_ct_ctrcbc_init((br_aes_ct_ctrcbc_keys *)&operation->keys, key, key_length);
    bearssl_driver_wipe_stack_aead();
    operation->tag_length = (uint8_t)corral_aead_tag_length(alg);
    operation->is_encrypt = is_encrypt;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_ccm_encrypt_setup(bearssl_driver_ccm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg)
{
    (void)attributes;
    return setup(operation, key_buffer, key_buffer_size, alg, true);
}

psa_status_t bearssl_driver_ccm_decrypt_setup(bearssl_driver_ccm_operation_t *operation,
                                              const psa_key_attributes_t *attributes,
                                              const uint8_t *key_buffer, size_t key_buffer_size,
                                              psa_algorithm_t alg)
{
    (void)attributes;
    return setup(operation, key_buffer, key_buffer_size, alg, false);
}

psa_status_t bearssl_driver_ccm_set_lengths(bearssl_driver_ccm_operation_t *operation,
                                            size_t ad_length, size_t plaintext_length)
{
    operation->ad_length = ad_length;
    operation->text_length = plaintext_length;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_ccm_set_nonce(bearssl_driver_ccm_operation_t *operation,
                                          const uint8_t *nonce, size_t nonce_length)
{
    br_ccm_context *const context = (br_ccm_context *)&operation->state;

    br_ccm_init(context, (const br_block_ctrcbc_class **)(void *)&operation->keys);
    const int is_begun = br_ccm_reset(context, nonce, nonce_length, operation->ad_length,
                                      operation->text_length, operation->tag_length);
    bearssl_driver_wipe_stack_aead();
    return is_begun ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
}

psa_status_t bearssl_driver_ccm_update_ad(bearssl_driver_ccm_operation_t *operation,
                                          const uint8_t *input, size_t input_length)
{
    br_ccm_aad_inject(context_of(operation), input, input_length);
    bearssl_driver_wipe_stack_aead();
    return PSA_SUCCESS;
}

/* From additional data to text, once. */
static br_ccm_context *text_of(bearssl_driver_ccm_operation_t *operation)
{
    br_ccm_context *const context = context_of(operation);

    if (!operation->has_text) {
        operation->has_text = 1;
        br_ccm_flip(context);
    }
    return context;
}

psa_status_t bearssl_driver_ccm_update(bearssl_driver_ccm_operation_t *operation,
                                       const uint8_t *input, size_t input_length, uint8_t *output,
                                       size_t output_size, size_t *output_length)
{
    if (output_size < input_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (input != output) {
        memcpy(output, input, input_length);
    }
    br_ccm_run(text_of(operation), operation->is_encrypt, output, input_length);
    bearssl_driver_wipe_stack_aead();
    *output_length = input_length;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_ccm_finish(bearssl_driver_ccm_operation_t *operation, uint8_t *tag,
                                       size_t tag_size, size_t *tag_length)
{
    if (tag_size < operation->tag_length) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    (void)br_ccm_get_tag(text_of(operation), tag);
    bearssl_driver_wipe_stack_aead();
    *tag_length = operation->tag_length;
    return PSA_SUCCESS;
}

psa_status_t bearssl_driver_ccm_abort(bearssl_driver_ccm_operation_t *operation)
{
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
