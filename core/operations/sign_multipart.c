/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signatures of messages in parts: a hash in parts, and the signature of it. They therefore
 * support the algorithms that sign a hash; no driver of this version signs by others in parts.
 */
#include <string.h>

#include <corral/dispatch/hash.h>
#include <corral/dispatch/serves.h>
#include <corral/driver.h>

#include "../common/multipart.h"
#include "../common/output.h"
#include "../keys/hold.h"
#include "sign_context.h"
#include "sign_refusal.h"

/* A signature to be verified stays until the operation is aborted: it is no secret. */
static CORRAL_DEFINE_FAIL(fail, struct corral_signature_in_parts,
                          corral_dispatch_hash_abort(&operation->hash));

static psa_status_t abort_operation(struct corral_signature_in_parts *part)
{
    (void)fail(part, PSA_SUCCESS);
    part->alg = PSA_ALG_NONE;
    return PSA_SUCCESS;
}

/* Whether the build can sign (or verify) with a held key what was hashed in parts. */
static psa_status_t check_key(const struct corral_key *key, psa_algorithm_t alg, bool is_signing)
{
    if (is_signing && !PSA_KEY_TYPE_IS_KEY_PAIR(key->attributes.type)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return PSA_ALG_IS_HASH_AND_SIGN(alg) && !PSA_ALG_IS_WILDCARD(alg) &&
                   corral_dispatch_serves(
                       &key->attributes,
                       is_signing ? PSA_KEY_USAGE_SIGN_HASH : PSA_KEY_USAGE_VERIFY_HASH, alg)
               ? PSA_SUCCESS
               : corral_sign_refusal(&key->attributes, alg, true);
}

static psa_status_t setup(struct corral_signature_in_parts *part, psa_key_id_t key,
                          psa_algorithm_t alg, bool is_signing)
{
    struct corral_key *slot;

    psa_status_t status = corral_key_hold_to_begin(
        part->alg, key, is_signing ? PSA_KEY_USAGE_SIGN_MESSAGE : PSA_KEY_USAGE_VERIFY_MESSAGE, alg,
        &slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = check_key(slot, alg, is_signing);
    const struct corral_bound_key bound = corral_key_bind(slot);
    corral_key_release(slot);
    if (status != PSA_SUCCESS) {
        return status;
    }
    corral_wipe(part, sizeof *part);
    status = corral_dispatch_hash_setup(&part->hash, PSA_ALG_GET_HASH(alg));
    if (status == PSA_SUCCESS) {
        part->alg = alg;
        part->key = bound;
    } else {
        corral_wipe(part, sizeof *part);
    }
    return status;
}

static psa_status_t set_context(struct corral_signature_in_parts *part, const uint8_t *context,
                                size_t length)
{
    struct corral_key *slot;

    psa_status_t status = corral_key_hold_to_go_on(part->alg, &part->key, &slot);
    if (status == PSA_SUCCESS) {
        corral_key_release(slot);
        status = part->is_begun ? PSA_ERROR_BAD_STATE : corral_check_context(part->alg, length);
    }
    if (status == PSA_SUCCESS && length > CORRAL_SIGN_CONTEXT_MAX_SIZE) {
        status = PSA_ERROR_NOT_SUPPORTED;
    }
    if (status != PSA_SUCCESS) {
        return fail(part, status);
    }
    if (length != 0) {
        memcpy(part->context, context, length);
    }
    part->context_length = (uint8_t)length;
    part->is_begun = true;
    return PSA_SUCCESS;
}

static psa_status_t update(struct corral_signature_in_parts *part, const uint8_t *input,
                           size_t input_length)
{
    struct corral_key *slot;

    psa_status_t status = corral_key_hold_to_go_on(part->alg, &part->key, &slot);
    if (status == PSA_SUCCESS) {
        part->is_begun = true;
        status = corral_dispatch_hash_update(&part->hash, input, input_length);
        corral_key_release(slot);
    }
    return status == PSA_SUCCESS ? PSA_SUCCESS : fail(part, status);
}

/*
 * Finish the hash into `hash` (CORRAL_HASH_MAX_LENGTH bytes) and hold the key. On success it is
 * held, and `input` says what to sign.
 */
static psa_status_t finish_hash(struct corral_signature_in_parts *part, uint8_t *hash,
                                struct corral_signed *input, struct corral_key **slot)
{
    psa_status_t status = corral_key_hold_to_go_on(part->alg, &part->key, slot);

    if (status != PSA_SUCCESS) {
        return status;
    }
    input->alg = part->alg;
    input->input = hash;
    input->context = part->context;
    input->context_length = part->context_length;
    status = corral_dispatch_hash_finish(&part->hash, hash, CORRAL_HASH_MAX_LENGTH,
                                         &input->input_length);
    if (status != PSA_SUCCESS) {
        corral_key_release(*slot);
    }
    return status;
}

psa_status_t psa_sign_setup(psa_sign_operation_t *operation, psa_key_id_t key, psa_algorithm_t alg)
{
    return setup(&operation->part, key, alg, true);
}

psa_status_t psa_sign_set_context(psa_sign_operation_t *operation, const uint8_t *context,
                                  size_t context_length)
{
    return set_context(&operation->part, context, context_length);
}

psa_status_t psa_sign_update(psa_sign_operation_t *operation, const uint8_t *input,
                             size_t input_length)
{
    return update(&operation->part, input, input_length);
}

psa_status_t psa_sign_finish(psa_sign_operation_t *operation, uint8_t *signature,
                             size_t signature_size, size_t *signature_length)
{
    uint8_t hash[CORRAL_HASH_MAX_LENGTH];
    struct corral_signed input;
    struct corral_key *slot;

    *signature_length = 0;
    psa_status_t status = finish_hash(&operation->part, hash, &input, &slot);
    if (status == PSA_SUCCESS) {
        status = corral_sign_hash(slot, &input, signature, signature_size, signature_length);
        corral_key_release(slot);
        corral_wipe(hash, sizeof hash);
        if (status != PSA_SUCCESS) {
            corral_output_discard(signature, signature_size, signature_length);
        }
    }
    if (status != PSA_SUCCESS) {
        return fail(&operation->part, status);
    }
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}

psa_status_t psa_sign_abort(psa_sign_operation_t *operation)
{
    return abort_operation(&operation->part);
}

psa_status_t psa_verify_setup(psa_verify_operation_t *operation, psa_key_id_t key,
                              psa_algorithm_t alg, const uint8_t *signature,
                              size_t signature_length)
{
    psa_status_t status = setup(&operation->part, key, alg, false);

    /* For a signature longer than any only the length is kept: it cannot be valid. */
    if (status == PSA_SUCCESS) {
        const size_t room = sizeof operation->signature;
        operation->signature_length = (uint16_t)(signature_length <= room ? signature_length : 0);
        if (operation->signature_length != 0) {
            memcpy(operation->signature, signature, signature_length);
        }
    }
    return status;
}

psa_status_t psa_verify_set_context(psa_verify_operation_t *operation, const uint8_t *context,
                                    size_t context_length)
{
    return set_context(&operation->part, context, context_length);
}

psa_status_t psa_verify_update(psa_verify_operation_t *operation, const uint8_t *input,
                               size_t input_length)
{
    return update(&operation->part, input, input_length);
}

psa_status_t psa_verify_finish(psa_verify_operation_t *operation)
{
    uint8_t hash[CORRAL_HASH_MAX_LENGTH];
    struct corral_signed input;
    struct corral_key *slot;

    psa_status_t status = finish_hash(&operation->part, hash, &input, &slot);
    if (status == PSA_SUCCESS) {
        status =
            corral_verify_hash(slot, &input, operation->signature, operation->signature_length);
        corral_key_release(slot);
    }
    if (status != PSA_SUCCESS) {
        return fail(&operation->part, status);
    }
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}

psa_status_t psa_verify_abort(psa_verify_operation_t *operation)
{
    (void)abort_operation(&operation->part);
    corral_wipe(operation, sizeof *operation);
    return PSA_SUCCESS;
}
