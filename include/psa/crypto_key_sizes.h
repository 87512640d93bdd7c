/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of exported keys, wrapped keys, signatures, shared secrets and the like, in bytes.
 *
 * The rules in psa/crypto_sizes.h apply to these macros, too.
 */
#ifndef PSA_CRYPTO_KEY_SIZES_H
#define PSA_CRYPTO_KEY_SIZES_H

#include "crypto_sizes.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Exported keys (section 9.9.3). Formats: psa/crypto_key_types.h.
 */

/* Bytes of a curve: coordinate, and scalar. Edwards curves have a sign bit to store. */
#define CORRAL_ECC_BYTES(family, bits)                                                             \
    ((family) == PSA_ECC_FAMILY_TWISTED_EDWARDS ? CORRAL_CAST(size_t, bits) / 8U + 1U              \
                                                : CORRAL_BITS_TO_BYTES(bits))

/* A point as a public key. */
#define CORRAL_ECC_POINT_SIZE(family, bits)                                                        \
    ((family) == PSA_ECC_FAMILY_TWISTED_EDWARDS || (family) == PSA_ECC_FAMILY_MONTGOMERY           \
         ? CORRAL_ECC_BYTES(family, bits)                                                          \
         : 2U * CORRAL_BITS_TO_BYTES(bits) + 1U)

/* DER of an RSA key: tag and length take up to 4 bytes, a positive integer up to one more than its
 * value; exponents of up to 8 bytes. A pair has the modulus, a private exponent of that size, and
 * five numbers of half of it. */
#define CORRAL_DER_INTEGER_SIZE(bytes) ((bytes) + 5U)
#define CORRAL_RSA_PUBLIC_KEY_SIZE(modulus_bytes)                                                  \
    (4U + CORRAL_DER_INTEGER_SIZE(modulus_bytes) + 11U)
#define CORRAL_RSA_KEY_PAIR_SIZE(modulus_bytes)                                                    \
    (4U + 3U + 2U * CORRAL_DER_INTEGER_SIZE(modulus_bytes) + 11U +                                 \
     5U * CORRAL_DER_INTEGER_SIZE(((modulus_bytes) + 1U) / 2U))

#define CORRAL_ML_DSA_PUBLIC_KEY_SIZE(bits)                                                        \
    ((bits) == 128 ? 1312U : (bits) == 192 ? 1952U : (bits) == 256 ? 2592U : 0U)
#define CORRAL_ML_KEM_PUBLIC_KEY_SIZE(bits)                                                        \
    ((bits) == 512 ? 800U : (bits) == 768 ? 1184U : (bits) == 1024 ? 1568U : 0U)

/* RFC 8554: LMS has two 4-byte types, a 16-byte identifier and a hash; HSS adds a 4-byte level. RFC
 * 8391: XMSS and XMSS^MT have a 4-byte type, root and seed. */
#define CORRAL_STATEFUL_PUBLIC_KEY_SIZE(key_type, bits)                                            \
    ((key_type) == PSA_KEY_TYPE_LMS_PUBLIC_KEY   ? 24U + CORRAL_BITS_TO_BYTES(bits)                \
     : (key_type) == PSA_KEY_TYPE_HSS_PUBLIC_KEY ? 28U + CORRAL_BITS_TO_BYTES(bits)                \
     : (key_type) == PSA_KEY_TYPE_XMSS_PUBLIC_KEY || (key_type) == PSA_KEY_TYPE_XMSS_MT_PUBLIC_KEY \
         ? 4U + 2U * CORRAL_BITS_TO_BYTES(bits)                                                    \
         : CORRAL_CAST(size_t, 0))

