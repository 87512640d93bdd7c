/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names beyond PSA Crypto 1.5 that the TLS and X.509 layers of Mbed TLS 3.6 and 4 use, and their
 * programs. The configuration of Mbed TLS 3.6 says
 *
 *   #define MBEDTLS_USE_PSA_CRYPTO
 *   #define MBEDTLS_PSA_CRYPTO_CLIENT
 *   #define MBEDTLS_PSA_CRYPTO_CONFIG
 *   #define MBEDTLS_PSA_CRYPTO_CONFIG_FILE <corral_mbedtls.h>
 *   #define MBEDTLS_SSL_TLS1_2_SOME_ECC    (where TLS 1.2 is wanted)
 *
 * and no MBEDTLS_PSA_CRYPTO_C. What it may offer then follows from what this library is configured
 * for. This folder stands on the include path behind those of this library and before Mbed TLS's.
 */
#ifndef CORRAL_MBEDTLS_H
#define CORRAL_MBEDTLS_H

#include <stdbool.h>

/* Its sources call what they have statuses for at run time: encryption by any RSA key, for one. */
#ifndef CORRAL_CALL_UNWANTED
#define CORRAL_CALL_UNWANTED
#endif

#include <corral/slots.h>
#include <psa/crypto.h>

#ifdef __cplusplus
extern "C" {
#endif

/* md.c includes the header of another core, which is not there, for a function below. */
#define PSA_CRYPTO_CORE_H

/* A key's name: identifiers have no owner here. */
typedef psa_key_id_t mbedtls_svc_key_id_t;
#define MBEDTLS_SVC_KEY_ID_INIT PSA_KEY_ID_NULL
#define MBEDTLS_SVC_KEY_ID_GET_KEY_ID(id) (id)
#define MBEDTLS_SVC_KEY_ID_GET_OWNER_ID(id) (0)

static inline mbedtls_svc_key_id_t mbedtls_svc_key_id_make(unsigned owner, psa_key_id_t id)
{
    (void)owner;
    return id;
}

static inline bool mbedtls_svc_key_id_equal(mbedtls_svc_key_id_t a, mbedtls_svc_key_id_t b)
{
    return a == b;
}

static inline bool mbedtls_svc_key_id_is_null(mbedtls_svc_key_id_t id)
{
    return id == PSA_KEY_ID_NULL;
}

/*
 * Handles of keys, of the API before 1.0: identifiers. To open a persistent key is to see whether
 * it is there.
 *   PSA_ERROR_DOES_NOT_EXIST  there is no such key; *handle is PSA_KEY_ID_NULL
 */
typedef psa_key_id_t psa_key_handle_t;

static inline psa_status_t psa_open_key(mbedtls_svc_key_id_t key, psa_key_handle_t *handle)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    const psa_status_t status = psa_get_key_attributes(key, &attributes);

    psa_reset_key_attributes(&attributes);
    *handle = status == PSA_SUCCESS ? key : PSA_KEY_ID_NULL;
    return status == PSA_ERROR_INVALID_HANDLE ? PSA_ERROR_DOES_NOT_EXIST : status;
}

/* Destroys a volatile key. A persistent key stays, and what memory has of it goes. */
static inline psa_status_t psa_close_key(psa_key_handle_t handle)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    if (handle == PSA_KEY_ID_NULL) {
        return PSA_SUCCESS;
    }
    const psa_status_t status = psa_get_key_attributes(handle, &attributes);
    const bool is_volatile = PSA_KEY_LIFETIME_IS_VOLATILE(psa_get_key_lifetime(&attributes));
    psa_reset_key_attributes(&attributes);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return is_volatile ? psa_destroy_key(handle) : psa_purge_key(handle);
}

static inline int psa_key_handle_is_null(psa_key_handle_t handle)
{
    return handle == PSA_KEY_ID_NULL;
}

/* Mbed TLS 3.6 has this function in its psa_util.c, and says so by its configuration. */
#ifndef MBEDTLS_PSA_CRYPTO_CLIENT
/* A generator for functions that take one: bytes of the library, 0, or -0x34 without any. */
#define MBEDTLS_PSA_RANDOM_STATE NULL

