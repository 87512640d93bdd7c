/* SPDX-License-Identifier: Apache-2.0 */
/* Mechanisms, and the algorithms of PSA Crypto that they are. */
#include <corral/dispatch/key.h>
#include <corral/dispatch/serves.h>

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

#define HASH_BITS ((psa_algorithm_t)0xff) /* in the algorithm of a signature */

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

static psa_key_type_t type_of_keys(const struct mechanism *mechanism)
{
    switch (mechanism->key_type) {
    case CKK_EC:
        return PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1);
    case CKK_RSA:
        return PSA_KEY_TYPE_RSA_KEY_PAIR;
    default:
        return PSA_KEY_TYPE_AES;
    }
}

static psa_key_attributes_t key_at(psa_key_location_t place, psa_key_type_t type)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, type);
    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_VOLATILE, place));
    return attributes;
}

/* Whether keys at a place can be used so. A mechanism of any hash needs one hash that can. */
static bool does(const struct mechanism *mechanism, const psa_key_attributes_t *attributes,
                 psa_key_usage_t usage)
{
    if (PSA_ALG_GET_HASH(mechanism->alg) != PSA_ALG_ANY_HASH) {
        return corral_dispatch_serves(attributes, usage, mechanism->alg);
    }
    for (size_t i = 0; i < MECHANISMS; i++) {
        if (mechanisms[i].is_built && mechanisms[i].flags == CKF_DIGEST &&
            corral_dispatch_serves(attributes, usage,
                                   (mechanism->alg & ~HASH_BITS) |
                                       (mechanisms[i].alg & HASH_BITS))) {
            return true;
        }
    }
    return false;
}

/* The flags of a mechanism that a place has. Digests are computed in memory. */
static CK_FLAGS flags_at(psa_key_location_t place, const struct mechanism *mechanism)
{
    const psa_key_attributes_t attributes = key_at(place, type_of_keys(mechanism));
    const bool is_of_message = mechanism_is_of_message(mechanism);
    const struct {
        CK_FLAGS flag;
        psa_key_usage_t usage;
    } uses[] = {
        {CKF_SIGN, is_of_message ? PSA_KEY_USAGE_SIGN_MESSAGE : PSA_KEY_USAGE_SIGN_HASH},
        {CKF_VERIFY, is_of_message ? PSA_KEY_USAGE_VERIFY_MESSAGE : PSA_KEY_USAGE_VERIFY_HASH},
        {CKF_ENCRYPT, PSA_KEY_USAGE_ENCRYPT},
        {CKF_DECRYPT, PSA_KEY_USAGE_DECRYPT},
    };
    CK_FLAGS flags = mechanism->is_built ? mechanism->flags : 0;

    if (mechanism->key_type == NO_KEY_TYPE || place == PSA_KEY_LOCATION_LOCAL_STORAGE) {
        return flags;
    }
    if (corral_key_context_size(&attributes) == 0) {
        return 0; /* no such key */
    }
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        if ((flags & uses[i].flag) != 0 && !does(mechanism, &attributes, uses[i].usage)) {
            flags &= ~uses[i].flag;
        }
    }
    return flags;
}

const struct mechanism *mechanism_at(psa_key_location_t place, size_t index)
{
    for (size_t i = 0; i < MECHANISMS; i++) {
        if (flags_at(place, &mechanisms[i]) != 0 && index-- == 0) {
            return &mechanisms[i];
        }
    }
    return NULL;
}

const struct mechanism *mechanism_find(psa_key_location_t place, CK_MECHANISM_TYPE type,
                                       CK_FLAGS flags)
{
    for (size_t i = 0; i < MECHANISMS; i++) {
        if (mechanisms[i].type == type && (flags_at(place, &mechanisms[i]) & flags) != 0) {
            return &mechanisms[i];
        }
    }
    return NULL;
}

psa_algorithm_t hash_of(CK_MECHANISM_TYPE type)
{
    const struct mechanism *mechanism =
        mechanism_find(PSA_KEY_LOCATION_LOCAL_STORAGE, type, CKF_DIGEST);

    return mechanism != NULL ? mechanism->alg : PSA_ALG_NONE;
}

struct size {
    CK_KEY_TYPE type;
    CK_ULONG size; /* bits, and of AES bytes */
    bool is_built;
};

/* Elements name the sizes of keys that they import. */
static bool is_size_at(psa_key_location_t place, const struct mechanism *mechanism,
                       const struct size *size)
{
    const psa_key_type_t type = type_of_keys(mechanism);
    psa_key_attributes_t attributes =
        key_at(place, type == PSA_KEY_TYPE_AES ? type : PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(type));

    if (!size->is_built || size->type != mechanism->key_type) {
        return false;
    }
    if (place == PSA_KEY_LOCATION_LOCAL_STORAGE || !corral_element_imports(&attributes)) {
        return true;
    }
    psa_set_key_bits(&attributes, size->type == CKK_AES ? 8 * size->size : size->size);
    return corral_element_imports(&attributes);
}

static void put_sizes(psa_key_location_t place, const struct mechanism *mechanism,
                      CK_MECHANISM_INFO *info)
{
    static const struct size sizes[] = {
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
        if (is_size_at(place, mechanism, &sizes[i])) {
            info->ulMinKeySize = info->ulMinKeySize == 0 ? sizes[i].size : info->ulMinKeySize;
            info->ulMaxKeySize = sizes[i].size;
        }
    }
}

CK_RV mechanism_info(psa_key_location_t place, CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info)
{
    const struct mechanism *mechanism = mechanism_find(place, type, ~0ul);

    if (mechanism == NULL) {
        return CKR_MECHANISM_INVALID;
    }
    put_sizes(place, mechanism, info);
    info->flags = flags_at(place, mechanism);
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
