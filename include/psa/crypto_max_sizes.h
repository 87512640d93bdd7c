/* SPDX-License-Identifier: Apache-2.0 */
/* Buffer sizes in bytes that suffice for everything the configuration wants.
 *
 * All are compile-time constants made of the PSA_WANT_xxx symbols, each 0 or 1, and at least 1
 * where they take no argument, so that they can be the size of an array in every configuration.
 */
#ifndef PSA_CRYPTO_MAX_SIZES_H
#define PSA_CRYPTO_MAX_SIZES_H

#include <corral/config.h>

#include "crypto_key_sizes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* size if the symbol is 1, else 0. */
#define CORRAL_IF(want, size) ((want) ? (size_t)(size) : (size_t)0)
#define CORRAL_MAX_3(a, b, c) CORRAL_MAX(CORRAL_MAX(a, b), c)
#define CORRAL_MAX_4(a, b, c, d) CORRAL_MAX(CORRAL_MAX(a, b), CORRAL_MAX(c, d))
#define CORRAL_AT_LEAST_1(size) CORRAL_MAX(size, (size_t)1)

/*
 * Largest parameters
 */
#define CORRAL_EDWARDS_MAX_BYTES                                                                   \
    CORRAL_IF(CORRAL_EDWARDS_MAX_BITS != 0, CORRAL_EDWARDS_MAX_BITS / 8U + 1U)
