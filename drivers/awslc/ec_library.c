/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of AWS-LC that curves need, compiled as one, as the library does. */
#include <openssl/bytestring.h>
#include <openssl/digest.h>
#include <openssl/ecdsa.h>
#include <openssl/engine.h>

#include <crypto/ec_extra/internal.h>
#include <crypto/fipsmodule/bn/rsaz_exp.h>
#include <crypto/fipsmodule/ec/ec_nistp.h>
#include <crypto/fipsmodule/ec/internal.h>
#include <crypto/fipsmodule/service_indicator/internal.h>
#include <crypto/internal.h>

/* Where names get a prefix the compiler does not see that they are in a system's header. */
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

/* These are for exponents, which only RSA has. */
#undef OPENSSL_BN_ASM_MONT5
#undef RSAZ_512_ENABLED
#undef RSAZ_ENABLED

/*
 * Functions of files that are left out, for DER, messages, engines and other curves. They are
 * called only by functions that the driver does not call.
 */
#undef CBB_finish
#undef CBB_init_fixed
#undef ECDSA_SIG_from_bytes
#undef ECDSA_SIG_marshal
#undef ECDSA_SIG_to_bytes
#undef ECDSA_size
#undef ENGINE_get_EC
#undef EVP_Digest
#undef ec_group_new_by_curve_name_nonfips
#define CBB_finish(cbb, out, length) 0
#define CBB_init_fixed(cbb, out, length) ((void)0)
#define ECDSA_SIG_from_bytes(in, length) NULL
#define ECDSA_SIG_marshal(cbb, signature) 0
#define ECDSA_SIG_to_bytes(out, length, signature) 0
#define ECDSA_size(key) 0
#define ENGINE_get_EC(engine) NULL
#define EVP_Digest(in, length, out, out_length, digest, engine) 0
#define ec_group_new_by_curve_name_nonfips(nid) NULL

/* points.S */
#if !defined(OPENSSL_X86_64)
#undef EC_NISTP_USE_S2N_BIGNUM
#define OPENSSL_NO_ASM /* to the files of s2n-bignum; bn_mul_mont() is assembly nevertheless */
#endif

/* NOLINTBEGIN(bugprone-suspicious-include) */
#include <crypto/fipsmodule/bn/add.c>
#include <crypto/fipsmodule/bn/asm/x86_64-gcc.c>
#include <crypto/fipsmodule/bn/bn.c>
#include <crypto/fipsmodule/bn/bytes.c>
#include <crypto/fipsmodule/bn/cmp.c>
#include <crypto/fipsmodule/bn/ctx.c>
#include <crypto/fipsmodule/bn/div.c>
#include <crypto/fipsmodule/bn/exponentiation.c>
#include <crypto/fipsmodule/bn/gcd.c>
#include <crypto/fipsmodule/bn/gcd_extra.c>
#include <crypto/fipsmodule/bn/generic.c>
#include <crypto/fipsmodule/bn/jacobi.c>
#include <crypto/fipsmodule/bn/montgomery.c>
#include <crypto/fipsmodule/bn/montgomery_inv.c>
#include <crypto/fipsmodule/bn/mul.c>
#include <crypto/fipsmodule/bn/random.c>
#include <crypto/fipsmodule/bn/shift.c>
#include <crypto/fipsmodule/bn/sqrt.c>
#undef OPENSSL_NO_ASM
#include <crypto/fipsmodule/ec/ec.c>
#include <crypto/fipsmodule/ec/ec_key.c>
#include <crypto/fipsmodule/ec/ec_montgomery.c>
#include <crypto/fipsmodule/ec/ec_nistp.c>
#include <crypto/fipsmodule/ec/felem.c>
#include <crypto/fipsmodule/ec/oct.c>
#include <crypto/fipsmodule/ec/p224-64.c>
#include <crypto/fipsmodule/ec/p256-nistz.c>
#include <crypto/fipsmodule/ec/p384.c>
#include <crypto/fipsmodule/ec/p521.c>
#include <crypto/fipsmodule/ec/scalar.c>
#include <crypto/fipsmodule/ec/simple.c>
#include <crypto/fipsmodule/ec/simple_mul.c>
#include <crypto/fipsmodule/ec/util.c>
#include <crypto/fipsmodule/ec/wnaf.c>
#include <crypto/fipsmodule/ecdsa/ecdsa.c>
/* NOLINTEND(bugprone-suspicious-include) */
