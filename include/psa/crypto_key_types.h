/* SPDX-License-Identifier: Apache-2.0 */
/* Key types and the macros that build and take them apart (sections 9.2 to 9.5). */
#ifndef PSA_CRYPTO_KEY_TYPES_H
#define PSA_CRYPTO_KEY_TYPES_H

#include "crypto_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* No type: never the type of a key. */
#define PSA_KEY_TYPE_NONE CORRAL_CAST(psa_key_type_t, 0x0000)

/* Category of a key type. Each gives 1 or 0, and is unspecified for a value that is no key
 * type. */
#define PSA_KEY_TYPE_IS_UNSTRUCTURED(type) (((type)&0x7000) == 0x1000 || ((type)&0x7000) == 0x2000)
#define PSA_KEY_TYPE_IS_ASYMMETRIC(type) (((type)&0x4000) == 0x4000)
#define PSA_KEY_TYPE_IS_PUBLIC_KEY(type) (((type)&0x7000) == 0x4000)
#define PSA_KEY_TYPE_IS_KEY_PAIR(type) (((type)&0x7000) == 0x7000)

/* Between a key-pair type and its public-key type. The type asked for, given as it is, comes back
 * unchanged; unspecified for other types. */
#define PSA_KEY_TYPE_KEY_PAIR_OF_PUBLIC_KEY(type) CORRAL_CAST(psa_key_type_t, (type) | 0x3000)
#define PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(type) CORRAL_CAST(psa_key_type_t, (type)&0xcfff)

/*
 * Unstructured keys (section 9.3). The data of a key is its bytes; its size in bits is 8 times
 * their number.
 */

/* Data that is no key; any non-zero number of bytes. */
#define PSA_KEY_TYPE_RAW_DATA CORRAL_CAST(psa_key_type_t, 0x1001)

/* Secret of high entropy from which keys are derived. */
#define PSA_KEY_TYPE_DERIVE CORRAL_CAST(psa_key_type_t, 0x1200)

/* Password or other secret of low entropy, input of a stretching derivation or of a PAKE. */
#define PSA_KEY_TYPE_PASSWORD CORRAL_CAST(psa_key_type_t, 0x1203)

/* Hash of a password, with which a derived value is compared. */
#define PSA_KEY_TYPE_PASSWORD_HASH CORRAL_CAST(psa_key_type_t, 0x1205)

/* Secret that is mixed into many password hashes. */
#define PSA_KEY_TYPE_PEPPER CORRAL_CAST(psa_key_type_t, 0x1206)

/* HMAC key. Longer than the hash's block it is hashed first, so no longer key is worth having. */
#define PSA_KEY_TYPE_HMAC CORRAL_CAST(psa_key_type_t, 0x1100)

/* AES: 128, 192 or 256 bits, twice as many for XTS. */
#define PSA_KEY_TYPE_AES CORRAL_CAST(psa_key_type_t, 0x2400)

/* ARIA: 128, 192 or 256 bits, twice as many for XTS. */
#define PSA_KEY_TYPE_ARIA CORRAL_CAST(psa_key_type_t, 0x2406)

/* DES (64 bits) and Triple-DES (128 or 192 bits), parity bits included. Weak. */
#define PSA_KEY_TYPE_DES CORRAL_CAST(psa_key_type_t, 0x2301)

/* Camellia: 128, 192 or 256 bits, twice as many for XTS. */
#define PSA_KEY_TYPE_CAMELLIA CORRAL_CAST(psa_key_type_t, 0x2403)

/* SM4: 128 bits, 256 for XTS. */
#define PSA_KEY_TYPE_SM4 CORRAL_CAST(psa_key_type_t, 0x2405)

/* ARC4: 40 to 2048 bits. Broken. */
#define PSA_KEY_TYPE_ARC4 CORRAL_CAST(psa_key_type_t, 0x2002)

/* ChaCha20, alone or with Poly1305: 256 bits. */
#define PSA_KEY_TYPE_CHACHA20 CORRAL_CAST(psa_key_type_t, 0x2004)