/* Size of a public key of a public-key type. */
#define CORRAL_PUBLIC_KEY_SIZE(key_type, bits)                                                     \
    ((key_type) == PSA_KEY_TYPE_RSA_PUBLIC_KEY                                                     \
         ? CORRAL_RSA_PUBLIC_KEY_SIZE(CORRAL_BITS_TO_BYTES(bits))                                  \
     : PSA_KEY_TYPE_IS_ECC_PUBLIC_KEY(key_type)                                                    \
         ? CORRAL_ECC_POINT_SIZE(PSA_KEY_TYPE_ECC_GET_FAMILY(key_type), bits)                      \
     : PSA_KEY_TYPE_IS_DH_PUBLIC_KEY(key_type)      ? CORRAL_BITS_TO_BYTES(bits)                   \
     : (key_type) == PSA_KEY_TYPE_ML_DSA_PUBLIC_KEY ? CORRAL_ML_DSA_PUBLIC_KEY_SIZE(bits)          \
     : (key_type) == PSA_KEY_TYPE_ML_KEM_PUBLIC_KEY ? CORRAL_ML_KEM_PUBLIC_KEY_SIZE(bits)          \
     : PSA_KEY_TYPE_IS_SLH_DSA_PUBLIC_KEY(key_type) ? 2U * CORRAL_BITS_TO_BYTES(bits)              \
     : PSA_KEY_TYPE_IS_SPAKE2P_PUBLIC_KEY(key_type)                                                \
         ? CORRAL_ECC_BYTES(PSA_KEY_TYPE_SPAKE2P_GET_FAMILY(key_type), bits) +                     \
               CORRAL_ECC_POINT_SIZE(PSA_KEY_TYPE_SPAKE2P_GET_FAMILY(key_type), bits)              \
         : CORRAL_STATEFUL_PUBLIC_KEY_SIZE(key_type, bits))

/* Size of a key pair of a key-pair type. */
#define CORRAL_KEY_PAIR_SIZE(key_type, bits)                                                       \
    ((key_type) == PSA_KEY_TYPE_RSA_KEY_PAIR                                                       \
         ? CORRAL_RSA_KEY_PAIR_SIZE(CORRAL_BITS_TO_BYTES(bits))                                    \
     : PSA_KEY_TYPE_IS_ECC_KEY_PAIR(key_type)                                                      \
         ? CORRAL_ECC_BYTES(PSA_KEY_TYPE_ECC_GET_FAMILY(key_type), bits)                           \
     : PSA_KEY_TYPE_IS_DH_KEY_PAIR(key_type)      ? CORRAL_BITS_TO_BYTES(bits)                     \
     : (key_type) == PSA_KEY_TYPE_ML_DSA_KEY_PAIR ? CORRAL_CAST(size_t, 32)                        \
     : (key_type) == PSA_KEY_TYPE_ML_KEM_KEY_PAIR ? CORRAL_CAST(size_t, 64)                        \
     : PSA_KEY_TYPE_IS_SLH_DSA_KEY_PAIR(key_type) ? 4U * CORRAL_BITS_TO_BYTES(bits)                \
     : PSA_KEY_TYPE_IS_SPAKE2P_KEY_PAIR(key_type)                                                  \
         ? 2U * CORRAL_ECC_BYTES(PSA_KEY_TYPE_SPAKE2P_GET_FAMILY(key_type), bits)                  \
         : CORRAL_CAST(size_t, 0))

/* Size for psa_export_key(). */
#define PSA_EXPORT_KEY_OUTPUT_SIZE(key_type, key_bits)                                             \
    (PSA_KEY_TYPE_IS_UNSTRUCTURED(key_type)   ? CORRAL_BITS_TO_BYTES(key_bits)                     \
     : PSA_KEY_TYPE_IS_KEY_PAIR(key_type)     ? CORRAL_KEY_PAIR_SIZE(key_type, key_bits)           \
     : PSA_KEY_TYPE_IS_PUBLIC_KEY(key_type)   ? CORRAL_PUBLIC_KEY_SIZE(key_type, key_bits)         \
     : PSA_KEY_TYPE_IS_WPA3_SAE_ECC(key_type) ? 2U * CORRAL_BITS_TO_BYTES(key_bits)                \
     : PSA_KEY_TYPE_IS_WPA3_SAE_DH(key_type)  ? CORRAL_BITS_TO_BYTES(key_bits)                     \
                                              : CORRAL_CAST(size_t, 0))

/* Size for psa_export_public_key() of a key pair or a public key. */
#define PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(key_type, key_bits)                                      \
    (PSA_KEY_TYPE_IS_ASYMMETRIC(key_type)                                                          \
         ? CORRAL_PUBLIC_KEY_SIZE(PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(key_type), key_bits)         \
         : CORRAL_CAST(size_t, 0))

/* Size for psa_wrap_key(): the exported key in whole half-blocks, and one more (section
 * 10.7.3). */
