/* SPDX-License-Identifier: Apache-2.0 */
/* Lengths and sufficient buffer sizes, in bytes, as functions of key type, key size and algorithm.
 *
 * All are compile-time constants when their arguments are, evaluate an argument as often as they
 * need it, and give 0 for combinations that cannot be. They answer for everything the specification
 * defines, whether or not the configuration wants it; psa/crypto_max_sizes.h has the maxima over
 * what the configuration wants.
 */
#ifndef PSA_CRYPTO_SIZES_H
#define PSA_CRYPTO_SIZES_H

#include "crypto_aead.h"
#include "crypto_agreement.h"
#include "crypto_asymmetric.h"
#include "crypto_cipher.h"
#include "crypto_hash.h"
#include "crypto_kem.h"
#include "crypto_key_types.h"
#include "crypto_lengths.h"
#include "crypto_mac.h"
#include "crypto_pake.h"
#include "crypto_sign_algorithms.h"
#include "crypto_wrap.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CORRAL_BITS_TO_BYTES(bits) ((CORRAL_CAST(size_t, bits) + 7U) / 8U)
#define CORRAL_ROUND_UP(length, block)                                                             \
    ((CORRAL_CAST(size_t, length) + CORRAL_CAST(size_t, block) - 1U) /                             \
     CORRAL_CAST(size_t, block) * CORRAL_CAST(size_t, block))
#define CORRAL_MAX(a, b) ((a) > (b) ? (a) : (b))

/*
 * Hashes (section 10.2.4); PSA_HASH_LENGTH() and PSA_HASH_BLOCK_LENGTH() are in crypto_lengths.h.
 */

/* Parts of the output of psa_hash_suspend() (section 10.2.5): algorithm, length of the
 * input so far, intermediate state, and less than a block of input. All are 0 for a
 * hash that defines no such state. */
#define PSA_HASH_SUSPEND_ALGORITHM_FIELD_LENGTH CORRAL_CAST(size_t, 4)
#define PSA_HASH_SUSPEND_INPUT_LENGTH_FIELD_LENGTH(alg)                                            \
    ((alg) == PSA_ALG_MD2 ? CORRAL_CAST(size_t, 1)                                                 \
     : (alg) == PSA_ALG_MD4 || (alg) == PSA_ALG_MD5 || (alg) == PSA_ALG_RIPEMD160 ||               \
             (alg) == PSA_ALG_SHA_1 || (alg) == PSA_ALG_SHA_224 || (alg) == PSA_ALG_SHA_256        \
         ? CORRAL_CAST(size_t, 8)                                                                  \
     : (alg) == PSA_ALG_SHA_512_224 || (alg) == PSA_ALG_SHA_512_256 || (alg) == PSA_ALG_SHA_384 || \
             (alg) == PSA_ALG_SHA_512                                                              \
         ? CORRAL_CAST(size_t, 16)                                                                 \
         : CORRAL_CAST(size_t, 0))
#define PSA_HASH_SUSPEND_HASH_STATE_FIELD_LENGTH(alg)                                              \
    ((alg) == PSA_ALG_MD4 || (alg) == PSA_ALG_MD5           ? CORRAL_CAST(size_t, 16)              \
     : (alg) == PSA_ALG_RIPEMD160 || (alg) == PSA_ALG_SHA_1 ? CORRAL_CAST(size_t, 20)              \
     : (alg) == PSA_ALG_SHA_224 || (alg) == PSA_ALG_SHA_256 ? CORRAL_CAST(size_t, 32)              \
     : (alg) == PSA_ALG_MD2 || (alg) == PSA_ALG_SHA_512_224 || (alg) == PSA_ALG_SHA_512_256 ||     \
             (alg) == PSA_ALG_SHA_384 || (alg) == PSA_ALG_SHA_512                                  \
         ? CORRAL_CAST(size_t, 64)                                                                 \
         : CORRAL_CAST(size_t, 0))