/* XChaCha20, alone or with Poly1305: 256 bits. */
#define PSA_KEY_TYPE_XCHACHA20 CORRAL_CAST(psa_key_type_t, 0x2007)

/* Ascon-AEAD128: 128 bits, or 256 for the variant that masks the nonce. */
#define PSA_KEY_TYPE_ASCON CORRAL_CAST(psa_key_type_t, 0x2008)

/* Key of a BLAKE2 MAC: up to 256 bits for BLAKE2s and BLAKE2sp, up to 512 for BLAKE2b and
 * BLAKE2bp. */
#define PSA_KEY_TYPE_BLAKE2 CORRAL_CAST(psa_key_type_t, 0x1103)

/*
 * WPA3-SAE password tokens (section 9.4.1): output of PSA_ALG_WPA3_SAE_H2E(). Curve and group come
 * from the family and the size in bits. Data: a point as x || y, or a group element.
 */
#define PSA_KEY_TYPE_WPA3_SAE_ECC(curve) CORRAL_CAST(psa_key_type_t, 0x3280 | ((curve)&0x007f))
#define PSA_KEY_TYPE_WPA3_SAE_DH(group) CORRAL_CAST(psa_key_type_t, 0x3300 | ((group)&0x007f))
#define PSA_KEY_TYPE_IS_WPA3_SAE_ECC(type) (((type)&0xff80) == 0x3280)
#define PSA_KEY_TYPE_IS_WPA3_SAE_DH(type) (((type)&0xff80) == 0x3300)
#define PSA_KEY_TYPE_WPA3_SAE_ECC_GET_FAMILY(type) CORRAL_CAST(psa_ecc_family_t, (type)&0x007f)
#define PSA_KEY_TYPE_WPA3_SAE_DH_GET_FAMILY(type) CORRAL_CAST(psa_dh_family_t, (type)&0x007f)

/*
 * RSA (section 9.5.1). Size: bits of the modulus. Pair: DER of RSAPrivateKey, version 0; public
 * key: DER of RSAPublicKey.
 */
#define PSA_KEY_TYPE_RSA_KEY_PAIR CORRAL_CAST(psa_key_type_t, 0x7001)
#define PSA_KEY_TYPE_RSA_PUBLIC_KEY CORRAL_CAST(psa_key_type_t, 0x4001)
#define PSA_KEY_TYPE_IS_RSA(type) (PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(type) == 0x4001)

/*
 * Elliptic curves (section 9.5.2). Size: bits of the field. With m the bytes of the field:
 *  Weierstrass      pair: m bytes, big-endian;    public key: 0x04 || x || y, 2m + 1 bytes
 *  Montgomery       pair: m bytes, little-endian; public key: m bytes, little-endian
 *  twisted Edwards  pair: 32 or 57 bytes;         public key: 32 or 57 bytes (RFC 8032)
 */
#define PSA_KEY_TYPE_ECC_KEY_PAIR(curve) CORRAL_CAST(psa_key_type_t, 0x7100 | ((curve)&0x007f))
#define PSA_KEY_TYPE_ECC_PUBLIC_KEY(curve) CORRAL_CAST(psa_key_type_t, 0x4100 | ((curve)&0x007f))
#define PSA_KEY_TYPE_IS_ECC(type) ((PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(type) & 0xff80) == 0x4100)
#define PSA_KEY_TYPE_IS_ECC_KEY_PAIR(type) (((type)&0xff80) == 0x7100)
#define PSA_KEY_TYPE_IS_ECC_PUBLIC_KEY(type) (((type)&0xff80) == 0x4100)
#define PSA_KEY_TYPE_ECC_GET_FAMILY(type) CORRAL_CAST(psa_ecc_family_t, (type)&0x007f)

/* SEC Koblitz curves over prime fields: 192, 225 (secp224k1), 256 bits. */
#define PSA_ECC_FAMILY_SECP_K1 CORRAL_CAST(psa_ecc_family_t, 0x17)

/* SEC random curves over prime fields, among them those of NIST: 192, 224, 256, 384, 521 bits. */
#define PSA_ECC_FAMILY_SECP_R1 CORRAL_CAST(psa_ecc_family_t, 0x12)

