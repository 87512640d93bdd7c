/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who runs block ciphers for constructions. Generated from a configuration, board native and each
 * driver.json. Made by corral.generate.ciphers of the rows of family cipher in
 * dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_BLOCK_H
#define CORRAL_DISPATCH_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/block.h>
#include <corral/unserved.h>
#include <psa/crypto.h>

/* No driver of this build serves these. */
#define corral_dispatch_block_setup(...) CORRAL_UNSERVED_5(__VA_ARGS__)
#define corral_dispatch_block_update(...) CORRAL_UNSERVED_4(__VA_ARGS__)
#define corral_dispatch_block_abort(...) CORRAL_UNSERVED_ABORT(__VA_ARGS__)

#endif
