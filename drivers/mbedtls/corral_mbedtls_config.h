/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration of Mbed TLS: its primitives only, none of its PSA core. The capabilities of
 * driver.json that a build uses define the options that it needs; this header adds their
 * dependencies and the choices between size and speed. The check of check_config.h applies.
 */
#ifndef CORRAL_MBEDTLS_CONFIG_H
#define CORRAL_MBEDTLS_CONFIG_H

#include <corral/bindings.h>
#include <corral/config.h>
#include <corral/driver.h>

#include "heap.h"

#define MBEDTLS_DEPRECATED_REMOVED
#define MBEDTLS_HAVE_ASM
#define MBEDTLS_AES_ROM_TABLES
#define MBEDTLS_ECP_NIST_OPTIM

/* The library frees some of its numbers unchanged; it wipes the others itself. */
#if defined(MBEDTLS_BIGNUM_C)
#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_PLATFORM_CALLOC_MACRO mbedtls_driver_calloc
#define MBEDTLS_PLATFORM_FREE_MACRO mbedtls_driver_free
#endif

/* One function that wipes is enough for an image. */
#define MBEDTLS_PLATFORM_ZEROIZE_ALT
#define mbedtls_platform_zeroize corral_wipe

/* Half the speed or less, for a third to a half of the flash. */
#if CORRAL_MBEDTLS_SMALL
#define MBEDTLS_SHA256_SMALLER
#define MBEDTLS_SHA512_SMALLER
#define MBEDTLS_AES_FEWER_TABLES
#endif

/* For the multiplication of points: small tables on the heap and none in flash, or larger ones. */
#if CORRAL_MBEDTLS_CURVE_TABLES
#define MBEDTLS_ECP_WINDOW_SIZE 4
#define MBEDTLS_ECP_FIXED_POINT_OPTIM 1
#else
#define MBEDTLS_ECP_WINDOW_SIZE 2
#define MBEDTLS_ECP_FIXED_POINT_OPTIM 0
#endif

#if CORRAL_MBEDTLS_AES_INSTRUCTIONS && defined(MBEDTLS_AES_C) && defined(__x86_64__)
#define MBEDTLS_AESNI_C
#endif

/* ecdsa.c wants the encoding of signatures that its other functions use; none of it is linked. */
#if defined(MBEDTLS_ECDSA_C)
#define MBEDTLS_ASN1_PARSE_C
#define MBEDTLS_ASN1_WRITE_C
#endif

/* RSA pads with hashes, names them, and writes the keys that it generates. */
#if defined(MBEDTLS_RSA_C)
#define MBEDTLS_ASN1_PARSE_C
#define MBEDTLS_ASN1_WRITE_C
#define MBEDTLS_OID_C
#define MBEDTLS_PKCS1_V15
#define MBEDTLS_PKCS1_V21
#endif

/* Numbers, and blocks of RSA on the stack, in bytes: as large as the largest key. */
#define MBEDTLS_MPI_MAX_SIZE                                                                       \
    (CORRAL_WANT_RSA_KEY_SIZE_8192 || CORRAL_WANT_DH_RFC7919_8192   ? 1024                         \
     : CORRAL_WANT_RSA_KEY_SIZE_6144 || CORRAL_WANT_DH_RFC7919_6144 ? 768                          \
     : CORRAL_WANT_RSA_KEY_SIZE_4096 || CORRAL_WANT_DH_RFC7919_4096 || CORRAL_WANT_DH_RFC3526_4096 \
         ? 512                                                                                     \
     : CORRAL_WANT_RSA_KEY_SIZE_3072 || CORRAL_WANT_DH_RFC7919_3072 || CORRAL_WANT_DH_RFC3526_3072 \
         ? 384                                                                                     \
         : 256)

/* The nonce of deterministic ECDSA is derived with the hash of the signature. */
#if defined(MBEDTLS_ECDSA_DETERMINISTIC)
#define MBEDTLS_HMAC_DRBG_C
#endif
#if defined(MBEDTLS_ECDSA_DETERMINISTIC) || defined(MBEDTLS_RSA_C)
#define MBEDTLS_MD_C
#if CORRAL_WANT_ALG_MD5 && !defined(MBEDTLS_MD5_C)
#define MBEDTLS_MD5_C
#endif
#if CORRAL_WANT_ALG_RIPEMD160 && !defined(MBEDTLS_RIPEMD160_C)
#define MBEDTLS_RIPEMD160_C
#endif
#if (CORRAL_WANT_ALG_SHA3_224 || CORRAL_WANT_ALG_SHA3_256 || CORRAL_WANT_ALG_SHA3_384 ||           \
     CORRAL_WANT_ALG_SHA3_512) &&                                                                  \
    !defined(MBEDTLS_SHA3_C)