#define CORRAL_SLH_DSA_SMALL(bits)                                                                 \
    (PSA_WANT_SLH_DSA_SHA2_S_##bits || PSA_WANT_SLH_DSA_SHAKE_S_##bits)
#define CORRAL_SLH_DSA_FAST(bits)                                                                  \
    (PSA_WANT_SLH_DSA_SHA2_F_##bits || PSA_WANT_SLH_DSA_SHAKE_F_##bits)
#define CORRAL_WEIERSTRASS_MAX_BYTES CORRAL_BITS_TO_BYTES(CORRAL_WEIERSTRASS_MAX_BITS)
#define CORRAL_MONTGOMERY_MAX_BYTES CORRAL_BITS_TO_BYTES(CORRAL_MONTGOMERY_MAX_BITS)

/* Largest coordinate or scalar of a curve, and largest point as a public key. */
#define CORRAL_ECC_MAX_BYTES                                                                       \
    CORRAL_MAX_3(CORRAL_WEIERSTRASS_MAX_BYTES, CORRAL_MONTGOMERY_MAX_BYTES,                        \
                 CORRAL_EDWARDS_MAX_BYTES)
#define CORRAL_ECC_POINT_MAX_SIZE                                                                  \
    CORRAL_MAX(CORRAL_ECC_MAX_BYTES, CORRAL_IF(CORRAL_WEIERSTRASS_MAX_BITS != 0,                   \
                                               2U * CORRAL_WEIERSTRASS_MAX_BYTES + 1U))

/*
 * Hashes and MACs
 */
/* Longest state of psa_hash_suspend(). */
#define PSA_HASH_SUSPEND_OUTPUT_MAX_SIZE                                                           \
    (PSA_WANT_ALG_SHA_384 || PSA_WANT_ALG_SHA_512 || PSA_WANT_ALG_SHA_512_224 ||                   \
             PSA_WANT_ALG_SHA_512_256                                                              \
         ? PSA_HASH_SUSPEND_OUTPUT_SIZE(PSA_ALG_SHA_512)                                           \
     : PSA_WANT_ALG_SHA_224 || PSA_WANT_ALG_SHA_256                                                \
         ? PSA_HASH_SUSPEND_OUTPUT_SIZE(PSA_ALG_SHA_256)                                           \
     : PSA_WANT_ALG_SHA_1 || PSA_WANT_ALG_RIPEMD160 ? PSA_HASH_SUSPEND_OUTPUT_SIZE(PSA_ALG_SHA_1)  \
     : PSA_WANT_ALG_MD4 || PSA_WANT_ALG_MD5         ? PSA_HASH_SUSPEND_OUTPUT_SIZE(PSA_ALG_MD5)    \
     : PSA_WANT_ALG_MD2                             ? PSA_HASH_SUSPEND_OUTPUT_SIZE(PSA_ALG_MD2)    \
                                                    : (size_t)1)

/* Longest MAC. */
#define CORRAL_BLAKE2_MAC_MAX_SIZE                                                                 \
    (PSA_WANT_ALG_BLAKE2B_HASH512 || PSA_WANT_ALG_BLAKE2BP_HASH512 ? 64U : 32U)
#define PSA_MAC_MAX_SIZE                                                                           \
    CORRAL_AT_LEAST_1(CORRAL_MAX_3(                                                                \
        CORRAL_IF(PSA_WANT_ALG_HMAC, PSA_HASH_MAX_SIZE),                                           \
        CORRAL_IF(PSA_WANT_ALG_CMAC || PSA_WANT_ALG_CBC_MAC, PSA_BLOCK_CIPHER_BLOCK_MAX_SIZE),     \
        CORRAL_IF(PSA_WANT_ALG_BLAKE2_MAC, CORRAL_BLAKE2_MAC_MAX_SIZE)))

/*
 * Ciphers
 */
#define CORRAL_WANT_IV_OF_BLOCK                                                                    \
    (PSA_WANT_ALG_CTR || PSA_WANT_ALG_CFB || PSA_WANT_ALG_OFB || PSA_WANT_ALG_XTS ||               \
     PSA_WANT_ALG_CBC_NO_PADDING || PSA_WANT_ALG_CBC_PKCS7)
#define CORRAL_WANT_CIPHER_IN_BLOCKS                                                               \
    (PSA_WANT_ALG_ECB_NO_PADDING || PSA_WANT_ALG_CBC_NO_PADDING || PSA_WANT_ALG_CBC_PKCS7 ||       \
     PSA_WANT_ALG_XTS)

/* Longest IV that is generated. */
#define PSA_CIPHER_IV_MAX_SIZE                                                                     \
    CORRAL_AT_LEAST_1(                                                                             \
        CORRAL_MAX_4(CORRAL_IF(CORRAL_WANT_IV_OF_BLOCK, PSA_BLOCK_CIPHER_BLOCK_MAX_SIZE),          \
                     CORRAL_IF(PSA_WANT_ALG_CCM_STAR_NO_TAG, 13),                                  \
                     CORRAL_IF(PSA_WANT_ALG_STREAM_CIPHER &&PSA_WANT_KEY_TYPE_CHACHA20, 12),       \
                     CORRAL_IF(PSA_WANT_ALG_STREAM_CIPHER &&PSA_WANT_KEY_TYPE_XCHACHA20, 24)))
#define PSA_CIPHER_ENCRYPT_OUTPUT_MAX_SIZE(input_length)                                           \
    (PSA_CIPHER_IV_MAX_SIZE +                                                                      \
     (PSA_WANT_ALG_CBC_PKCS7                                                                       \
          ? CORRAL_ROUND_UP((size_t)(input_length) + 1U, PSA_BLOCK_CIPHER_BLOCK_MAX_SIZE)          \
          : (size_t)(input_length)))
#define PSA_CIPHER_DECRYPT_OUTPUT_MAX_SIZE(input_length) ((size_t)(input_length))
#define PSA_CIPHER_UPDATE_OUTPUT_MAX_SIZE(input_length)                                            \
    (CORRAL_WANT_CIPHER_IN_BLOCKS ? CORRAL_ROUND_UP(input_length, PSA_BLOCK_CIPHER_BLOCK_MAX_SIZE) \
                                  : (size_t)(input_length))
#define PSA_CIPHER_FINISH_OUTPUT_MAX_SIZE                                                          \
    CORRAL_AT_LEAST_1(                                                                             \
        CORRAL_MAX(CORRAL_IF(PSA_WANT_ALG_CBC_PKCS7, PSA_BLOCK_CIPHER_BLOCK_MAX_SIZE),             \
                   CORRAL_IF(PSA_WANT_ALG_XTS, 2U * PSA_BLOCK_CIPHER_BLOCK_MAX_SIZE)))

/*
 * AEAD. Every default tag has 16 bytes.
 */
#define CORRAL_WANT_AEAD_IN_BLOCKS                                                                 \
    (PSA_WANT_ALG_CCM || PSA_WANT_ALG_GCM || PSA_WANT_ALG_ASCON_AEAD128)
#define PSA_AEAD_TAG_MAX_SIZE                                                                      \
    (CORRAL_WANT_AEAD_IN_BLOCKS || PSA_WANT_ALG_CHACHA20_POLY1305 ||                               \
             PSA_WANT_ALG_XCHACHA20_POLY1305                                                       \
         ? (size_t)16                                                                              \
         : (size_t)1)
#define PSA_AEAD_NONCE_MAX_SIZE                                                                    \
    (PSA_WANT_ALG_XCHACHA20_POLY1305                      ? (size_t)24                             \
     : PSA_WANT_ALG_ASCON_AEAD128                         ? (size_t)16                             \
     : PSA_WANT_ALG_CCM                                   ? (size_t)13                             \
     : PSA_WANT_ALG_GCM || PSA_WANT_ALG_CHACHA20_POLY1305 ? (size_t)12                             \
                                                          : (size_t)1)
#define PSA_AEAD_ENCRYPT_OUTPUT_MAX_SIZE(plaintext_length)                                         \
    ((size_t)(plaintext_length) + PSA_AEAD_TAG_MAX_SIZE)
#define PSA_AEAD_DECRYPT_OUTPUT_MAX_SIZE(ciphertext_length) ((size_t)(ciphertext_length))
#define PSA_AEAD_UPDATE_OUTPUT_MAX_SIZE(input_length)                                              \
    (CORRAL_WANT_AEAD_IN_BLOCKS ? CORRAL_ROUND_UP(input_length, 16U) : (size_t)(input_length))
#define PSA_AEAD_FINISH_OUTPUT_MAX_SIZE (CORRAL_WANT_AEAD_IN_BLOCKS ? (size_t)16 : (size_t)1)
#define PSA_AEAD_VERIFY_OUTPUT_MAX_SIZE PSA_AEAD_FINISH_OUTPUT_MAX_SIZE

/*
 * Keys
 */
#define CORRAL_SPAKE2P_PUBLIC_KEY_MAX_SIZE (CORRAL_ECC_MAX_BYTES + CORRAL_ECC_POINT_MAX_SIZE)
#define CORRAL_STATEFUL_PUBLIC_KEY_MAX_SIZE                                                        \
    (PSA_WANT_KEY_TYPE_XMSS_PUBLIC_KEY || PSA_WANT_KEY_TYPE_XMSS_MT_PUBLIC_KEY ? 68U               \
     : PSA_WANT_KEY_TYPE_HSS_PUBLIC_KEY                                        ? 60U               \
     : PSA_WANT_KEY_TYPE_LMS_PUBLIC_KEY                                        ? 56U               \
                                                                               : 0U)

/* Largest public key. */
#define PSA_EXPORT_PUBLIC_KEY_MAX_SIZE                                                             \
    CORRAL_AT_LEAST_1(CORRAL_MAX_4(                                                                \
        CORRAL_MAX(                                                                                \
            CORRAL_IF(PSA_WANT_KEY_TYPE_ECC_PUBLIC_KEY, CORRAL_ECC_POINT_MAX_SIZE),                \
            CORRAL_IF(PSA_WANT_KEY_TYPE_SPAKE2P_PUBLIC_KEY, CORRAL_SPAKE2P_PUBLIC_KEY_MAX_SIZE)),  \
        CORRAL_MAX(                                                                                \
            CORRAL_IF(PSA_WANT_KEY_TYPE_RSA_PUBLIC_KEY,                                            \
                      CORRAL_RSA_PUBLIC_KEY_SIZE(CORRAL_RSA_MAX_BITS)),                            \
            CORRAL_IF(PSA_WANT_KEY_TYPE_DH_PUBLIC_KEY, CORRAL_BITS_TO_BYTES(CORRAL_DH_MAX_BITS))), \
        CORRAL_MAX(CORRAL_IF(PSA_WANT_KEY_TYPE_ML_DSA_PUBLIC_KEY,                                  \
                             CORRAL_ML_DSA_PUBLIC_KEY_SIZE(CORRAL_ML_DSA_MAX_BITS)),               \
                   CORRAL_IF(PSA_WANT_KEY_TYPE_ML_KEM_PUBLIC_KEY,                                  \
                             CORRAL_ML_KEM_PUBLIC_KEY_SIZE(CORRAL_ML_KEM_MAX_BITS))),              \
        CORRAL_MAX(CORRAL_IF(PSA_WANT_KEY_TYPE_SLH_DSA_PUBLIC_KEY, CORRAL_SLH_DSA_MAX_BITS / 4U),  \
                   (size_t)CORRAL_STATEFUL_PUBLIC_KEY_MAX_SIZE)))

/* Largest key pair. */
#define PSA_EXPORT_KEY_PAIR_MAX_SIZE                                                               \
    CORRAL_AT_LEAST_1(CORRAL_MAX_4(                                                                \
        CORRAL_MAX(                                                                                \
            CORRAL_IF(PSA_WANT_KEY_TYPE_ECC_KEY_PAIR_BASIC, CORRAL_ECC_MAX_BYTES),                 \
            CORRAL_IF(PSA_WANT_KEY_TYPE_SPAKE2P_KEY_PAIR_BASIC, 2U * CORRAL_ECC_MAX_BYTES)),       \
        CORRAL_MAX(CORRAL_IF(PSA_WANT_KEY_TYPE_RSA_KEY_PAIR_BASIC,                                 \
                             CORRAL_RSA_KEY_PAIR_SIZE(CORRAL_RSA_MAX_BITS)),                       \
                   CORRAL_IF(PSA_WANT_KEY_TYPE_DH_KEY_PAIR_BASIC,                                  \
                             CORRAL_BITS_TO_BYTES(CORRAL_DH_MAX_BITS))),                           \
        CORRAL_MAX(CORRAL_IF(PSA_WANT_KEY_TYPE_ML_DSA_KEY_PAIR_BASIC, 32),                         \
                   CORRAL_IF(PSA_WANT_KEY_TYPE_ML_KEM_KEY_PAIR_BASIC, 64)),                        \
        CORRAL_IF(PSA_WANT_KEY_TYPE_SLH_DSA_KEY_PAIR_BASIC, CORRAL_SLH_DSA_MAX_BITS / 2U)))
#define PSA_EXPORT_ASYMMETRIC_KEY_MAX_SIZE                                                         \
    CORRAL_MAX(PSA_EXPORT_KEY_PAIR_MAX_SIZE, PSA_EXPORT_PUBLIC_KEY_MAX_SIZE)
#define PSA_WRAP_KEY_PAIR_MAX_SIZE (CORRAL_ROUND_UP(PSA_EXPORT_KEY_PAIR_MAX_SIZE, 8U) + 8U)

/*
 * Signatures, asymmetric encryption, agreement, encapsulation
 */
#define CORRAL_WANT_ECDSA (PSA_WANT_ALG_ECDSA || PSA_WANT_ALG_DETERMINISTIC_ECDSA)
#define CORRAL_WANT_EDDSA                                                                          \
    (PSA_WANT_ALG_PURE_EDDSA || PSA_WANT_ALG_EDDSA_CTX || PSA_WANT_ALG_ED25519PH ||                \
     PSA_WANT_ALG_ED448PH)
#define CORRAL_WANT_RSA_SIGN                                                                       \
    (PSA_WANT_ALG_RSA_PKCS1V15_SIGN || PSA_WANT_ALG_RSA_PSS || PSA_WANT_ALG_RSA_PSS_ANY_SALT)
#define CORRAL_WANT_ML_DSA                                                                         \
    (PSA_WANT_ALG_ML_DSA || PSA_WANT_ALG_DETERMINISTIC_ML_DSA || PSA_WANT_ALG_HASH_ML_DSA ||       \
     PSA_WANT_ALG_DETERMINISTIC_HASH_ML_DSA)
#define CORRAL_WANT_SLH_DSA                                                                        \
    (PSA_WANT_ALG_SLH_DSA || PSA_WANT_ALG_DETERMINISTIC_SLH_DSA || PSA_WANT_ALG_HASH_SLH_DSA ||    \
     PSA_WANT_ALG_DETERMINISTIC_HASH_SLH_DSA)
#define CORRAL_SLH_DSA_SIGNATURE_MAX_SIZE                                                          \
    (CORRAL_SLH_DSA_FAST(256)    ? (size_t)49856                                                   \
     : CORRAL_SLH_DSA_FAST(192)  ? (size_t)35664                                                   \
     : CORRAL_SLH_DSA_SMALL(256) ? (size_t)29792                                                   \
     : CORRAL_SLH_DSA_FAST(128)  ? (size_t)17088                                                   \
     : CORRAL_SLH_DSA_SMALL(192) ? (size_t)16224                                                   \
     : CORRAL_SLH_DSA_SMALL(128) ? (size_t)7856                                                    \
                                 : (size_t)0)

/* Longest signature. */
#define PSA_SIGNATURE_MAX_SIZE                                                                     \
    CORRAL_AT_LEAST_1(CORRAL_MAX_4(                                                                \
        CORRAL_MAX(CORRAL_IF(CORRAL_WANT_ECDSA, 2U * CORRAL_WEIERSTRASS_MAX_BYTES),                \
                   CORRAL_IF(CORRAL_WANT_EDDSA, 2U * CORRAL_EDWARDS_MAX_BYTES)),                   \
        CORRAL_IF(CORRAL_WANT_RSA_SIGN, CORRAL_BITS_TO_BYTES(CORRAL_RSA_MAX_BITS)),                \
        CORRAL_IF(CORRAL_WANT_ML_DSA, CORRAL_ML_DSA_SIGNATURE_SIZE(CORRAL_ML_DSA_MAX_BITS)),       \
        CORRAL_IF(CORRAL_WANT_SLH_DSA, CORRAL_SLH_DSA_SIGNATURE_MAX_SIZE)))

/* Longest ciphertext and plaintext of RSA. */
#define PSA_ASYMMETRIC_ENCRYPT_OUTPUT_MAX_SIZE                                                     \
    CORRAL_AT_LEAST_1(CORRAL_IF(PSA_WANT_ALG_RSA_PKCS1V15_CRYPT || PSA_WANT_ALG_RSA_OAEP,          \
                                CORRAL_BITS_TO_BYTES(CORRAL_RSA_MAX_BITS)))
#define PSA_ASYMMETRIC_DECRYPT_OUTPUT_MAX_SIZE PSA_ASYMMETRIC_ENCRYPT_OUTPUT_MAX_SIZE

/* Longest shared secret. */
#define PSA_RAW_KEY_AGREEMENT_OUTPUT_MAX_SIZE                                                      \
    CORRAL_AT_LEAST_1(                                                                             \
        CORRAL_MAX(CORRAL_IF(PSA_WANT_ALG_ECDH, CORRAL_MAX(CORRAL_WEIERSTRASS_MAX_BYTES,           \
                                                           CORRAL_MONTGOMERY_MAX_BYTES)),          \
                   CORRAL_IF(PSA_WANT_ALG_FFDH, CORRAL_BITS_TO_BYTES(CORRAL_DH_MAX_BITS))))

/* Longest ciphertext of an encapsulation. */
#define PSA_ENCAPSULATE_CIPHERTEXT_MAX_SIZE                                                        \
    CORRAL_AT_LEAST_1(CORRAL_MAX(                                                                  \
        CORRAL_IF(PSA_WANT_ALG_ECIES_SEC1, CORRAL_ECC_POINT_MAX_SIZE),                             \
        CORRAL_IF(PSA_WANT_ALG_ML_KEM, CORRAL_ML_KEM_CIPHERTEXT_SIZE(CORRAL_ML_KEM_MAX_BITS))))

/*
 * Password-authenticated key exchange
 */
#define CORRAL_WANT_SPAKE2P                                                                        \
    (PSA_WANT_ALG_SPAKE2P_HMAC || PSA_WANT_ALG_SPAKE2P_CMAC || PSA_WANT_ALG_SPAKE2P_MATTER)
#define CORRAL_WANT_SAE (PSA_WANT_ALG_WPA3_SAE_FIXED || PSA_WANT_ALG_WPA3_SAE_GDH)
#define CORRAL_PAKE_GROUP_MAX_SIZE                                                                 \
    CORRAL_MAX(CORRAL_ECC_POINT_MAX_SIZE, CORRAL_BITS_TO_BYTES(CORRAL_DH_MAX_BITS))
#define CORRAL_SAE_COMMIT_MAX_SIZE                                                                 \
    CORRAL_MAX(3U * CORRAL_WEIERSTRASS_MAX_BYTES, 2U * CORRAL_BITS_TO_BYTES(CORRAL_DH_MAX_BITS))

/* Longest output, and longest input, of a step. A confirmation is a MAC, or two bytes and a
 * hash. */
#define PSA_PAKE_OUTPUT_MAX_SIZE                                                                   \
    CORRAL_AT_LEAST_1(CORRAL_MAX_4(                                                                \
        CORRAL_IF(PSA_WANT_ALG_JPAKE || CORRAL_WANT_SPAKE2P, CORRAL_PAKE_GROUP_MAX_SIZE),          \
        CORRAL_IF(CORRAL_WANT_SPAKE2P, PSA_HASH_MAX_SIZE),                                         \
        CORRAL_IF(CORRAL_WANT_SAE, CORRAL_SAE_COMMIT_MAX_SIZE),                                    \
        CORRAL_IF(CORRAL_WANT_SAE, 2U + PSA_HASH_MAX_SIZE)))
#define PSA_PAKE_INPUT_MAX_SIZE                                                                    \
    CORRAL_MAX(PSA_PAKE_OUTPUT_MAX_SIZE, CORRAL_IF(CORRAL_WANT_SAE, CORRAL_SAE_SALT_SIZE))

#ifdef __cplusplus
}
#endif

#endif