#define PSA_HASH_SUSPEND_OUTPUT_SIZE(alg)                                                          \
    (PSA_HASH_SUSPEND_HASH_STATE_FIELD_LENGTH(alg) == 0                                            \
         ? CORRAL_CAST(size_t, 0)                                                                  \
         : PSA_HASH_SUSPEND_ALGORITHM_FIELD_LENGTH +                                               \
               PSA_HASH_SUSPEND_INPUT_LENGTH_FIELD_LENGTH(alg) +                                   \
               PSA_HASH_SUSPEND_HASH_STATE_FIELD_LENGTH(alg) + PSA_HASH_BLOCK_LENGTH(alg) - 1U)

/*
 * Ciphers (section 10.5.4)
 */

/* Block of a cipher by its key type; 1 for a stream cipher. Unspecified for other key types. */
#define PSA_BLOCK_CIPHER_BLOCK_LENGTH(type) (1u << (((type) >> 8) & 7))

/* Block of a block cipher, or 0 if the key type is none. */
#define CORRAL_BLOCK_CIPHER(key_type)                                                              \
    (((key_type)&0x7000) == 0x2000 && PSA_BLOCK_CIPHER_BLOCK_LENGTH(key_type) > 1U                 \
         ? CORRAL_CAST(size_t, PSA_BLOCK_CIPHER_BLOCK_LENGTH(key_type))                            \
         : CORRAL_CAST(size_t, 0))

/* Whether key type and cipher algorithm go together. */
#define CORRAL_CIPHER_FITS(key_type, alg)                                                          \
    ((alg) == PSA_ALG_STREAM_CIPHER                                                                \
         ? (key_type) == PSA_KEY_TYPE_CHACHA20 || (key_type) == PSA_KEY_TYPE_XCHACHA20 ||          \
               (key_type) == PSA_KEY_TYPE_ARC4                                                     \
     : (alg) == PSA_ALG_CCM_STAR_NO_TAG || (alg) == PSA_ALG_XTS                                    \
         ? CORRAL_BLOCK_CIPHER(key_type) == 16U                                                    \
         : ((alg) == PSA_ALG_CTR || (alg) == PSA_ALG_CFB || (alg) == PSA_ALG_OFB ||                \
            CORRAL_CIPHER_IS_CHAINED(alg)) &&                                                      \
               CORRAL_BLOCK_CIPHER(key_type) != 0U)
#define CORRAL_CIPHER_IS_CHAINED(alg)                                                              \
    ((alg) == PSA_ALG_ECB_NO_PADDING || (alg) == PSA_ALG_CBC_NO_PADDING ||                         \
     (alg) == PSA_ALG_CBC_PKCS7)

/* Whether output comes in whole blocks, so that input waits for its block to fill. */
#define CORRAL_CIPHER_IN_BLOCKS(alg) (CORRAL_CIPHER_IS_CHAINED(alg) || (alg) == PSA_ALG_XTS)

/* Length of the IV that psa_cipher_encrypt() and psa_cipher_generate_iv() make; 0 if there is
 * none. */
#define PSA_CIPHER_IV_LENGTH(key_type, alg)                                                        \
    (!CORRAL_CIPHER_FITS(key_type, alg) || (alg) == PSA_ALG_ECB_NO_PADDING                         \
         ? CORRAL_CAST(size_t, 0)                                                                  \
     : (alg) == PSA_ALG_CCM_STAR_NO_TAG     ? CORRAL_CAST(size_t, 13)                              \
     : (alg) != PSA_ALG_STREAM_CIPHER       ? CORRAL_BLOCK_CIPHER(key_type)                        \
     : (key_type) == PSA_KEY_TYPE_CHACHA20  ? CORRAL_CAST(size_t, 12)                              \
     : (key_type) == PSA_KEY_TYPE_XCHACHA20 ? CORRAL_CAST(size_t, 24)                              \
                                            : CORRAL_CAST(size_t, 0))

/* IV and ciphertext, padding included. */
#define PSA_CIPHER_ENCRYPT_OUTPUT_SIZE(key_type, alg, input_length)                                \
    (!CORRAL_CIPHER_FITS(key_type, alg) ? CORRAL_CAST(size_t, 0)                                   \
     : (alg) == PSA_ALG_CBC_PKCS7                                                                  \
         ? CORRAL_BLOCK_CIPHER(key_type) +                                                         \
               CORRAL_ROUND_UP(CORRAL_CAST(size_t, input_length) + 1U,                             \
                               PSA_BLOCK_CIPHER_BLOCK_LENGTH(key_type))                            \
         : PSA_CIPHER_IV_LENGTH(key_type, alg) + CORRAL_CAST(size_t, input_length))

