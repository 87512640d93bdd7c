/* SPDX-License-Identifier: Apache-2.0 */
/* wolfSSL over PSA Crypto: hashes, AES, random numbers, and operations with keys on P-256. */
#ifndef USER_SETTINGS_H
#define USER_SETTINGS_H

#define WOLFSSL_HAVE_PSA
#define HAVE_PK_CALLBACKS
#define WOLFSSL_TLS13
#define NO_OLD_TLS
#define HAVE_TLS_EXTENSIONS
#define HAVE_SUPPORTED_CURVES
#define HAVE_EXTENDED_MASTER
#define HAVE_SERVER_RENEGOTIATION_INFO
#define HAVE_HKDF
#define HAVE_ECC
#define ECC_USER_CURVES
#define ECC_TIMING_RESISTANT
#define WOLFSSL_SP_MATH_ALL
#define HAVE_AESGCM
#define WOLFSSL_AES_DIRECT
#define HAVE_AES_ECB
#define WOLFSSL_CERT_GEN
#define WOLFSSL_CERT_SIGN_CB
#define WOLFSSL_KEY_GEN
#define WOLFSSL_DER_TO_PEM
#define SINGLE_THREADED
#define NO_RSA
#define NO_DH
#define NO_DSA
#define NO_DES3
#define NO_RC4
#define NO_MD4
#define NO_MD5
#define NO_SHA
#define NO_PSK
#define NO_PWDBASED
#define NO_SESSION_CACHE
#define WC_NO_ASYNC_THREADING

#endif
