/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration of wolfCrypt: only primitives, without heap, files, time, threads
 * and its own random numbers. The capabilities of driver.json that a build uses define
 * the options that it needs.
 */
#ifndef WOLFCRYPT_DRIVER_USER_SETTINGS_H
#define WOLFCRYPT_DRIVER_USER_SETTINGS_H

#include <corral/config.h>

#define WOLFCRYPT_ONLY
#define SINGLE_THREADED
#define NO_FILESYSTEM
#define NO_WRITEV
#define NO_MAIN_DRIVER
#define NO_ERROR_STRINGS
#define NO_INLINE_ASM
#define NO_ASN_TIME
#define WC_NO_ASYNC_THREADING
#define WOLFSSL_NO_ATOMICS

/* Ascon calls itself experimental; the published vectors of SP 800-232 pass. */
#define WOLFSSL_EXPERIMENTAL_SETTINGS

/* A call of the heap does not compile. */
#define WOLFSSL_NO_MALLOC
#define NO_WOLFSSL_MEMORY
#define WC_NO_CONSTRUCTORS

/* Messages and signatures lie where they lie. */
#define WOLFSSL_USE_ALIGN

/* Needed by Ascon, which the library does not think of. */
#define WOLFSSL_USE_FORCE_ZERO

/* Everything that would be there by default. */
#define NO_AES
#define NO_AES_CBC
#if !defined(WOLFSSL_HAVE_SLHDSA)
#define NO_ASN /* SLH-DSA names its decoder, and does not call it */
#endif
#define NO_CERTS
#define NO_CODING
#define NO_DES3
#define NO_DH
#define NO_DSA
#if !defined(WOLFSSL_SLHDSA_SHA2)
#define NO_HMAC /* SLH-DSA over SHA-2 draws its message digest with it */
#endif
#define NO_MD4
#define NO_MD5
#define NO_OLD_TLS
#define NO_PKCS7
#define NO_PKCS8
#define NO_PKCS12
#define NO_PSK
#define NO_PWDBASED
#define NO_RC4
#define NO_RSA
#define NO_SHA
#define NO_SIG_WRAPPER
#define NO_KDF
#define WC_NO_RNG
#define WC_NO_HASHDRBG
#if !defined(WOLFSSL_HAVE_SLHDSA)
#define NO_BIG_INT
#else
#define WOLFSSL_SP_MATH_ALL
#define SP_INT_BITS 256
#endif

/* LMS and XMSS: verification, over SHA-256 and, if so configured, SHAKE256. */
#if defined(WOLFSSL_HAVE_LMS) || defined(WOLFSSL_HAVE_XMSS)
#define WOLFSSL_LMS_VERIFY_ONLY
#define WOLFSSL_LMS_SHA256_192
#define WOLFSSL_XMSS_VERIFY_ONLY
#define WOLFSSL_XMSS_MIN_HEIGHT 10
#define WOLFSSL_XMSS_MAX_HEIGHT 60
#define WOLFSSL_WC_XMSS_NO_SHA512
#define WOLFSSL_WC_XMSS_MAX_HASH_SIZE 256 /* else the state has room for hashes of 64 bytes */
#if !defined(USE_SLOW_SHA256)
#define USE_SLOW_SHA256
#endif
#if CORRAL_WOLFCRYPT_SHAKE_TREES
#define WOLFSSL_LMS_SHAKE256
#else
#define WOLFSSL_WC_XMSS_NO_SHAKE256
#endif
#endif

/* SLH-DSA: the sets that are wanted. A generator is named where none is called. */
#if defined(WOLFSSL_HAVE_SLHDSA)
#define WC_SLHDSA_NO_ASM
#define WC_NO_RNG_SIMPLE
#if !defined(USE_SLOW_SHA256)
#define USE_SLOW_SHA256
#endif
#if !CORRAL_WANT_SLH_DSA_SHAKE_S_128
#define WOLFSSL_SLHDSA_PARAM_NO_128S
#endif
#if !CORRAL_WANT_SLH_DSA_SHAKE_F_128
#define WOLFSSL_SLHDSA_PARAM_NO_128F
#endif
#if !CORRAL_WANT_SLH_DSA_SHAKE_S_192
#define WOLFSSL_SLHDSA_PARAM_NO_192S
#endif
#if !CORRAL_WANT_SLH_DSA_SHAKE_F_192
#define WOLFSSL_SLHDSA_PARAM_NO_192F
#endif
#if !CORRAL_WANT_SLH_DSA_SHAKE_S_256
#define WOLFSSL_SLHDSA_PARAM_NO_256S
#endif
#if !CORRAL_WANT_SLH_DSA_SHAKE_F_256
#define WOLFSSL_SLHDSA_PARAM_NO_256F
#endif
#endif
#if defined(WOLFSSL_SLHDSA_SHA2)
#define WOLFSSL_SHA512
#define USE_SLOW_SHA512
#if !CORRAL_WANT_SLH_DSA_SHA2_S_128
#define WOLFSSL_SLHDSA_PARAM_NO_SHA2_128S
#endif
#if !CORRAL_WANT_SLH_DSA_SHA2_F_128
#define WOLFSSL_SLHDSA_PARAM_NO_SHA2_128F
#endif
#if !CORRAL_WANT_SLH_DSA_SHA2_S_192
#define WOLFSSL_SLHDSA_PARAM_NO_SHA2_192S
#endif
#if !CORRAL_WANT_SLH_DSA_SHA2_F_192
#define WOLFSSL_SLHDSA_PARAM_NO_SHA2_192F
#endif
#if !CORRAL_WANT_SLH_DSA_SHA2_S_256
#define WOLFSSL_SLHDSA_PARAM_NO_SHA2_256S
#endif
#if !CORRAL_WANT_SLH_DSA_SHA2_F_256
#define WOLFSSL_SLHDSA_PARAM_NO_SHA2_256F
#endif
#endif

#if defined(HAVE_ED448) || defined(WOLFSSL_LMS_SHAKE256) || defined(WOLFSSL_HAVE_SLHDSA)
#define WOLFSSL_SHA3
#define WOLFSSL_SHAKE256
#endif

/* Ed448 asks for SHA-512 without using it: no file of that is compiled. */
#if defined(HAVE_ED448) && !defined(WOLFSSL_SHA512)
#define WOLFSSL_SHA512
#endif

/* The smaller arithmetic: 2 KB instead of 77. */
#define ED448_SMALL
#define CURVE448_SMALL

#endif