static inline int mbedtls_psa_get_random(void *state, unsigned char *output, size_t size)
{
    (void)state;
    return psa_generate_random(output, size) == PSA_SUCCESS ? 0 : -0x34;
}
#endif

/*
 * Does nothing: the library allocates nothing, and the owners of keys destroy them. It stays
 * initialised.
 */
static inline void mbedtls_psa_crypto_free(void)
{
}

/* Mbed TLS marks private members, here too if its headers are there. */
#ifdef __has_include
#if __has_include(<mbedtls/private_access.h>)
#include <mbedtls/private_access.h>
#endif
#endif
#ifdef MBEDTLS_PRIVATE
#define CORRAL_MBEDTLS_MEMBER(name) MBEDTLS_PRIVATE(name)
#else
#define CORRAL_MBEDTLS_MEMBER(name) name
#endif

typedef struct mbedtls_psa_stats_s {
    size_t CORRAL_MBEDTLS_MEMBER(volatile_slots);
    size_t CORRAL_MBEDTLS_MEMBER(persistent_slots);
    size_t CORRAL_MBEDTLS_MEMBER(external_slots);
    size_t CORRAL_MBEDTLS_MEMBER(half_filled_slots);
    size_t CORRAL_MBEDTLS_MEMBER(cache_slots);
    size_t CORRAL_MBEDTLS_MEMBER(empty_slots);
    size_t CORRAL_MBEDTLS_MEMBER(locked_slots);
    psa_key_id_t CORRAL_MBEDTLS_MEMBER(max_open_internal_key_id);
    psa_key_id_t CORRAL_MBEDTLS_MEMBER(max_open_external_key_id);
} mbedtls_psa_stats_t;

/*
 * Count key slots. Keys in elements are external, volatile or not. There are no slots for caches,
 * and the highest identifiers are not looked for: these three are 0. Not behind a wall, where the
 * program has no slots.
 */
static inline void mbedtls_psa_get_stats(mbedtls_psa_stats_t *stats)
{
    struct corral_slots slots;

    corral_slots_count(&slots);
    stats->CORRAL_MBEDTLS_MEMBER(volatile_slots) =
        slots.single.volatile_keys + slots.pair.volatile_keys;
    stats->CORRAL_MBEDTLS_MEMBER(persistent_slots) =
        slots.single.persistent_keys + slots.pair.persistent_keys;
    stats->CORRAL_MBEDTLS_MEMBER(external_slots) =
        slots.in_element.volatile_keys + slots.in_element.persistent_keys;
    stats->CORRAL_MBEDTLS_MEMBER(half_filled_slots) =
        slots.single.busy + slots.pair.busy + slots.in_element.busy;
    stats->CORRAL_MBEDTLS_MEMBER(empty_slots) =
        slots.single.unused + slots.pair.unused + slots.in_element.unused;
    stats->CORRAL_MBEDTLS_MEMBER(locked_slots) =
        slots.single.held + slots.pair.held + slots.in_element.held;
    stats->CORRAL_MBEDTLS_MEMBER(cache_slots) = 0;
    stats->CORRAL_MBEDTLS_MEMBER(max_open_internal_key_id) = PSA_KEY_ID_NULL;
    stats->CORRAL_MBEDTLS_MEMBER(max_open_external_key_id) = PSA_KEY_ID_NULL;
}

/* A second algorithm of a key: no key has one, and setting it changes nothing. */
static inline void psa_set_key_enrollment_algorithm(psa_key_attributes_t *attributes,
                                                    psa_algorithm_t alg)
{
    (void)attributes;
    (void)alg;
}

static inline psa_algorithm_t
psa_get_key_enrollment_algorithm(const psa_key_attributes_t *attributes)
{
    (void)attributes;
    return PSA_ALG_NONE;
}

typedef uint16_t psa_key_bits_t;

/* The hash of a composite algorithm, by the kind of the algorithm. */
#define PSA_ALG_HMAC_GET_HASH(alg) PSA_ALG_GET_HASH(alg)
#define PSA_ALG_SIGN_GET_HASH(alg) PSA_ALG_GET_HASH(alg)
#define PSA_ALG_HKDF_GET_HASH(alg) PSA_ALG_GET_HASH(alg)
#define PSA_ALG_RSA_OAEP_GET_HASH(alg) PSA_ALG_GET_HASH(alg)
#define PSA_ALG_TLS12_PRF_GET_HASH(alg) PSA_ALG_GET_HASH(alg)
#define PSA_ALG_TLS12_PSK_TO_MS_GET_HASH(alg) PSA_ALG_GET_HASH(alg)

