/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who encrypts to public keys. Call encryption with public keys, or with either if an element keeps
 * the key; decryption with key pairs only. Generated from a configuration, board native and each
 * driver.json. Made by corral.generate.asymmetric of the rows of family asymmetric in
 * dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_ASYMMETRIC_H
#define CORRAL_DISPATCH_ASYMMETRIC_H

#include <stddef.h>
#include <stdint.h>

#include <corral/unserved.h>
#include <psa/crypto.h>

/* No driver of this build serves these. */
#define corral_dispatch_asymmetric_encrypt(...) CORRAL_UNSERVED_11(__VA_ARGS__)
#define corral_dispatch_asymmetric_decrypt(...) CORRAL_UNSERVED_11(__VA_ARGS__)

#endif
