/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms, and the algorithms of PSA Crypto that they are. */
#include "module.h"

#define HAS_SHA_1 CORRAL_WANT_ALG_SHA_1
#define HAS_SHA_224 CORRAL_WANT_ALG_SHA_224
#define HAS_SHA_256 CORRAL_WANT_ALG_SHA_256
#define HAS_SHA_384 CORRAL_WANT_ALG_SHA_384
#define HAS_SHA_512 CORRAL_WANT_ALG_SHA_512
#define HAS_ECDSA CORRAL_WANT_ALG_ECDSA
#define HAS_RSA_PKCS1V15_SIGN CORRAL_WANT_ALG_RSA_PKCS1V15_SIGN
#define HAS_RSA_PSS CORRAL_WANT_ALG_RSA_PSS
#define HAS_AES CORRAL_WANT_KEY_TYPE_AES

#define SIGNS (CKF_SIGN | CKF_VERIFY)
#define CIPHERS (CKF_ENCRYPT | CKF_DECRYPT)
#define CURVES (CKF_EC_F_P | CKF_EC_NAMEDCURVE | CKF_EC_UNCOMPRESS)

#define DIGEST(type, hash)                                                                         \
    {                                                                                              \
        type, CKF_DIGEST, NO_KEY_TYPE, PSA_ALG_##hash, HAS_##hash                                  \
    }
#define SIGNATURE(type, key, family, hash)                                                         \
    {                                                                                              \
        type, SIGNS, key, PSA_ALG_##family(PSA_ALG_##hash), HAS_##family &&HAS_##hash              \
    }

static const struct mechanism mechanisms[] = {
    DIGEST(CKM_SHA_1, SHA_1),
    DIGEST(CKM_SHA224, SHA_224),
    DIGEST(CKM_SHA256, SHA_256),
    DIGEST(CKM_SHA384, SHA_384),
    DIGEST(CKM_SHA512, SHA_512),
    {CKM_EC_KEY_PAIR_GEN, CKF_GENERATE_KEY_PAIR, CKK_EC, PSA_ALG_NONE,
     CORRAL_WANT_KEY_TYPE_ECC_KEY_PAIR_GENERATE},
    {CKM_ECDSA, SIGNS, CKK_EC, PSA_ALG_ECDSA(PSA_ALG_ANY_HASH), HAS_ECDSA},
    SIGNATURE(CKM_ECDSA_SHA1, CKK_EC, ECDSA, SHA_1),
    SIGNATURE(CKM_ECDSA_SHA224, CKK_EC, ECDSA, SHA_224),
    SIGNATURE(CKM_ECDSA_SHA256, CKK_EC, ECDSA, SHA_256),
    SIGNATURE(CKM_ECDSA_SHA384, CKK_EC, ECDSA, SHA_384),
    SIGNATURE(CKM_ECDSA_SHA512, CKK_EC, ECDSA, SHA_512),
    {CKM_RSA_PKCS_KEY_PAIR_GEN, CKF_GENERATE_KEY_PAIR, CKK_RSA, PSA_ALG_NONE,
     CORRAL_WANT_KEY_TYPE_RSA_KEY_PAIR_GENERATE},
    {CKM_RSA_PKCS, SIGNS, CKK_RSA, PSA_ALG_RSA_PKCS1V15_SIGN_RAW, HAS_RSA_PKCS1V15_SIGN},
    SIGNATURE(CKM_SHA1_RSA_PKCS, CKK_RSA, RSA_PKCS1V15_SIGN, SHA_1),
    SIGNATURE(CKM_SHA224_RSA_PKCS, CKK_RSA, RSA_PKCS1V15_SIGN, SHA_224),
    SIGNATURE(CKM_SHA256_RSA_PKCS, CKK_RSA, RSA_PKCS1V15_SIGN, SHA_256),
    SIGNATURE(CKM_SHA384_RSA_PKCS, CKK_RSA, RSA_PKCS1V15_SIGN, SHA_384),
    SIGNATURE(CKM_SHA512_RSA_PKCS, CKK_RSA, RSA_PKCS1V15_SIGN, SHA_512),
    {CKM_RSA_PKCS_PSS, SIGNS, CKK_RSA, PSA_ALG_RSA_PSS(PSA_ALG_ANY_HASH), HAS_RSA_PSS},
    SIGNATURE(CKM_SHA1_RSA_PKCS_PSS, CKK_RSA, RSA_PSS, SHA_1),
    SIGNATURE(CKM_SHA224_RSA_PKCS_PSS, CKK_RSA, RSA_PSS, SHA_224),
    SIGNATURE(CKM_SHA256_RSA_PKCS_PSS, CKK_RSA, RSA_PSS, SHA_256),
    SIGNATURE(CKM_SHA384_RSA_PKCS_PSS, CKK_RSA, RSA_PSS, SHA_384),
    SIGNATURE(CKM_SHA512_RSA_PKCS_PSS, CKK_RSA, RSA_PSS, SHA_512),
    {CKM_AES_KEY_GEN, CKF_GENERATE, CKK_AES, PSA_ALG_NONE, HAS_AES},
    {CKM_AES_CBC, CIPHERS, CKK_AES, PSA_ALG_CBC_NO_PADDING,
     HAS_AES &&CORRAL_WANT_ALG_CBC_NO_PADDING},
    {CKM_AES_CBC_PAD, CIPHERS, CKK_AES, PSA_ALG_CBC_PKCS7, HAS_AES &&CORRAL_WANT_ALG_CBC_PKCS7},
    {CKM_AES_GCM, CIPHERS, CKK_AES, PSA_ALG_GCM, HAS_AES &&CORRAL_WANT_ALG_GCM},
};