/* Parts of an algorithm's identifier, and of a curve's. */
#define PSA_ALG_VENDOR_FLAG CORRAL_CAST(psa_algorithm_t, 0x80000000)
#define PSA_ALG_CATEGORY_HASH CORRAL_CAST(psa_algorithm_t, 0x02000000)
#define PSA_ALG_HASH_MASK CORRAL_CAST(psa_algorithm_t, 0x000000ff)
#define PSA_ECC_FAMILY_IS_WEIERSTRASS(family) (((family)&0xc0) == 0)

/* Sizes by kind of key; usable in #if. */
#define PSA_BITS_TO_BYTES(bits) CORRAL_BYTES_OF(bits)
#define PSA_BYTES_TO_BITS(bytes) ((bytes)*8U)
#define PSA_KEY_EXPORT_ECC_KEY_PAIR_MAX_SIZE(bits) CORRAL_BYTES_OF(bits)
#define PSA_KEY_EXPORT_ECC_PUBLIC_KEY_MAX_SIZE(bits) (2U * CORRAL_BYTES_OF(bits) + 1U)
#define PSA_KEY_EXPORT_RSA_KEY_PAIR_MAX_SIZE(bits) CORRAL_RSA_KEY_PAIR_SIZE(CORRAL_BYTES_OF(bits))
#define PSA_KEY_EXPORT_RSA_PUBLIC_KEY_MAX_SIZE(bits)                                               \
    CORRAL_RSA_PUBLIC_KEY_SIZE(CORRAL_BYTES_OF(bits))
#define PSA_EXPORT_KEY_PAIR_OR_PUBLIC_MAX_SIZE PSA_EXPORT_ASYMMETRIC_KEY_MAX_SIZE
#define PSA_ECDSA_SIGNATURE_SIZE(bits) (2U * CORRAL_BYTES_OF(bits))

/* Largest keys of this configuration. */
#define PSA_VENDOR_RSA_MAX_KEY_BITS CORRAL_RSA_MAX_BITS
#define PSA_VENDOR_FFDH_MAX_KEY_BITS CORRAL_DH_MAX_BITS
#define PSA_VENDOR_ECC_MAX_CURVE_BITS                                                              \
    CORRAL_MAX_3(CORRAL_WEIERSTRASS_MAX_BITS, CORRAL_MONTGOMERY_MAX_BITS, CORRAL_EDWARDS_MAX_BITS)
#define PSA_VENDOR_ECDSA_SIGNATURE_MAX_SIZE (2U * CORRAL_BYTES_OF(CORRAL_WEIERSTRASS_MAX_BITS))

/* Whether hashes are ready. md.c asks for those alone that the configuration says are wanted. */
static inline int psa_can_do_hash(psa_algorithm_t hash_alg)
{
    return PSA_ALG_IS_HASH(hash_alg);
}

/*
 * EC-JPAKE. Mbed TLS 3.6 calls an earlier draft of the PAKE API: the algorithm has no hash, the key
 * comes last, and the secret goes into a derivation. Under these names there is that draft, so a
 * source that includes Mbed TLS's headers has it, and others have PSA Crypto 1.5. An int has 32
 * bits, as Mbed TLS has it.
 */
#ifdef MBEDTLS_KEY_EXCHANGE_ECJPAKE_ENABLED

/* The algorithm without arguments, as 3.6 writes it. */
enum { PSA_ALG_JPAKE = CORRAL_CAST(int, PSA_ALG_JPAKE(PSA_ALG_SHA_256)) };
#define PSA_TLS12_ECJPAKE_TO_PMS_DATA_SIZE PSA_TLS12_ECJPAKE_TO_PMS_OUTPUT_SIZE

/* What is set before there is a key. Names have to be there until the key is set. */
struct corral_mbedtls_pake {
    psa_pake_operation_t operation;
    psa_pake_cipher_suite_t suite;
    const uint8_t *names[2]; /* of the user and of the peer */
    size_t lengths[2];
};

