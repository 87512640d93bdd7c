/* SPDX-License-Identifier: Apache-2.0 */
#include "hash_state.h"

#include <string.h>

#include <corral/driver.h>

#define CHAINING_MAX_SIZE 64

/* The sizes of one hash's suspend state, in bytes. */
struct layout {
    size_t count;
    size_t chaining;
    size_t block;
};

static struct layout layout_of(const br_hash_class *class)
{
    struct layout layout;

    layout.count = (class->desc & BR_HASHDESC_MD_PADDING_128) != 0 ? 16 : 8;
    layout.chaining =
        (size_t)(class->desc >> BR_HASHDESC_STATE_OFF) & (size_t)BR_HASHDESC_STATE_MASK;
    layout.block = (size_t)1 << ((class->desc >> BR_HASHDESC_LBLEN_OFF) & BR_HASHDESC_LBLEN_MASK);
    return layout;
}

psa_status_t bearssl_driver_hash_store(const br_hash_class *const *context, const uint8_t *block,
                                       uint8_t *state, size_t state_size, size_t *state_length)
{
    const struct layout layout = layout_of(*context);
    psa_status_t status = PSA_ERROR_BUFFER_TOO_SMALL;
    uint8_t chaining[CHAINING_MAX_SIZE];
    uint64_t count = (*context)->state(context, chaining);
    const size_t pending = (size_t)(count & (layout.block - 1));
    const size_t length = layout.count + layout.chaining + pending;
    size_t i;

    if (state_size >= length) {
        for (i = layout.count; i > 0; i--) {
            state[i - 1] = (uint8_t)count;
            count >>= 8;
        }
        memcpy(state + layout.count, chaining, layout.chaining);
        memcpy(state + layout.count + layout.chaining, block, pending);
        *state_length = length;
        status = PSA_SUCCESS;
    }
    corral_wipe(chaining, sizeof(chaining));
    return status;
}

psa_status_t bearssl_driver_hash_load(const br_hash_class **context, const uint8_t *state,
                                      size_t state_length)
{
    const struct layout layout = layout_of(*context);
    const uint8_t *const chaining = state + layout.count;
    uint64_t count = 0;
    uint8_t overflow = 0;
    size_t pending;
    size_t i;

    if (state_length < layout.count + layout.chaining) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    for (i = 0; i < layout.count; i++) {
        overflow |= (uint8_t)(count >> 56);
        count = (count << 8) | state[i];
    }
    if (overflow != 0) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    pending = (size_t)(count & (layout.block - 1));
    /* A length field of 8 bytes belongs to the hashes whose padding counts bits in 64 bits. */
    if (state_length != layout.count + layout.chaining + pending ||
        (layout.count == 8 && (count >> 61) != 0)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    (*context)->set_state(context, chaining, count - pending);
    (*context)->update(context, chaining + layout.chaining, pending);
    return PSA_SUCCESS;
}
