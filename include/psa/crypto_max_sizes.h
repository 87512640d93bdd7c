/* SPDX-License-Identifier: Apache-2.0 */
/* Buffer sizes in bytes that suffice for everything the configuration wants.
 *
 * All are compile-time constants made of the CORRAL_WANT_xxx symbols, each 0 or 1, and at least 1
 * where they take no argument, so that they can be the size of an array in every configuration.
 * None has a cast, so that #if can compare them.
 */
#ifndef PSA_CRYPTO_MAX_SIZES_H
#define PSA_CRYPTO_MAX_SIZES_H

#include <corral/config.h>

#include "crypto_key_sizes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of numbers that #if can compute. CORRAL_IF: size if the symbol is 1, else 0. */
#define CORRAL_BYTES_OF(bits) (((bits) + 7U) / 8U)
#define CORRAL_WHOLE(length, block) (((length) + (block)-1U) / (block) * (block))
#define CORRAL_IF(want, size) ((want) ? (size) : 0U)
#define CORRAL_MAX_3(a, b, c) CORRAL_MAX(CORRAL_MAX(a, b), c)
#define CORRAL_MAX_4(a, b, c, d) CORRAL_MAX(CORRAL_MAX(a, b), CORRAL_MAX(c, d))
#define CORRAL_AT_LEAST_1(size) CORRAL_MAX(size, 1U)

/*
 * Largest parameters
 */
#define CORRAL_EDWARDS_MAX_BYTES                                                                   \
    CORRAL_IF(CORRAL_EDWARDS_MAX_BITS != 0, CORRAL_EDWARDS_MAX_BITS / 8U + 1U)