/* Plaintext of IV and ciphertext. */
#define PSA_CIPHER_DECRYPT_OUTPUT_SIZE(key_type, alg, input_length)                                \
    (CORRAL_CIPHER_FITS(key_type, alg) &&                                                          \
             CORRAL_CAST(size_t, input_length) > PSA_CIPHER_IV_LENGTH(key_type, alg)               \
         ? CORRAL_CAST(size_t, input_length) - PSA_CIPHER_IV_LENGTH(key_type, alg)                 \
         : CORRAL_CAST(size_t, 0))

/* Output of one psa_cipher_update(), with less than a block or a block at most waiting before. */
#define PSA_CIPHER_UPDATE_OUTPUT_SIZE(key_type, alg, input_length)                                 \
    (!CORRAL_CIPHER_FITS(key_type, alg) ? CORRAL_CAST(size_t, 0)                                   \
     : CORRAL_CIPHER_IN_BLOCKS(alg)                                                                \
         ? CORRAL_ROUND_UP(input_length, PSA_BLOCK_CIPHER_BLOCK_LENGTH(key_type))                  \
         : CORRAL_CAST(size_t, input_length))

/* Output of psa_cipher_finish(): with padding the last block, with XTS up to two; otherwise
 * everything has come out before. */
#define PSA_CIPHER_FINISH_OUTPUT_SIZE(key_type, alg)                                               \
    (!CORRAL_CIPHER_FITS(key_type, alg) ? CORRAL_CAST(size_t, 0)                                   \
     : (alg) == PSA_ALG_CBC_PKCS7       ? CORRAL_BLOCK_CIPHER(key_type)                            \
     : (alg) == PSA_ALG_XTS             ? 2U * CORRAL_BLOCK_CIPHER(key_type)                       \
                                        : CORRAL_CAST(size_t, 0))

/*
 * MACs (section 10.4.4)
 */

/* The length in an algorithm identifier: of a MAC that is cut, or of a tag. */
#define CORRAL_ALG_LENGTH(alg) CORRAL_CAST(size_t, CORRAL_ALG_BITS(alg, 0x003f0000) >> 16)

/* Length of the uncut MAC, or 0 if the algorithm is no MAC. */
#define CORRAL_MAC_FULL_LENGTH(key_type, alg)                                                      \
    (CORRAL_ALG_MATCHES(alg, 0x7fc07f00, 0x03800000) ||                                            \
             CORRAL_ALG_MATCHES(alg, 0x7fc07f00, 0x03800300)                                       \
         ? PSA_HASH_LENGTH(alg)                                                                    \
     : CORRAL_ALG_MATCHES(alg, 0x7fc07fff, PSA_ALG_CMAC) ||                                        \
             CORRAL_ALG_MATCHES(alg, 0x7fc07fff, PSA_ALG_CBC_MAC)                                  \
         ? CORRAL_BLOCK_CIPHER(key_type)                                                           \
         : CORRAL_CAST(size_t, 0))

/* Length of a MAC. The size of the key does not matter. */
#define PSA_MAC_LENGTH(key_type, key_bits, alg)                                                    \
    (CORRAL_MAC_FULL_LENGTH(key_type, alg) == 0 ? CORRAL_CAST(size_t, 0)                           \
     : CORRAL_ALG_LENGTH(alg) != 0              ? CORRAL_ALG_LENGTH(alg)                           \
                                                : CORRAL_MAC_FULL_LENGTH(key_type, alg))

/*
 * AEAD (section 10.6.4)
 */