#define PSA_WRAP_KEY_OUTPUT_SIZE(wrap_key_type, alg, key_type, key_bits)                           \
    (CORRAL_BLOCK_CIPHER(wrap_key_type) == 16U && ((alg) == PSA_ALG_KW || (alg) == PSA_ALG_KWP) && \
             PSA_EXPORT_KEY_OUTPUT_SIZE(key_type, key_bits) != 0                                   \
         ? CORRAL_ROUND_UP(PSA_EXPORT_KEY_OUTPUT_SIZE(key_type, key_bits), 8U) + 8U                \
         : CORRAL_CAST(size_t, 0))

/*
 * Signatures (section 10.9.10)
 */
#define CORRAL_ML_DSA_SIGNATURE_SIZE(bits)                                                         \
    ((bits) == 128 ? 2420U : (bits) == 192 ? 3309U : (bits) == 256 ? 4627U : 0U)
#define CORRAL_SLH_DSA_IS_SMALL(family)                                                            \
    ((family) == PSA_SLH_DSA_FAMILY_SHA2_S || (family) == PSA_SLH_DSA_FAMILY_SHAKE_S)
#define CORRAL_SLH_DSA_SIGNATURE_SIZE(family, bits)                                                \
    ((bits) == 128   ? CORRAL_SLH_DSA_IS_SMALL(family) ? CORRAL_CAST(size_t, 7856)                 \
                                                       : CORRAL_CAST(size_t, 17088)                \
       : (bits) == 192 ? CORRAL_SLH_DSA_IS_SMALL(family) ? CORRAL_CAST(size_t, 16224)              \
                                                         : CORRAL_CAST(size_t, 35664)              \
       : (bits) == 256 ? CORRAL_SLH_DSA_IS_SMALL(family) ? CORRAL_CAST(size_t, 29792)              \
                                                         : CORRAL_CAST(size_t, 49856)              \
                       : CORRAL_CAST(size_t, 0))
#define CORRAL_IS_EDDSA(alg)                                                                       \
    ((alg) == PSA_ALG_PURE_EDDSA || (alg) == PSA_ALG_EDDSA_CTX || PSA_ALG_IS_HASH_EDDSA(alg))
#define CORRAL_ECC_SIGNATURE_SIZE(family, bits, alg)                                               \
    ((family) == PSA_ECC_FAMILY_MONTGOMERY ? CORRAL_CAST(size_t, 0)                                \
     : ((family) == PSA_ECC_FAMILY_TWISTED_EDWARDS ? CORRAL_IS_EDDSA(alg) : PSA_ALG_IS_ECDSA(alg)) \
         ? 2U * CORRAL_ECC_BYTES(family, bits)                                                     \
         : CORRAL_CAST(size_t, 0))

/* Length of a signature by key type (pair or public key), key size and algorithm; 0 for LMS, HSS
 * and XMSS, which this API only verifies. */
#define PSA_SIGN_OUTPUT_SIZE(key_type, key_bits, alg)                                              \
    (PSA_KEY_TYPE_IS_RSA(key_type) ? PSA_ALG_IS_RSA_PKCS1V15_SIGN(alg) || PSA_ALG_IS_RSA_PSS(alg)  \
                                         ? CORRAL_BITS_TO_BYTES(key_bits)                          \
                                         : CORRAL_CAST(size_t, 0)                                  \
     : PSA_KEY_TYPE_IS_ECC(key_type)                                                               \
         ? CORRAL_ECC_SIGNATURE_SIZE(PSA_KEY_TYPE_ECC_GET_FAMILY(key_type), key_bits, alg)         \
     : PSA_KEY_TYPE_IS_ML_DSA(key_type) && (PSA_ALG_IS_ML_DSA(alg) || PSA_ALG_IS_HASH_ML_DSA(alg)) \
         ? CORRAL_ML_DSA_SIGNATURE_SIZE(key_bits)                                                  \
     : PSA_KEY_TYPE_IS_SLH_DSA(key_type) &&                                                        \
             (PSA_ALG_IS_SLH_DSA(alg) || PSA_ALG_IS_HASH_SLH_DSA(alg))                             \
         ? CORRAL_SLH_DSA_SIGNATURE_SIZE(PSA_KEY_TYPE_SLH_DSA_GET_FAMILY(key_type), key_bits)      \
         : CORRAL_CAST(size_t, 0))