#define MBEDTLS_SHA3_C
#endif
#if CORRAL_WANT_ALG_SHA_1 && !defined(MBEDTLS_SHA1_C)
#define MBEDTLS_SHA1_C
#endif
#if CORRAL_WANT_ALG_SHA_224 && !defined(MBEDTLS_SHA224_C)
#define MBEDTLS_SHA224_C
#endif
#if CORRAL_WANT_ALG_SHA_256 && !defined(MBEDTLS_SHA256_C)
#define MBEDTLS_SHA256_C
#endif
#if CORRAL_WANT_ALG_SHA_384 && !defined(MBEDTLS_SHA384_C)
#define MBEDTLS_SHA384_C
#endif
#if CORRAL_WANT_ALG_SHA_512 && !defined(MBEDTLS_SHA512_C)
#define MBEDTLS_SHA512_C
#endif
/* md.c has one hash at least: functions without callers are not linked. */
#if !defined(MBEDTLS_MD5_C) && !defined(MBEDTLS_RIPEMD160_C) && !defined(MBEDTLS_SHA1_C) &&        \
    !defined(MBEDTLS_SHA224_C) && !defined(MBEDTLS_SHA256_C) && !defined(MBEDTLS_SHA384_C) &&      \
    !defined(MBEDTLS_SHA512_C) && !defined(MBEDTLS_SHA3_C)
#define MBEDTLS_SHA256_C
#endif
#endif

/* A curve is compiled if the build binds anything on it to this driver. */
#define SERVES_KEYS(curve)                                                                         \
    (CORRAL_MBEDTLS_SERVES_ECC_IMPORT_##curve || CORRAL_MBEDTLS_SERVES_ECC_GENERATE_##curve ||     \
     CORRAL_MBEDTLS_SERVES_ECC_EXPORT_PUBLIC_##curve || CORRAL_MBEDTLS_SERVES_ECDH_##curve)
#define SERVES_SPAKE2P(curve)                                                                      \
    (CORRAL_MBEDTLS_SERVES_IMPORT_SPAKE2P_##curve ||                                               \
     CORRAL_MBEDTLS_SERVES_EXPORT_PUBLIC_SPAKE2P_##curve ||                                        \
     CORRAL_MBEDTLS_SERVES_DERIVE_SPAKE2P_##curve || CORRAL_MBEDTLS_SERVES_SPAKE2P_HMAC_##curve || \
     CORRAL_MBEDTLS_SERVES_SPAKE2P_CMAC_##curve || CORRAL_MBEDTLS_SERVES_SPAKE2P_MATTER_##curve)
#define SERVES(curve)                                                                              \
    (SERVES_KEYS(curve) || CORRAL_MBEDTLS_SERVES_ECDSA_SIGN_##curve ||                             \
     CORRAL_MBEDTLS_SERVES_JPAKE_##curve || SERVES_SPAKE2P(curve) ||                               \
     CORRAL_MBEDTLS_SERVES_DETERMINISTIC_ECDSA_SIGN_##curve ||                                     \
     CORRAL_MBEDTLS_SERVES_ECDSA_VERIFY_##curve)

#if SERVES(SECP_R1_192)
#define MBEDTLS_ECP_DP_SECP192R1_ENABLED
#endif
#if SERVES(SECP_R1_224)
#define MBEDTLS_ECP_DP_SECP224R1_ENABLED
#endif
#if SERVES(SECP_R1_256)
#define MBEDTLS_ECP_DP_SECP256R1_ENABLED
#endif
#if SERVES(SECP_R1_384)
#define MBEDTLS_ECP_DP_SECP384R1_ENABLED
#endif
#if SERVES(SECP_R1_521)
#define MBEDTLS_ECP_DP_SECP521R1_ENABLED
#endif
#if SERVES(SECP_K1_192)
#define MBEDTLS_ECP_DP_SECP192K1_ENABLED
#endif
#if SERVES(SECP_K1_256)
#define MBEDTLS_ECP_DP_SECP256K1_ENABLED
#endif
#if SERVES(BRAINPOOL_P_R1_256)
#define MBEDTLS_ECP_DP_BP256R1_ENABLED
#endif
#if SERVES(BRAINPOOL_P_R1_384)
#define MBEDTLS_ECP_DP_BP384R1_ENABLED
#endif
#if SERVES(BRAINPOOL_P_R1_512)
#define MBEDTLS_ECP_DP_BP512R1_ENABLED
#endif
#if SERVES_KEYS(MONTGOMERY_255)
#define MBEDTLS_ECP_DP_CURVE25519_ENABLED
#endif
#if SERVES_KEYS(MONTGOMERY_448)
#define MBEDTLS_ECP_DP_CURVE448_ENABLED
#endif

#undef SERVES
#undef SERVES_SPAKE2P
#undef SERVES_KEYS

#endif
