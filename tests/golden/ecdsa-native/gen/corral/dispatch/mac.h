/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who computes MACs. Call only with an algorithm and a type of key for which corral_mac_length() is
 * not 0. Generated from a configuration, board native and each driver.json. Made by
 * corral.generate.macs of the rows of family mac in dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_MAC_H
#define CORRAL_DISPATCH_MAC_H

#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/mac.h>
#include <corral/unserved.h>
#include <psa/crypto.h>

/* No driver of this build serves these. */
#define corral_dispatch_mac_setup(...) CORRAL_UNSERVED_5(__VA_ARGS__)
#define corral_dispatch_mac_update(...) CORRAL_UNSERVED_3(__VA_ARGS__)
#define corral_dispatch_mac_finish(...) CORRAL_UNSERVED_4(__VA_ARGS__)
#define corral_dispatch_mac_abort(...) CORRAL_UNSERVED_ABORT(__VA_ARGS__)
#define corral_dispatch_mac_compute(...) CORRAL_UNSERVED_9(__VA_ARGS__)
#define corral_dispatch_mac_verify(...) CORRAL_UNSERVED_8(__VA_ARGS__)

/* Bytes of an untruncated MAC; 0: this build does not compute it with such a key. */
static inline size_t corral_mac_length(psa_algorithm_t alg, psa_key_type_t type)
{
    (void)alg;
    (void)type;
    return 0;
}

#endif