/*
 * Asymmetric encryption (section 10.10.3)
 */

/* Ciphertext: as long as the modulus. */
#define PSA_ASYMMETRIC_ENCRYPT_OUTPUT_SIZE(key_type, key_bits, alg)                                \
    (PSA_KEY_TYPE_IS_RSA(key_type) &&                                                              \
             ((alg) == PSA_ALG_RSA_PKCS1V15_CRYPT || PSA_ALG_IS_RSA_OAEP(alg))                     \
         ? CORRAL_BITS_TO_BYTES(key_bits)                                                          \
         : CORRAL_CAST(size_t, 0))

/* Longest plaintext: the modulus less the least padding. */
#define CORRAL_RSA_PADDING_SIZE(alg)                                                               \
    ((alg) == PSA_ALG_RSA_PKCS1V15_CRYPT ? CORRAL_CAST(size_t, 11) : 2U * PSA_HASH_LENGTH(alg) + 2U)
#define PSA_ASYMMETRIC_DECRYPT_OUTPUT_SIZE(key_type, key_bits, alg)                                \
    (PSA_ASYMMETRIC_ENCRYPT_OUTPUT_SIZE(key_type, key_bits, alg) > CORRAL_RSA_PADDING_SIZE(alg)    \
         ? CORRAL_BITS_TO_BYTES(key_bits) - CORRAL_RSA_PADDING_SIZE(alg)                           \
         : CORRAL_CAST(size_t, 0))

/*
 * Key agreement and encapsulation (sections 10.11.4, 10.12.4)
 */

/* Shared secret: a coordinate or a field element. */
#define PSA_RAW_KEY_AGREEMENT_OUTPUT_SIZE(key_type, key_bits)                                      \
    (PSA_KEY_TYPE_IS_DH(key_type) ||                                                               \
             (PSA_KEY_TYPE_IS_ECC(key_type) &&                                                     \
              PSA_KEY_TYPE_ECC_GET_FAMILY(key_type) != PSA_ECC_FAMILY_TWISTED_EDWARDS)             \
         ? CORRAL_BITS_TO_BYTES(key_bits)                                                          \
         : CORRAL_CAST(size_t, 0))

#define CORRAL_ML_KEM_CIPHERTEXT_SIZE(bits)                                                        \
    ((bits) == 512 ? 768U : (bits) == 768 ? 1088U : (bits) == 1024 ? 1568U : 0U)

/* Ciphertext: of ML-KEM, or the ephemeral public key of ECIES. */
#define PSA_ENCAPSULATE_CIPHERTEXT_SIZE(key_type, key_bits, alg)                                   \
    (PSA_KEY_TYPE_IS_ML_KEM(key_type) && (alg) == PSA_ALG_ML_KEM                                   \
         ? CORRAL_ML_KEM_CIPHERTEXT_SIZE(key_bits)                                                 \
     : PSA_KEY_TYPE_IS_ECC(key_type) && (alg) == PSA_ALG_ECIES_SEC1 &&                             \
             PSA_KEY_TYPE_ECC_GET_FAMILY(key_type) != PSA_ECC_FAMILY_TWISTED_EDWARDS               \
         ? CORRAL_ECC_POINT_SIZE(PSA_KEY_TYPE_ECC_GET_FAMILY(key_type), key_bits)                  \
         : CORRAL_CAST(size_t, 0))

/*
 * Password-authenticated key exchange (section 10.13.7)
 */
#define CORRAL_PAKE_IS_ECC(primitive)                                                              \
    (PSA_PAKE_PRIMITIVE_GET_TYPE(primitive) == PSA_PAKE_PRIMITIVE_TYPE_ECC)
#define CORRAL_PAKE_ELEMENT_SIZE(primitive)                                                        \
    (CORRAL_PAKE_IS_ECC(primitive)                                                                 \
         ? CORRAL_ECC_POINT_SIZE(PSA_PAKE_PRIMITIVE_GET_FAMILY(primitive),                         \
                                 PSA_PAKE_PRIMITIVE_GET_BITS(primitive))                           \
         : CORRAL_BITS_TO_BYTES(PSA_PAKE_PRIMITIVE_GET_BITS(primitive)))
