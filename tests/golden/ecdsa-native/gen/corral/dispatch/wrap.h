/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who wraps keys. Call with a key of a block cipher. Generated from a configuration, board native
 * and each driver.json. Made by corral.generate.asymmetric of the rows of family wrap in
 * dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_WRAP_H
#define CORRAL_DISPATCH_WRAP_H

#include <stddef.h>
#include <stdint.h>

#include <corral/unserved.h>
#include <psa/crypto.h>

/* No driver of this build serves these. */
#define corral_dispatch_wrap_key(...) CORRAL_UNSERVED_9(__VA_ARGS__)
#define corral_dispatch_unwrap_key(...) CORRAL_UNSERVED_9(__VA_ARGS__)

#endif