#define CORRAL_SLH_DSA_SMALL(bits)                                                                 \
    (CORRAL_WANT_SLH_DSA_SHA2_S_##bits || CORRAL_WANT_SLH_DSA_SHAKE_S_##bits)
#define CORRAL_SLH_DSA_FAST(bits)                                                                  \
    (CORRAL_WANT_SLH_DSA_SHA2_F_##bits || CORRAL_WANT_SLH_DSA_SHAKE_F_##bits)
#define CORRAL_WEIERSTRASS_MAX_BYTES CORRAL_BYTES_OF(CORRAL_WEIERSTRASS_MAX_BITS)
#define CORRAL_MONTGOMERY_MAX_BYTES CORRAL_BYTES_OF(CORRAL_MONTGOMERY_MAX_BITS)

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
/* Longest state of psa_hash_suspend(): of SHA-512, of SHA-256, of hashes of 20 bytes, MD5, MD2. */
#define PSA_HASH_SUSPEND_OUTPUT_MAX_SIZE                                                           \
    (CORRAL_WANT_ALG_SHA_384 || CORRAL_WANT_ALG_SHA_512 || CORRAL_WANT_ALG_SHA_512_224 ||          \
             CORRAL_WANT_ALG_SHA_512_256                                                           \
         ? 211U                                                                                    \
     : CORRAL_WANT_ALG_SHA_224 || CORRAL_WANT_ALG_SHA_256 ? 107U                                   \
     : CORRAL_WANT_ALG_SHA_1 || CORRAL_WANT_ALG_RIPEMD160 ? 95U                                    \
     : CORRAL_WANT_ALG_MD4 || CORRAL_WANT_ALG_MD5         ? 91U                                    \
     : CORRAL_WANT_ALG_MD2                                ? 84U                                    \
                                                          : 1U)

/* Longest MAC. */
#define CORRAL_BLAKE2_MAC_MAX_SIZE                                                                 \
    (CORRAL_WANT_ALG_BLAKE2B_HASH512 || CORRAL_WANT_ALG_BLAKE2BP_HASH512 ? 64U : 32U)
#define PSA_MAC_MAX_SIZE                                                                           \
    CORRAL_AT_LEAST_1(                                                                             \
        CORRAL_MAX_3(CORRAL_IF(CORRAL_WANT_ALG_HMAC, PSA_HASH_MAX_SIZE),                           \
                     CORRAL_IF(CORRAL_WANT_ALG_CMAC || CORRAL_WANT_ALG_CBC_MAC,                    \
                               PSA_BLOCK_CIPHER_BLOCK_MAX_SIZE),                                   \
                     CORRAL_IF(CORRAL_WANT_ALG_BLAKE2_MAC, CORRAL_BLAKE2_MAC_MAX_SIZE)))

/*
 * Ciphers
 */
#define CORRAL_WANT_IV_OF_BLOCK                                                                    \
    (CORRAL_WANT_ALG_CTR || CORRAL_WANT_ALG_CFB || CORRAL_WANT_ALG_OFB || CORRAL_WANT_ALG_XTS ||   \
     CORRAL_WANT_ALG_CBC_NO_PADDING || CORRAL_WANT_ALG_CBC_PKCS7)
#define CORRAL_WANT_CIPHER_IN_BLOCKS                                                               \
    (CORRAL_WANT_ALG_ECB_NO_PADDING || CORRAL_WANT_ALG_CBC_NO_PADDING ||                           \
     CORRAL_WANT_ALG_CBC_PKCS7 || CORRAL_WANT_ALG_XTS)

/* Longest IV that is generated. */
#define PSA_CIPHER_IV_MAX_SIZE                                                                     \
    CORRAL_AT_LEAST_1(CORRAL_MAX_4(                                                                \
        CORRAL_IF(CORRAL_WANT_IV_OF_BLOCK, PSA_BLOCK_CIPHER_BLOCK_MAX_SIZE),                       \
        CORRAL_IF(CORRAL_WANT_ALG_CCM_STAR_NO_TAG, 13U),                                           \
        CORRAL_IF(CORRAL_WANT_ALG_STREAM_CIPHER &&CORRAL_WANT_KEY_TYPE_CHACHA20, 12U),             \
        CORRAL_IF(CORRAL_WANT_ALG_STREAM_CIPHER &&CORRAL_WANT_KEY_TYPE_XCHACHA20, 24U)))
#define PSA_CIPHER_ENCRYPT_OUTPUT_MAX_SIZE(input_length)                                           \
    (PSA_CIPHER_IV_MAX_SIZE +                                                                      \
     (CORRAL_WANT_ALG_CBC_PKCS7                                                                    \
          ? CORRAL_WHOLE((input_length) + 1U, PSA_BLOCK_CIPHER_BLOCK_MAX_SIZE)                     \
          : (input_length)))
#define PSA_CIPHER_DECRYPT_OUTPUT_MAX_SIZE(input_length) (input_length)
#define PSA_CIPHER_UPDATE_OUTPUT_MAX_SIZE(input_length)                                            \
    (CORRAL_WANT_CIPHER_IN_BLOCKS ? CORRAL_WHOLE(input_length, PSA_BLOCK_CIPHER_BLOCK_MAX_SIZE)    \
                                  : (input_length))
#define PSA_CIPHER_FINISH_OUTPUT_MAX_SIZE                                                          \
    CORRAL_AT_LEAST_1(                                                                             \
        CORRAL_MAX(CORRAL_IF(CORRAL_WANT_ALG_CBC_PKCS7, PSA_BLOCK_CIPHER_BLOCK_MAX_SIZE),          \
                   CORRAL_IF(CORRAL_WANT_ALG_XTS, 2U * PSA_BLOCK_CIPHER_BLOCK_MAX_SIZE)))

/*
 * AEAD. Every default tag has 16 bytes.
 */
#define CORRAL_WANT_AEAD_IN_BLOCKS                                                                 \
    (CORRAL_WANT_ALG_CCM || CORRAL_WANT_ALG_GCM || CORRAL_WANT_ALG_ASCON_AEAD128)
#define PSA_AEAD_TAG_MAX_SIZE                                                                      \
    (CORRAL_WANT_AEAD_IN_BLOCKS || CORRAL_WANT_ALG_CHACHA20_POLY1305 ||                            \
             CORRAL_WANT_ALG_XCHACHA20_POLY1305                                                    \
         ? 16U                                                                                     \
         : 1U)
#define PSA_AEAD_NONCE_MAX_SIZE                                                                    \
    (CORRAL_WANT_ALG_XCHACHA20_POLY1305                         ? 24U                              \
     : CORRAL_WANT_ALG_ASCON_AEAD128                            ? 16U                              \
     : CORRAL_WANT_ALG_CCM                                      ? 13U                              \
     : CORRAL_WANT_ALG_GCM || CORRAL_WANT_ALG_CHACHA20_POLY1305 ? 12U                              \
                                                                : 1U)
#define PSA_AEAD_ENCRYPT_OUTPUT_MAX_SIZE(plaintext_length)                                         \
    ((plaintext_length) + PSA_AEAD_TAG_MAX_SIZE)
#define PSA_AEAD_DECRYPT_OUTPUT_MAX_SIZE(ciphertext_length) (ciphertext_length)
#define PSA_AEAD_UPDATE_OUTPUT_MAX_SIZE(input_length)                                              \
    (CORRAL_WANT_AEAD_IN_BLOCKS ? CORRAL_WHOLE(input_length, 16U) : (input_length))
#define PSA_AEAD_FINISH_OUTPUT_MAX_SIZE (CORRAL_WANT_AEAD_IN_BLOCKS ? 16U : 1U)
#define PSA_AEAD_VERIFY_OUTPUT_MAX_SIZE PSA_AEAD_FINISH_OUTPUT_MAX_SIZE

/*
 * Keys
 */
#define CORRAL_SPAKE2P_PUBLIC_KEY_MAX_SIZE (CORRAL_ECC_MAX_BYTES + CORRAL_ECC_POINT_MAX_SIZE)
#define CORRAL_STATEFUL_PUBLIC_KEY_MAX_SIZE                                                        \
    (CORRAL_WANT_KEY_TYPE_XMSS_PUBLIC_KEY || CORRAL_WANT_KEY_TYPE_XMSS_MT_PUBLIC_KEY ? 68U         \
     : CORRAL_WANT_KEY_TYPE_HSS_PUBLIC_KEY                                           ? 60U         \
     : CORRAL_WANT_KEY_TYPE_LMS_PUBLIC_KEY                                           ? 56U         \
                                                                                     : 0U)

/* Largest public key. */
#define PSA_EXPORT_PUBLIC_KEY_MAX_SIZE                                                             \
    CORRAL_AT_LEAST_1(CORRAL_MAX_4(                                                                \
        CORRAL_MAX(CORRAL_IF(CORRAL_WANT_KEY_TYPE_ECC_PUBLIC_KEY, CORRAL_ECC_POINT_MAX_SIZE),      \
                   CORRAL_IF(CORRAL_WANT_KEY_TYPE_SPAKE2P_PUBLIC_KEY,                              \
                             CORRAL_SPAKE2P_PUBLIC_KEY_MAX_SIZE)),                                 \
        CORRAL_MAX(                                                                                \
            CORRAL_IF(CORRAL_WANT_KEY_TYPE_RSA_PUBLIC_KEY,                                         \
                      CORRAL_RSA_PUBLIC_KEY_SIZE(CORRAL_BYTES_OF(CORRAL_RSA_MAX_BITS))),           \
            CORRAL_IF(CORRAL_WANT_KEY_TYPE_DH_PUBLIC_KEY, CORRAL_BYTES_OF(CORRAL_DH_MAX_BITS))),   \
        CORRAL_MAX(CORRAL_IF(CORRAL_WANT_KEY_TYPE_ML_DSA_PUBLIC_KEY,                               \
                             CORRAL_ML_DSA_PUBLIC_KEY_SIZE(CORRAL_ML_DSA_MAX_BITS)),               \
                   CORRAL_IF(CORRAL_WANT_KEY_TYPE_ML_KEM_PUBLIC_KEY,                               \
                             CORRAL_ML_KEM_PUBLIC_KEY_SIZE(CORRAL_ML_KEM_MAX_BITS))),              \
        CORRAL_MAX(                                                                                \
            CORRAL_IF(CORRAL_WANT_KEY_TYPE_SLH_DSA_PUBLIC_KEY, CORRAL_SLH_DSA_MAX_BITS / 4U),      \
            CORRAL_STATEFUL_PUBLIC_KEY_MAX_SIZE)))

/* Largest key pair. */
#define PSA_EXPORT_KEY_PAIR_MAX_SIZE                                                               \
    CORRAL_AT_LEAST_1(CORRAL_MAX_4(                                                                \
        CORRAL_MAX(                                                                                \
            CORRAL_IF(CORRAL_WANT_KEY_TYPE_ECC_KEY_PAIR_BASIC, CORRAL_ECC_MAX_BYTES),              \
            CORRAL_IF(CORRAL_WANT_KEY_TYPE_SPAKE2P_KEY_PAIR_BASIC, 2U * CORRAL_ECC_MAX_BYTES)),    \
        CORRAL_MAX(CORRAL_IF(CORRAL_WANT_KEY_TYPE_RSA_KEY_PAIR_BASIC,                              \
                             CORRAL_RSA_KEY_PAIR_SIZE(CORRAL_BYTES_OF(CORRAL_RSA_MAX_BITS))),      \
                   CORRAL_IF(CORRAL_WANT_KEY_TYPE_DH_KEY_PAIR_BASIC,                               \
                             CORRAL_BYTES_OF(CORRAL_DH_MAX_BITS))),                                \
        CORRAL_MAX(CORRAL_IF(CORRAL_WANT_KEY_TYPE_ML_DSA_KEY_PAIR_BASIC, 32U),                     \
                   CORRAL_IF(CORRAL_WANT_KEY_TYPE_ML_KEM_KEY_PAIR_BASIC, 64U)),                    \
        CORRAL_IF(CORRAL_WANT_KEY_TYPE_SLH_DSA_KEY_PAIR_BASIC, CORRAL_SLH_DSA_MAX_BITS / 2U)))
#define PSA_EXPORT_ASYMMETRIC_KEY_MAX_SIZE                                                         \
    CORRAL_MAX(PSA_EXPORT_KEY_PAIR_MAX_SIZE, PSA_EXPORT_PUBLIC_KEY_MAX_SIZE)
#define PSA_WRAP_KEY_PAIR_MAX_SIZE (CORRAL_WHOLE(PSA_EXPORT_KEY_PAIR_MAX_SIZE, 8U) + 8U)

/*
 * Signatures, asymmetric encryption, agreement, encapsulation
 */
#define CORRAL_WANT_ECDSA (CORRAL_WANT_ALG_ECDSA || CORRAL_WANT_ALG_DETERMINISTIC_ECDSA)
#define CORRAL_WANT_EDDSA                                                                          \
    (CORRAL_WANT_ALG_PURE_EDDSA || CORRAL_WANT_ALG_EDDSA_CTX || CORRAL_WANT_ALG_ED25519PH ||       \
     CORRAL_WANT_ALG_ED448PH)
#define CORRAL_WANT_RSA_SIGN                                                                       \
    (CORRAL_WANT_ALG_RSA_PKCS1V15_SIGN || CORRAL_WANT_ALG_RSA_PSS ||                               \
     CORRAL_WANT_ALG_RSA_PSS_ANY_SALT)
#define CORRAL_WANT_ML_DSA                                                                         \
    (CORRAL_WANT_ALG_ML_DSA || CORRAL_WANT_ALG_DETERMINISTIC_ML_DSA ||                             \
     CORRAL_WANT_ALG_HASH_ML_DSA || CORRAL_WANT_ALG_DETERMINISTIC_HASH_ML_DSA)
#define CORRAL_WANT_SLH_DSA                                                                        \
    (CORRAL_WANT_ALG_SLH_DSA || CORRAL_WANT_ALG_DETERMINISTIC_SLH_DSA ||                           \
     CORRAL_WANT_ALG_HASH_SLH_DSA || CORRAL_WANT_ALG_DETERMINISTIC_HASH_SLH_DSA)
#define CORRAL_SLH_DSA_SIGNATURE_MAX_SIZE                                                          \
    (CORRAL_SLH_DSA_FAST(256)    ? 49856U                                                          \
     : CORRAL_SLH_DSA_FAST(192)  ? 35664U                                                          \
     : CORRAL_SLH_DSA_SMALL(256) ? 29792U                                                          \
     : CORRAL_SLH_DSA_FAST(128)  ? 17088U                                                          \
     : CORRAL_SLH_DSA_SMALL(192) ? 16224U                                                          \
     : CORRAL_SLH_DSA_SMALL(128) ? 7856U                                                           \
                                 : 0U)

/* Longest signature. */
#define PSA_SIGNATURE_MAX_SIZE                                                                     \
    CORRAL_AT_LEAST_1(CORRAL_MAX_4(                                                                \
        CORRAL_MAX(CORRAL_IF(CORRAL_WANT_ECDSA, 2U * CORRAL_WEIERSTRASS_MAX_BYTES),                \
                   CORRAL_IF(CORRAL_WANT_EDDSA, 2U * CORRAL_EDWARDS_MAX_BYTES)),                   \
        CORRAL_IF(CORRAL_WANT_RSA_SIGN, CORRAL_BYTES_OF(CORRAL_RSA_MAX_BITS)),                     \
        CORRAL_IF(CORRAL_WANT_ML_DSA, CORRAL_ML_DSA_SIGNATURE_SIZE(CORRAL_ML_DSA_MAX_BITS)),       \
        CORRAL_IF(CORRAL_WANT_SLH_DSA, CORRAL_SLH_DSA_SIGNATURE_MAX_SIZE)))

/* Longest ciphertext and plaintext of RSA. */
#define PSA_ASYMMETRIC_ENCRYPT_OUTPUT_MAX_SIZE                                                     \
    CORRAL_AT_LEAST_1(CORRAL_IF(CORRAL_WANT_ALG_RSA_PKCS1V15_CRYPT || CORRAL_WANT_ALG_RSA_OAEP,    \
                                CORRAL_BYTES_OF(CORRAL_RSA_MAX_BITS)))
#define PSA_ASYMMETRIC_DECRYPT_OUTPUT_MAX_SIZE PSA_ASYMMETRIC_ENCRYPT_OUTPUT_MAX_SIZE

/* Longest shared secret. */
#define PSA_RAW_KEY_AGREEMENT_OUTPUT_MAX_SIZE                                                      \
    CORRAL_AT_LEAST_1(                                                                             \
        CORRAL_MAX(CORRAL_IF(CORRAL_WANT_ALG_ECDH, CORRAL_MAX(CORRAL_WEIERSTRASS_MAX_BYTES,        \
                                                              CORRAL_MONTGOMERY_MAX_BYTES)),       \
                   CORRAL_IF(CORRAL_WANT_ALG_FFDH, CORRAL_BYTES_OF(CORRAL_DH_MAX_BITS))))

/* Longest ciphertext of an encapsulation. */
#define PSA_ENCAPSULATE_CIPHERTEXT_MAX_SIZE                                                        \
    CORRAL_AT_LEAST_1(CORRAL_MAX(                                                                  \
        CORRAL_IF(CORRAL_WANT_ALG_ECIES_SEC1, CORRAL_ECC_POINT_MAX_SIZE),                          \
        CORRAL_IF(CORRAL_WANT_ALG_ML_KEM, CORRAL_ML_KEM_CIPHERTEXT_SIZE(CORRAL_ML_KEM_MAX_BITS))))

/*
 * Password-authenticated key exchange
 */
#define CORRAL_WANT_SPAKE2P                                                                        \
    (CORRAL_WANT_ALG_SPAKE2P_HMAC || CORRAL_WANT_ALG_SPAKE2P_CMAC || CORRAL_WANT_ALG_SPAKE2P_MATTER)
#define CORRAL_WANT_SAE (CORRAL_WANT_ALG_WPA3_SAE_FIXED || CORRAL_WANT_ALG_WPA3_SAE_GDH)
#define CORRAL_PAKE_GROUP_MAX_SIZE                                                                 \
    CORRAL_MAX(CORRAL_ECC_POINT_MAX_SIZE, CORRAL_BYTES_OF(CORRAL_DH_MAX_BITS))
#define CORRAL_SAE_COMMIT_MAX_SIZE                                                                 \
    CORRAL_MAX(3U * CORRAL_WEIERSTRASS_MAX_BYTES, 2U * CORRAL_BYTES_OF(CORRAL_DH_MAX_BITS))

/* Longest output, and longest input, of a step. A confirmation is a MAC, or two bytes and a
 * hash. */
#define PSA_PAKE_OUTPUT_MAX_SIZE                                                                   \
    CORRAL_AT_LEAST_1(CORRAL_MAX_4(                                                                \
        CORRAL_IF(CORRAL_WANT_ALG_JPAKE || CORRAL_WANT_SPAKE2P, CORRAL_PAKE_GROUP_MAX_SIZE),       \
        CORRAL_IF(CORRAL_WANT_SPAKE2P, PSA_HASH_MAX_SIZE),                                         \
        CORRAL_IF(CORRAL_WANT_SAE, CORRAL_SAE_COMMIT_MAX_SIZE),                                    \
        CORRAL_IF(CORRAL_WANT_SAE, 2U + PSA_HASH_MAX_SIZE)))
#define PSA_PAKE_INPUT_MAX_SIZE                                                                    \
    CORRAL_MAX(PSA_PAKE_OUTPUT_MAX_SIZE, CORRAL_IF(CORRAL_WANT_SAE, CORRAL_SAE_SALT_SIZE))

#ifdef __cplusplus
}
#endif

#endif