#define MECHANISMS (sizeof mechanisms / sizeof mechanisms[0])

const struct mechanism *mechanism_at(size_t index)
{
    for (size_t i = 0; i < MECHANISMS; i++) {
        if (mechanisms[i].is_built && index-- == 0) {
            return &mechanisms[i];
        }
    }
    return NULL;
}

const struct mechanism *mechanism_find(CK_MECHANISM_TYPE type, CK_FLAGS flag)
{
    for (size_t i = 0; i < MECHANISMS; i++) {
        if (mechanisms[i].type == type && mechanisms[i].is_built &&
            (mechanisms[i].flags & flag) != 0) {
            return &mechanisms[i];
        }
    }
    return NULL;
}

psa_algorithm_t hash_of(CK_MECHANISM_TYPE type)
{
    const struct mechanism *mechanism = mechanism_find(type, CKF_DIGEST);

    return mechanism != NULL ? mechanism->alg : PSA_ALG_NONE;
}

/* Sizes of keys: bits, and of AES bytes. */
static void put_sizes(CK_KEY_TYPE type, CK_MECHANISM_INFO *info)
{
    static const struct {
        CK_KEY_TYPE type;
        CK_ULONG size;
        bool is_built;
    } sizes[] = {
        {CKK_EC, 256, CORRAL_WANT_ECC_SECP_R1_256},
        {CKK_EC, 384, CORRAL_WANT_ECC_SECP_R1_384},
        {CKK_EC, 521, CORRAL_WANT_ECC_SECP_R1_521},
        {CKK_RSA, 1024, CORRAL_WANT_RSA_KEY_SIZE_1024},
        {CKK_RSA, 2048, CORRAL_WANT_RSA_KEY_SIZE_2048},
        {CKK_RSA, 3072, CORRAL_WANT_RSA_KEY_SIZE_3072},
        {CKK_RSA, 4096, CORRAL_WANT_RSA_KEY_SIZE_4096},
        {CKK_AES, 16, CORRAL_WANT_AES_KEY_SIZE_128},
        {CKK_AES, 24, CORRAL_WANT_AES_KEY_SIZE_192},
        {CKK_AES, 32, CORRAL_WANT_AES_KEY_SIZE_256},
    };

    info->ulMinKeySize = 0;
    info->ulMaxKeySize = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (sizes[i].type == type && sizes[i].is_built) {
            info->ulMinKeySize = info->ulMinKeySize == 0 ? sizes[i].size : info->ulMinKeySize;
            info->ulMaxKeySize = sizes[i].size;
        }
    }
}

CK_RV mechanism_info(CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info)
{
    const struct mechanism *mechanism = mechanism_find(type, ~0ul);

    if (mechanism == NULL) {
        return CKR_MECHANISM_INVALID;
    }
    put_sizes(mechanism->key_type, info);
    info->flags = mechanism->flags;
    if (mechanism->key_type == CKK_EC) {
        info->flags |= CURVES;
    }
    return CKR_OK;
}

/* Whether a policy for a family of signatures includes the algorithm's hash. */
static bool includes_hash(psa_algorithm_t policy, psa_algorithm_t alg)
{
    const psa_algorithm_t permitted = PSA_ALG_GET_HASH(policy);
    const psa_algorithm_t wanted = PSA_ALG_GET_HASH(alg);

    return permitted == PSA_ALG_ANY_HASH || wanted == PSA_ALG_ANY_HASH || permitted == wanted;
}

bool mechanism_is_allowed(const struct mechanism *mechanism, psa_key_type_t type,
                          psa_algorithm_t policy)
{
    const psa_algorithm_t alg = mechanism->alg;

    if (attribute_key_type(type) != mechanism->key_type || alg == PSA_ALG_NONE) {
        return false;
    }
    if (PSA_ALG_IS_ECDSA(alg)) {
        return PSA_ALG_IS_ECDSA(policy) && policy != PSA_ALG_ECDSA_ANY &&
               includes_hash(policy, alg);
    }
    if (alg == PSA_ALG_RSA_PKCS1V15_SIGN_RAW) {
        return policy == alg || policy == PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_ANY_HASH);
    }
    if (PSA_ALG_IS_RSA_PKCS1V15_SIGN(alg)) {
        return PSA_ALG_IS_RSA_PKCS1V15_SIGN(policy) && policy != PSA_ALG_RSA_PKCS1V15_SIGN_RAW &&
               includes_hash(policy, alg);
    }
    if (PSA_ALG_IS_RSA_PSS(alg)) {
        return PSA_ALG_IS_RSA_PSS(policy) && includes_hash(policy, alg);
    }
    return policy == alg;
}

bool mechanism_is_of_message(const struct mechanism *mechanism)
{
    switch (mechanism->type) {
    case CKM_ECDSA:
    case CKM_RSA_PKCS:
    case CKM_RSA_PKCS_PSS:
        return false;
    default:
        return true;
    }
}
