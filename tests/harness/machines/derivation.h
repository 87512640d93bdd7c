/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key derivations (PSA Crypto 1.5, 10.8). The table of an algorithm is unfolded from the orders in
 * which it takes its inputs: each beginning of one is a state.
 */
#ifndef TEST_MACHINE_DERIVATION_H
#define TEST_MACHINE_DERIVATION_H

#include <string.h>

#include "machine.h"

/* Steps by letters. */
static const char derivation_letters[] = "Kopsidlxc";
static const psa_key_derivation_step_t derivation_steps[] = {
    PSA_KEY_DERIVATION_INPUT_SECRET,   PSA_KEY_DERIVATION_INPUT_OTHER_SECRET,
    PSA_KEY_DERIVATION_INPUT_PASSWORD, PSA_KEY_DERIVATION_INPUT_SALT,
    PSA_KEY_DERIVATION_INPUT_INFO,     PSA_KEY_DERIVATION_INPUT_SEED,
    PSA_KEY_DERIVATION_INPUT_LABEL,    PSA_KEY_DERIVATION_INPUT_CONTEXT,
    PSA_KEY_DERIVATION_INPUT_COST,
};
#define DERIVATION_STEPS (sizeof derivation_steps / sizeof derivation_steps[0])

static const struct derivation {
    psa_algorithm_t alg;
    const char *orders[5]; /* complete ones; +: the step before it may come again */
    bool is_fixed;         /* its capacity, when reading has begun */
} derivations[] = {
    {PSA_ALG_HKDF(PSA_ALG_SHA_256), {"Ki", "iK", "sKi", "siK", "isK"}, false},
    {PSA_ALG_HKDF_EXTRACT(PSA_ALG_SHA_256), {"sK"}, false},
    {PSA_ALG_HKDF_EXPAND(PSA_ALG_SHA_256), {"Ki"}, false},
    {PSA_ALG_SP800_108_COUNTER_HMAC(PSA_ALG_SHA_256), {"K", "Kl", "Kx", "Klx"}, true},
    {PSA_ALG_SP800_108_COUNTER_CMAC, {"K", "Kl", "Kx", "Klx"}, true},
    {PSA_ALG_TLS12_PRF(PSA_ALG_SHA_256), {"dKl"}, false},
    {PSA_ALG_TLS12_PSK_TO_MS(PSA_ALG_SHA_256), {"dKl", "doKl"}, false},
    {PSA_ALG_TLS12_ECJPAKE_TO_PMS, {"K"}, false},
    {PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_256), {"cs+p"}, false},
    {PSA_ALG_PBKDF2_AES_CMAC_PRF_128, {"cs+p"}, false},
};
#define DERIVATIONS (sizeof derivations / sizeof derivations[0])

/* Behind the inputs, which have the numbers of their steps. */
enum derivation_call {
    DERIVATION_FOREIGN = DERIVATION_STEPS, /* an input of other algorithms */
    DERIVATION_SETUP,
    DERIVATION_GET_CAPACITY,
    DERIVATION_SET_CAPACITY,
    DERIVATION_READ,        /* as bytes, as a key, or to compare */
    DERIVATION_READ_BEYOND, /* more than the capacity: nothing is left of it */
};

enum { DERIVATION_READING = MACHINE_OWN, DERIVATION_SET_UP };

/* Add what is new in an order; returns the state that it leads to. */
static inline unsigned derivation_follow(struct machine_made *made, const char *order)
{
    unsigned state = DERIVATION_SET_UP;
    unsigned call = 0;

    for (; *order != 0; order++) {
        if (*order == '+') {
            machine_add(made, call, ONLY(state), state);
            continue;
        }
        call = (unsigned)(strchr(derivation_letters, *order) - derivation_letters);
        const struct machine_move *const known = machine_find(&made->machine, state, call);
        if (known == NULL) {
            machine_add(made, call, ONLY(state), machine_add_state(made));
        }
        state = known != NULL ? known->to : made->machine.states - 1;
    }
    return state;
}

static inline void derivation_unfold(const struct derivation *of, struct machine_made *made)
{
    const uint64_t reading = ONLY(DERIVATION_READING);
    uint64_t ready = reading;

    machine_begin(made, DERIVATION_SET_UP + 1,
                  ONLY(DERIVATION_SETUP) | ONLY(DERIVATION_GET_CAPACITY));
    made->machine.forgiven = ONLY(DERIVATION_SET_CAPACITY) | ONLY(DERIVATION_READ_BEYOND);
    machine_add(made, DERIVATION_SETUP, ONLY(MACHINE_INACTIVE), DERIVATION_SET_UP);
    for (size_t i = 0; i < 5 && of->orders[i] != NULL; i++) {
        ready |= ONLY(derivation_follow(made, of->orders[i]));
    }
    const uint64_t gathering = ONLY(made->machine.states) - ONLY(DERIVATION_SET_UP);
    machine_add(made, DERIVATION_FOREIGN, gathering, MACHINE_FAILED);
    machine_add(made, DERIVATION_GET_CAPACITY, gathering | reading, MACHINE_SAME);
    machine_add(made, DERIVATION_SET_CAPACITY, gathering | (of->is_fixed ? 0 : reading),
                MACHINE_SAME);
    machine_add(made, DERIVATION_READ, ready, DERIVATION_READING);
    machine_add(made, DERIVATION_READ_BEYOND, ready, MACHINE_SAME);
}

/* The kind of an input for an algorithm. */
static inline unsigned derivation_input(const struct machine_made *made, unsigned step)
{
    return machine_call(&made->machine, step, DERIVATION_FOREIGN);
}

#endif
