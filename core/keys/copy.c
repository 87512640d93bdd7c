/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/dispatch/key.h>
#include <corral/driver.h>

#include "create.h"
#include "export.h"
#include "hold.h"
#include "policy.h"

/* The largest key that is taken through this memory on its way between two locations. */
#define TRANSIT_SIZE                                                                               \
    (CORRAL_SINGLE_KEY_MAX_SIZE > CORRAL_PAIR_PRIVATE_MAX_SIZE ? CORRAL_SINGLE_KEY_MAX_SIZE        \
                                                               : CORRAL_PAIR_PRIVATE_MAX_SIZE)

/*
 * Attributes of the copy: lifetime from `wanted`, type and size of the source, both policies.
 * A source without algorithm can be copied, as one that permits none.
 */
static psa_status_t combine(const psa_key_attributes_t *source, const psa_key_attributes_t *wanted,
                            psa_key_attributes_t *copy)
{
    *copy = corral_attributes_of(wanted);
    if ((copy->type != PSA_KEY_TYPE_NONE && copy->type != source->type) ||
        (copy->bits != 0 && copy->bits != source->bits)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const psa_algorithm_t alg = copy->algorithm;
    copy->type = source->type;
    copy->bits = source->bits;
    copy->usage &= source->usage;
    copy->algorithm = corral_policy_intersection(source->type, source->algorithm, alg);
    return copy->algorithm == PSA_ALG_NONE && source->algorithm != alg ? PSA_ERROR_INVALID_ARGUMENT
                                                                       : PSA_SUCCESS;
}

static psa_status_t copy_in_memory(struct corral_key *source, struct corral_key *target)
{
    target->length = source->length;
    target->public_length = source->public_length;
    corral_copy(corral_key_data(target), corral_key_data(source),
                (size_t)source->length + source->public_length);
    return PSA_SUCCESS;
}

static psa_status_t copy_in_element(struct corral_key *source, struct corral_key *target)
{
    size_t length = 0;

    psa_status_t status = corral_dispatch_copy_key(
        &target->attributes, corral_key_data(source), source->length, corral_key_data(target),
        corral_key_capacity(&target->attributes), &length);
    target->length = (uint16_t)length;
    return status;
}

static psa_status_t copy_across(struct corral_key *source, struct corral_key *target)
{
    uint8_t transit[TRANSIT_SIZE + 1]; /* one more, so that a build without keys is still C */
    size_t length = 0;

    psa_status_t status = corral_export_whole(source, transit, TRANSIT_SIZE, &length);
    if (status == PSA_SUCCESS) {
        status = corral_create_import(target, transit, length);
    } else if (status == PSA_ERROR_BUFFER_TOO_SMALL) {
        status = PSA_ERROR_NOT_SUPPORTED;
    }
    corral_wipe(transit, sizeof transit);
    return status;
}

static psa_status_t copy_material(struct corral_key *source, struct corral_key *target)
{
    const psa_key_location_t from = corral_attributes_location(&source->attributes);
    const psa_key_location_t to = corral_attributes_location(&target->attributes);

    if (from != to) {
        /* Leaving an element is an export; public keys may always be exported. */
        if (from != PSA_KEY_LOCATION_LOCAL_STORAGE &&
            !PSA_KEY_TYPE_IS_PUBLIC_KEY(source->attributes.type) &&
            (source->attributes.usage & PSA_KEY_USAGE_EXPORT) == 0) {
            return PSA_ERROR_NOT_PERMITTED;
        }
        return copy_across(source, target);
    }
    return corral_attributes_are_local(&source->attributes) ? copy_in_memory(source, target)
                                                            : copy_in_element(source, target);
}

psa_status_t psa_copy_key(psa_key_id_t source_key, const psa_key_attributes_t *attributes,
                          psa_key_id_t *target_key)
{
    struct corral_key *source;
    struct corral_key *target;
    psa_key_attributes_t combined;

    corral_no_key_yet(target_key);
    psa_status_t status =
        corral_key_hold_for(source_key, PSA_KEY_USAGE_COPY, PSA_ALG_NONE, &source);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = combine(&source->attributes, attributes, &combined);
    if (status == PSA_SUCCESS) {
        status = corral_create_begin(&combined, &target);
    }
    if (status == PSA_SUCCESS) {
        status = copy_material(source, target);
        status = corral_create_end(target, status, target_key);
    }
    corral_key_release(source);
    return status;
}
