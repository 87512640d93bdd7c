/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who encapsulates secrets. Call encapsulation with public keys, or with either if an element keeps
 * the key; decapsulation with key pairs only. Generated from a configuration, board native and each
 * driver.json. Made by corral.generate.asymmetric of the rows of family encapsulation in
 * dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_ENCAPSULATION_H
#define CORRAL_DISPATCH_ENCAPSULATION_H

#include <stddef.h>
#include <stdint.h>

#include <corral/unserved.h>
#include <psa/crypto.h>

/* No driver of this build serves these. */
#define corral_dispatch_encapsulate(...) CORRAL_UNSERVED_10(__VA_ARGS__)
#define corral_dispatch_decapsulate(...) CORRAL_UNSERVED_9(__VA_ARGS__)

#endif