/* secp160r2, deprecated. */
#define PSA_ECC_FAMILY_SECP_R2 CORRAL_CAST(psa_ecc_family_t, 0x1b)

/* SEC Koblitz curves over binary fields: 163 (deprecated), 233, 239, 283, 409, 571 bits. */
#define PSA_ECC_FAMILY_SECT_K1 CORRAL_CAST(psa_ecc_family_t, 0x27)

/* SEC random curves over binary fields: 163 (deprecated), 233, 283, 409, 571 bits. */
#define PSA_ECC_FAMILY_SECT_R1 CORRAL_CAST(psa_ecc_family_t, 0x22)

/* sect163r2, deprecated. */
#define PSA_ECC_FAMILY_SECT_R2 CORRAL_CAST(psa_ecc_family_t, 0x2b)

/* Brainpool random curves: 160 (deprecated), 192, 224, 256, 320, 384, 512 bits. */
#define PSA_ECC_FAMILY_BRAINPOOL_P_R1 CORRAL_CAST(psa_ecc_family_t, 0x30)

/* FRP256v1: 256 bits. */
#define PSA_ECC_FAMILY_FRP CORRAL_CAST(psa_ecc_family_t, 0x33)

/* Curve25519 (255 bits) and Curve448 (448 bits). */
#define PSA_ECC_FAMILY_MONTGOMERY CORRAL_CAST(psa_ecc_family_t, 0x41)

/* Edwards25519 (255 bits) and Edwards448 (448 bits). */
#define PSA_ECC_FAMILY_TWISTED_EDWARDS CORRAL_CAST(psa_ecc_family_t, 0x42)

/*
 * Finite-field Diffie-Hellman (section 9.5.3). Size: bits of the prime. Pair: private exponent,
 * big-endian; public key: element, big-endian; both as long as the prime.
 */
#define PSA_KEY_TYPE_DH_KEY_PAIR(group) CORRAL_CAST(psa_key_type_t, 0x7200 | ((group)&0x007f))
#define PSA_KEY_TYPE_DH_PUBLIC_KEY(group) CORRAL_CAST(psa_key_type_t, 0x4200 | ((group)&0x007f))
#define PSA_KEY_TYPE_IS_DH(type) ((PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(type) & 0xff80) == 0x4200)
#define PSA_KEY_TYPE_IS_DH_KEY_PAIR(type) (((type)&0xff80) == 0x7200)
#define PSA_KEY_TYPE_IS_DH_PUBLIC_KEY(type) (((type)&0xff80) == 0x4200)
#define PSA_KEY_TYPE_DH_GET_FAMILY(type) CORRAL_CAST(psa_dh_family_t, (type)&0x007f)

/* Groups of RFC 7919 (TLS): 2048, 3072, 4096, 6144, 8192 bits. */
#define PSA_DH_FAMILY_RFC7919 CORRAL_CAST(psa_dh_family_t, 0x03)

/* MODP groups of RFC 3526 (IKE): 2048, 3072, 4096, 6144, 8192 bits. */
#define PSA_DH_FAMILY_RFC3526 CORRAL_CAST(psa_dh_family_t, 0x05)

/*
 * Hash-based signatures with state (sections 9.5.4, 9.5.5): only public keys. Size:
 * bits of the hash, 192 or 256. Data: the structure that RFC 8554 or RFC 8391 defines.
 */
#define PSA_KEY_TYPE_LMS_PUBLIC_KEY CORRAL_CAST(psa_key_type_t, 0x4007)
#define PSA_KEY_TYPE_HSS_PUBLIC_KEY CORRAL_CAST(psa_key_type_t, 0x4008)
#define PSA_KEY_TYPE_XMSS_PUBLIC_KEY CORRAL_CAST(psa_key_type_t, 0x400b)
#define PSA_KEY_TYPE_XMSS_MT_PUBLIC_KEY CORRAL_CAST(psa_key_type_t, 0x400d)

/*
 * ML-DSA (section 9.5.6). Size: 128, 192 or 256 for ML-DSA-44, -65 and -87. Pair: the 32-byte seed;
 * public key: 1312, 1952 or 2592 bytes (FIPS 204).
 */