static inline void psa_pake_cs_set_hash(psa_pake_cipher_suite_t *suite, psa_algorithm_t hash_alg)
{
    psa_pake_cs_set_algorithm(suite, PSA_ALG_JPAKE(hash_alg));
    psa_pake_cs_set_key_confirmation(suite, PSA_PAKE_UNCONFIRMED_KEY);
}

static inline struct corral_mbedtls_pake corral_mbedtls_pake_init(void)
{
    const struct corral_mbedtls_pake pake = CORRAL_ZERO_INIT;

    return pake;
}

static inline psa_status_t corral_mbedtls_pake_setup(struct corral_mbedtls_pake *pake,
                                                     const psa_pake_cipher_suite_t *suite)
{
    pake->suite = *suite;
    return PSA_SUCCESS;
}

static inline psa_status_t corral_mbedtls_pake_set_user(struct corral_mbedtls_pake *pake,
                                                        const uint8_t *name, size_t length)
{
    pake->names[0] = name;
    pake->lengths[0] = length;
    return PSA_SUCCESS;
}

static inline psa_status_t corral_mbedtls_pake_set_peer(struct corral_mbedtls_pake *pake,
                                                        const uint8_t *name, size_t length)
{
    pake->names[1] = name;
    pake->lengths[1] = length;
    return PSA_SUCCESS;
}

static inline psa_status_t psa_pake_set_password_key(struct corral_mbedtls_pake *pake,
                                                     psa_key_id_t key)
{
    psa_status_t status = psa_pake_setup(&pake->operation, key, &pake->suite);

    if (status == PSA_SUCCESS) {
        status = psa_pake_set_user(&pake->operation, pake->names[0], pake->lengths[0]);
    }
    if (status == PSA_SUCCESS) {
        status = psa_pake_set_peer(&pake->operation, pake->names[1], pake->lengths[1]);
    }
    return status;
}

static inline psa_status_t corral_mbedtls_pake_output(struct corral_mbedtls_pake *pake,
                                                      psa_pake_step_t step, uint8_t *output,
                                                      size_t size, size_t *length)
{
    return psa_pake_output(&pake->operation, step, output, size, length);
}

static inline psa_status_t corral_mbedtls_pake_input(struct corral_mbedtls_pake *pake,
                                                     psa_pake_step_t step, const uint8_t *input,
                                                     size_t length)
{
    return psa_pake_input(&pake->operation, step, input, length);
}

static inline psa_status_t corral_mbedtls_pake_abort(struct corral_mbedtls_pake *pake)
{
    return psa_pake_abort(&pake->operation);
}

/* The secret goes in as bytes: its key would have to be there until the derivation is read. */
static inline psa_status_t psa_pake_get_implicit_key(struct corral_mbedtls_pake *pake,
                                                     psa_key_derivation_operation_t *derivation)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t secret[PSA_EXPORT_ASYMMETRIC_KEY_MAX_SIZE] = {0};
    volatile uint8_t *const wiped = secret;
    size_t length = 0;
    psa_key_id_t key = PSA_KEY_ID_NULL;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_DERIVE);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT);
    psa_status_t status = psa_pake_get_shared_key(&pake->operation, &attributes, &key);
    if (status == PSA_SUCCESS) {
        status = psa_export_key(key, secret, sizeof secret, &length);
    }
    if (status == PSA_SUCCESS) {
        status = psa_key_derivation_input_bytes(derivation, PSA_KEY_DERIVATION_INPUT_SECRET, secret,
                                                length);
    }
    (void)psa_destroy_key(key);
    for (size_t i = 0; i < sizeof secret; i++) {
        wiped[i] = 0;
    }
    return status;
}

#define psa_pake_operation_t struct corral_mbedtls_pake
#define psa_pake_operation_init corral_mbedtls_pake_init
#define psa_pake_setup corral_mbedtls_pake_setup
#define psa_pake_set_user corral_mbedtls_pake_set_user
#define psa_pake_set_peer corral_mbedtls_pake_set_peer
#define psa_pake_output corral_mbedtls_pake_output
#define psa_pake_input corral_mbedtls_pake_input
#define psa_pake_abort corral_mbedtls_pake_abort

#endif

#ifdef __cplusplus
}
#endif

#endif