/* Whether key type and AEAD algorithm go together, whatever the tag's length. */
#define CORRAL_AEAD_FITS(key_type, alg)                                                            \
    (CORRAL_AEAD_IS(alg, PSA_ALG_CCM) || CORRAL_AEAD_IS(alg, PSA_ALG_GCM)                          \
         ? CORRAL_BLOCK_CIPHER(key_type) == 16U                                                    \
         : (CORRAL_AEAD_IS(alg, PSA_ALG_CHACHA20_POLY1305) &&                                      \
            (key_type) == PSA_KEY_TYPE_CHACHA20) ||                                                \
               (CORRAL_AEAD_IS(alg, PSA_ALG_XCHACHA20_POLY1305) &&                                 \
                (key_type) == PSA_KEY_TYPE_XCHACHA20) ||                                           \
               (CORRAL_AEAD_IS(alg, PSA_ALG_ASCON_AEAD128) && (key_type) == PSA_KEY_TYPE_ASCON))
#define CORRAL_AEAD_IS(alg, base) (CORRAL_ALG_WITHOUT_TAG(alg) == CORRAL_ALG_WITHOUT_TAG(base))

/* Length of the tag. The size of the key does not matter. */
#define PSA_AEAD_TAG_LENGTH(key_type, key_bits, alg)                                               \
    (CORRAL_AEAD_FITS(key_type, alg) ? CORRAL_ALG_LENGTH(alg) : CORRAL_CAST(size_t, 0))

/* Length of the nonce that psa_aead_generate_nonce() makes. With CCM it is the longest, and a long
 * message leaves room for less. */
#define PSA_AEAD_NONCE_LENGTH(key_type, alg)                                                       \
    (!CORRAL_AEAD_FITS(key_type, alg)                  ? CORRAL_CAST(size_t, 0)                    \
     : CORRAL_AEAD_IS(alg, PSA_ALG_CCM)                ? CORRAL_CAST(size_t, 13)                   \
     : CORRAL_AEAD_IS(alg, PSA_ALG_XCHACHA20_POLY1305) ? CORRAL_CAST(size_t, 24)                   \
     : CORRAL_AEAD_IS(alg, PSA_ALG_ASCON_AEAD128)      ? CORRAL_CAST(size_t, 16)                   \
                                                       : CORRAL_CAST(size_t, 12))

/* Ciphertext and tag of a plaintext, and the reverse. */
#define PSA_AEAD_ENCRYPT_OUTPUT_SIZE(key_type, alg, plaintext_length)                              \
    (CORRAL_AEAD_FITS(key_type, alg)                                                               \
         ? CORRAL_CAST(size_t, plaintext_length) + CORRAL_ALG_LENGTH(alg)                          \
         : CORRAL_CAST(size_t, 0))
#define PSA_AEAD_DECRYPT_OUTPUT_SIZE(key_type, alg, ciphertext_length)                             \
    (CORRAL_AEAD_FITS(key_type, alg) &&                                                            \
             CORRAL_CAST(size_t, ciphertext_length) > CORRAL_ALG_LENGTH(alg)                       \
         ? CORRAL_CAST(size_t, ciphertext_length) - CORRAL_ALG_LENGTH(alg)                         \
         : CORRAL_CAST(size_t, 0))

/* Bytes that an algorithm may keep back until its block is full; 1 if it keeps none. */
#define CORRAL_AEAD_BLOCK(alg)                                                                     \
    (PSA_ALG_IS_AEAD_ON_BLOCK_CIPHER(alg) || CORRAL_AEAD_IS(alg, PSA_ALG_ASCON_AEAD128) ? 16U : 1U)

/* Output of one psa_aead_update(), and the possible rest of the last call. */
#define PSA_AEAD_UPDATE_OUTPUT_SIZE(key_type, alg, input_length)                                   \
    (CORRAL_AEAD_FITS(key_type, alg) ? CORRAL_ROUND_UP(input_length, CORRAL_AEAD_BLOCK(alg))       \
                                     : CORRAL_CAST(size_t, 0))
#define PSA_AEAD_FINISH_OUTPUT_SIZE(key_type, alg)                                                 \
    (CORRAL_AEAD_FITS(key_type, alg) && CORRAL_AEAD_BLOCK(alg) > 1U                                \
         ? CORRAL_CAST(size_t, CORRAL_AEAD_BLOCK(alg))                                             \
         : CORRAL_CAST(size_t, 0))
#define PSA_AEAD_VERIFY_OUTPUT_SIZE(key_type, alg) PSA_AEAD_FINISH_OUTPUT_SIZE(key_type, alg)

#ifdef __cplusplus
}
#endif

#endif
