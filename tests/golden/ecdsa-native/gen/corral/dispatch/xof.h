/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who computes extendable output. Generated from a configuration, board native and each
 * driver.json. Made by corral.generate.hashes of the rows of family xof in
 * dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_XOF_H
#define CORRAL_DISPATCH_XOF_H

#include <stddef.h>
#include <stdint.h>

#include <corral/contexts/xof.h>
#include <corral/unserved.h>
#include <psa/crypto.h>

/* No driver of this build serves these. */
#define corral_dispatch_xof_setup(...) CORRAL_UNSERVED_2(__VA_ARGS__)
#define corral_dispatch_xof_set_context(...) CORRAL_UNSERVED_3(__VA_ARGS__)
#define corral_dispatch_xof_update(...) CORRAL_UNSERVED_3(__VA_ARGS__)
#define corral_dispatch_xof_output(...) CORRAL_UNSERVED_3(__VA_ARGS__)
#define corral_dispatch_xof_abort(...) CORRAL_UNSERVED_ABORT(__VA_ARGS__)

#endif
