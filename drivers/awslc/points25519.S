/* SPDX-License-Identifier: Apache-2.0 */
/* Curve25519 by the assembly of s2n-bignum, as in points.S. */
#if defined(__x86_64__)
#include <x86_att/curve25519/bignum_madd_n25519.S>
#include <x86_att/curve25519/bignum_madd_n25519_alt.S>
#include <x86_att/curve25519/bignum_mod_n25519.S>
#include <x86_att/curve25519/bignum_neg_p25519.S>
#include <x86_att/curve25519/curve25519_x25519.S>
#include <x86_att/curve25519/curve25519_x25519_alt.S>
#include <x86_att/curve25519/curve25519_x25519base.S>
#include <x86_att/curve25519/curve25519_x25519base_alt.S>
#include <x86_att/curve25519/edwards25519_decode.S>
#include <x86_att/curve25519/edwards25519_decode_alt.S>
#include <x86_att/curve25519/edwards25519_encode.S>
#include <x86_att/curve25519/edwards25519_scalarmulbase.S>
#include <x86_att/curve25519/edwards25519_scalarmulbase_alt.S>
#include <x86_att/curve25519/edwards25519_scalarmuldouble.S>
#include <x86_att/curve25519/edwards25519_scalarmuldouble_alt.S>
#endif

/* Also of an object without anything else: the stack is not executable. */
.section .note.GNU-stack, "", %progbits
