/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who runs authenticated encryption. Call only with a type of key and an algorithm for which
 * corral_aead_nonce_length() is not 0. Generated from a configuration, board native and each
 * driver.json. Made by corral.generate.aead of the rows of family aead in
 * dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_AEAD_H
#define CORRAL_DISPATCH_AEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/aead.h>
#include <corral/unserved.h>
#include <psa/crypto.h>

/* No driver of this build serves these. */
#define corral_dispatch_aead_setup(...) CORRAL_UNSERVED_6(__VA_ARGS__)
#define corral_dispatch_aead_set_nonce(...) CORRAL_UNSERVED_3(__VA_ARGS__)
#define corral_dispatch_aead_update_ad(...) CORRAL_UNSERVED_3(__VA_ARGS__)
#define corral_dispatch_aead_update(...) CORRAL_UNSERVED_6(__VA_ARGS__)
#define corral_dispatch_aead_finish(...) CORRAL_UNSERVED_4(__VA_ARGS__)
#define corral_dispatch_aead_verify(...) CORRAL_UNSERVED_3(__VA_ARGS__)
#define corral_dispatch_aead_abort(...) CORRAL_UNSERVED_ABORT(__VA_ARGS__)
#define corral_dispatch_aead_encrypt(...) CORRAL_UNSERVED_13(__VA_ARGS__)
#define corral_dispatch_aead_decrypt(...) CORRAL_UNSERVED_13(__VA_ARGS__)

/* The algorithm with its usual tag: drivers serve all lengths of tags, or refuse some. */
static inline psa_algorithm_t corral_aead_base(psa_algorithm_t alg)
{
    return PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(alg);
}

/* Bytes of the usual nonce, by the algorithm with its usual tag; 0: not served. */
static inline size_t corral_aead_nonce_length(psa_algorithm_t alg, psa_key_type_t type)
{
    (void)alg;
    (void)type;
    return 0;
}

/*
 * 1: of local keys, in whole messages alone, by a driver to which nonce and text may overlap the
 * output.
 */
static inline size_t corral_aead_copies(psa_algorithm_t alg, psa_key_type_t type)
{
    (void)alg;
    (void)type;
    return 0;
}

static inline psa_status_t corral_dispatch_aead_set_lengths(corral_aead_context_t *context,
                                                            size_t ad_length,
                                                            size_t plaintext_length)
{
    (void)context;
    (void)ad_length;
    (void)plaintext_length;
    return PSA_SUCCESS;
}

#endif
