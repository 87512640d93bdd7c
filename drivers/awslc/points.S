/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Points of P-256, P-384 and P-521 by the assembly of s2n-bignum, which the library has for x86-64
 * without a condition on the processor. AArch64 takes the library's C: its files of s2n-bignum
 * cannot be assembled as one, because names that one defines have another meaning in others.
 */
#if defined(__x86_64__)
#include <x86_att/p256/bignum_montinv_p256.S>
#include <x86_att/p256/p256_montjscalarmul.S>
#include <x86_att/p256/p256_montjscalarmul_alt.S>
#include <x86_att/p384/bignum_add_p384.S>
#include <x86_att/p384/bignum_deamont_p384.S>
#include <x86_att/p384/bignum_deamont_p384_alt.S>
#include <x86_att/p384/bignum_littleendian_6.S>
#include <x86_att/p384/bignum_montinv_p384.S>
#include <x86_att/p384/bignum_montmul_p384.S>
#include <x86_att/p384/bignum_montmul_p384_alt.S>
#include <x86_att/p384/bignum_montsqr_p384.S>
#include <x86_att/p384/bignum_montsqr_p384_alt.S>
#include <x86_att/p384/bignum_neg_p384.S>
#include <x86_att/p384/bignum_nonzero_6.S>
#include <x86_att/p384/bignum_sub_p384.S>
#include <x86_att/p384/bignum_tomont_p384.S>
#include <x86_att/p384/bignum_tomont_p384_alt.S>
#include <x86_att/p384/p384_montjdouble.S>
#include <x86_att/p384/p384_montjdouble_alt.S>
#include <x86_att/p384/p384_montjscalarmul.S>
#include <x86_att/p384/p384_montjscalarmul_alt.S>
#include <x86_att/p521/bignum_add_p521.S>
#include <x86_att/p521/bignum_fromlebytes_p521.S>
#include <x86_att/p521/bignum_inv_p521.S>
#include <x86_att/p521/bignum_mul_p521.S>
#include <x86_att/p521/bignum_mul_p521_alt.S>
#include <x86_att/p521/bignum_neg_p521.S>
#include <x86_att/p521/bignum_sqr_p521.S>
#include <x86_att/p521/bignum_sqr_p521_alt.S>
#include <x86_att/p521/bignum_sub_p521.S>
#include <x86_att/p521/bignum_tolebytes_p521.S>
#include <x86_att/p521/p521_jdouble.S>
#include <x86_att/p521/p521_jdouble_alt.S>
#include <x86_att/p521/p521_jscalarmul.S>
#include <x86_att/p521/p521_jscalarmul_alt.S>
#endif

/* Also of an object without anything else: the stack is not executable. */
.section .note.GNU-stack, "", %progbits
