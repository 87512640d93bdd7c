/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inputs of a key derivation, as a driver sees them in key_derivation_setup(): all at once, in
 * the order that the algorithm asks for. They are gone when setup returns; a driver keeps what it
 * needs. The core has checked the order, types of keys, policies and sizes.
 */
#ifndef CORRAL_DERIVATION_H
#define CORRAL_DERIVATION_H

#include <stddef.h>
#include <stdint.h>

#include <psa/crypto_families.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No algorithm has more steps. */
#define CORRAL_DERIVATION_STEPS 4

struct corral_derivation_input {
    psa_key_derivation_step_t step;         /* 0: no input */
    const psa_key_attributes_t *attributes; /* of the key that was given, NULL for bytes */
    const uint8_t *data;                    /* never NULL; the key context of an element's key */
    size_t length;
};

/* The name is that of the PSA Crypto Driver Interface 1.0. */
typedef struct {
    struct corral_derivation_input inputs[CORRAL_DERIVATION_STEPS];
    uint32_t cost;   /* PSA_KEY_DERIVATION_INPUT_COST, at least 1; 0 if there is no such step */
    size_t capacity; /* bytes that will be asked for at most; part of SP 800-108 */
} psa_crypto_driver_key_derivation_inputs_t;

/* The input of a step; one with step 0 and length 0 if the application left it out. */
const struct corral_derivation_input *
corral_derivation_input_of(const psa_crypto_driver_key_derivation_inputs_t *inputs,
                           psa_key_derivation_step_t step);

#ifdef __cplusplus
}
#endif

#endif