#define CORRAL_PAKE_SCALAR_SIZE(primitive)                                                         \
    (CORRAL_PAKE_IS_ECC(primitive) ? CORRAL_ECC_BYTES(PSA_PAKE_PRIMITIVE_GET_FAMILY(primitive),    \
                                                      PSA_PAKE_PRIMITIVE_GET_BITS(primitive))      \
                                   : CORRAL_BITS_TO_BYTES(PSA_PAKE_PRIMITIVE_GET_BITS(primitive)))

#define CORRAL_JPAKE_STEP_SIZE(primitive, step)                                                    \
    ((step) == PSA_PAKE_STEP_KEY_SHARE || (step) == PSA_PAKE_STEP_ZK_PUBLIC                        \
         ? CORRAL_PAKE_ELEMENT_SIZE(primitive)                                                     \
     : (step) == PSA_PAKE_STEP_ZK_PROOF ? CORRAL_PAKE_SCALAR_SIZE(primitive)                       \
                                        : CORRAL_CAST(size_t, 0))

/* The MAC that SPAKE2+ confirms with has the full length of CMAC or HMAC. */
#define CORRAL_SPAKE2P_STEP_SIZE(alg, primitive, step)                                             \
    ((step) == PSA_PAKE_STEP_KEY_SHARE ? CORRAL_PAKE_ELEMENT_SIZE(primitive)                       \
     : (step) == PSA_PAKE_STEP_CONFIRM                                                             \
         ? (PSA_ALG_IS_SPAKE2P_CMAC(alg) ? CORRAL_CAST(size_t, 16) : PSA_HASH_LENGTH(alg))         \
         : CORRAL_CAST(size_t, 0))

/* Commitment: scalar, and point without the leading byte. Confirmation: counter and hash. */
#define CORRAL_SAE_STEP_SIZE(alg, primitive, step)                                                 \
    ((step) == PSA_PAKE_STEP_COMMIT                                                                \
         ? (CORRAL_PAKE_IS_ECC(primitive) ? 3U : 2U) *                                             \
               CORRAL_BITS_TO_BYTES(PSA_PAKE_PRIMITIVE_GET_BITS(primitive))                        \
     : (step) == PSA_PAKE_STEP_CONFIRM ? 2U + PSA_HASH_LENGTH(alg)                                 \
                                       : CORRAL_CAST(size_t, 0))

/* Steps that go both ways. */
#define CORRAL_PAKE_STEP_SIZE(alg, primitive, step)                                                \
    (PSA_ALG_IS_JPAKE(alg)      ? CORRAL_JPAKE_STEP_SIZE(primitive, step)                          \
     : PSA_ALG_IS_SPAKE2P(alg)  ? CORRAL_SPAKE2P_STEP_SIZE(alg, primitive, step)                   \
     : PSA_ALG_IS_WPA3_SAE(alg) ? CORRAL_SAE_STEP_SIZE(alg, primitive, step)                       \
                                : CORRAL_CAST(size_t, 0))

/* The list of rejected groups may be as long as the caller's peer made it; this is 32 of them. */
#define CORRAL_SAE_SALT_SIZE 64U

#define PSA_PAKE_OUTPUT_SIZE(alg, primitive, output_step)                                          \
    (PSA_ALG_IS_WPA3_SAE(alg) && (output_step) == PSA_PAKE_STEP_KEY_ID                             \
         ? CORRAL_CAST(size_t, 16)                                                                 \
         : CORRAL_PAKE_STEP_SIZE(alg, primitive, output_step))
#define PSA_PAKE_INPUT_SIZE(alg, primitive, input_step)                                            \
    (PSA_ALG_IS_WPA3_SAE(alg) && (input_step) == PSA_PAKE_STEP_CONFIRM_COUNT                       \
         ? CORRAL_CAST(size_t, 2)                                                                  \
     : PSA_ALG_IS_WPA3_SAE(alg) && (input_step) == PSA_PAKE_STEP_SALT                              \
         ? CORRAL_CAST(size_t, CORRAL_SAE_SALT_SIZE)                                               \
         : CORRAL_PAKE_STEP_SIZE(alg, primitive, input_step))

#ifdef __cplusplus
}
#endif

#endif
