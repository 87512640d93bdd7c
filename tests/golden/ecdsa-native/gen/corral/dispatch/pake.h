/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who exchanges keys by passwords. Generated from a configuration, board native and each
 * driver.json. Made by corral.generate.pake of the rows of family pake in
 * dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_PAKE_H
#define CORRAL_DISPATCH_PAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/pake.h>
#include <corral/pake.h>
#include <corral/unserved.h>
#include <psa/crypto.h>

/* No driver of this build serves these. */
#define corral_dispatch_pake_setup(...) CORRAL_UNSERVED_2(__VA_ARGS__)
#define corral_dispatch_pake_output(...) CORRAL_UNSERVED_6(__VA_ARGS__)
#define corral_dispatch_pake_input(...) CORRAL_UNSERVED_5(__VA_ARGS__)
#define corral_dispatch_pake_get_implicit_key(...) CORRAL_UNSERVED_5(__VA_ARGS__)
#define corral_dispatch_pake_abort(...) CORRAL_UNSERVED_ABORT(__VA_ARGS__)

/* Whether this build does the key exchange `alg` in any group. */
static inline bool corral_pake_supported(psa_algorithm_t alg)
{
    (void)alg;
    return false;
}

#endif