#define PSA_KEY_TYPE_ML_DSA_KEY_PAIR CORRAL_CAST(psa_key_type_t, 0x7002)
#define PSA_KEY_TYPE_ML_DSA_PUBLIC_KEY CORRAL_CAST(psa_key_type_t, 0x4002)
#define PSA_KEY_TYPE_IS_ML_DSA(type) (PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(type) == 0x4002)

/*
 * SLH-DSA (section 9.5.7). Size: 128, 192 or 256, which is 8n. Pair: SK.seed, SK.prf, PK.seed,
 * PK.root; public key: PK.seed, PK.root; n bytes each (FIPS 205).
 */
#define PSA_KEY_TYPE_SLH_DSA_KEY_PAIR(set) CORRAL_CAST(psa_key_type_t, 0x7180 | ((set)&0x007f))
#define PSA_KEY_TYPE_SLH_DSA_PUBLIC_KEY(set) CORRAL_CAST(psa_key_type_t, 0x4180 | ((set)&0x007f))
#define PSA_KEY_TYPE_IS_SLH_DSA(type)                                                              \
    ((PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(type) & 0xff80) == 0x4180)
#define PSA_KEY_TYPE_IS_SLH_DSA_KEY_PAIR(type) (((type)&0xff80) == 0x7180)
#define PSA_KEY_TYPE_IS_SLH_DSA_PUBLIC_KEY(type) (((type)&0xff80) == 0x4180)
#define PSA_KEY_TYPE_SLH_DSA_GET_FAMILY(type) CORRAL_CAST(psa_slh_dsa_family_t, (type)&0x007f)

/* Parameter sets over SHA-2 and SHAKE, with small signatures (S) or fast signing (F). */
#define PSA_SLH_DSA_FAMILY_SHA2_S CORRAL_CAST(psa_slh_dsa_family_t, 0x02)
#define PSA_SLH_DSA_FAMILY_SHA2_F CORRAL_CAST(psa_slh_dsa_family_t, 0x04)
#define PSA_SLH_DSA_FAMILY_SHAKE_S CORRAL_CAST(psa_slh_dsa_family_t, 0x0b)
#define PSA_SLH_DSA_FAMILY_SHAKE_F CORRAL_CAST(psa_slh_dsa_family_t, 0x0d)

/*
 * ML-KEM (section 9.5.8). Size: 512, 768 or 1024. Pair: the 64 bytes d || z; public key: 800, 1184
 * or 1568 bytes (FIPS 203).
 */
#define PSA_KEY_TYPE_ML_KEM_KEY_PAIR CORRAL_CAST(psa_key_type_t, 0x7004)
#define PSA_KEY_TYPE_ML_KEM_PUBLIC_KEY CORRAL_CAST(psa_key_type_t, 0x4004)
#define PSA_KEY_TYPE_IS_ML_KEM(type) (PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(type) == 0x4004)

/*
 * SPAKE2+ (section 9.5.9). Size: bits of the curve. Pair: w0 || w1, two scalars; public key: w0 ||
 * L, a scalar and a point; in the formats of elliptic-curve keys.
 */
#define PSA_KEY_TYPE_SPAKE2P_KEY_PAIR(curve) CORRAL_CAST(psa_key_type_t, 0x7400 | ((curve)&0x007f))
#define PSA_KEY_TYPE_SPAKE2P_PUBLIC_KEY(curve)                                                     \
    CORRAL_CAST(psa_key_type_t, 0x4400 | ((curve)&0x007f))
#define PSA_KEY_TYPE_IS_SPAKE2P(type)                                                              \
    ((PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(type) & 0xff80) == 0x4400)
#define PSA_KEY_TYPE_IS_SPAKE2P_KEY_PAIR(type) (((type)&0xff80) == 0x7400)
#define PSA_KEY_TYPE_IS_SPAKE2P_PUBLIC_KEY(type) (((type)&0xff80) == 0x4400)
#define PSA_KEY_TYPE_SPAKE2P_GET_FAMILY(type) CORRAL_CAST(psa_ecc_family_t, (type)&0x007f)

#ifdef __cplusplus
}
#endif

#endif
