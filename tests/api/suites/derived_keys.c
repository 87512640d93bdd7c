/* SPDX-License-Identifier: Apache-2.0 */
/* Keys into and out of key derivations (PSA Crypto 1.5, 10.8.3). */
#include <string.h>

#include "../../harness/deriving.h"
#include "../../harness/harness.h"

#define HKDF PSA_ALG_HKDF(PSA_ALG_SHA_256)
#define PBKDF2 PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_256)
#define COMBINED PSA_ALG_KEY_AGREEMENT(PSA_ALG_ECDH, HKDF)
#define SECRET PSA_KEY_DERIVATION_INPUT_SECRET
#define P256_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define X_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY)
#define ED_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS)
#define BRAINPOOL_PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_BRAINPOOL_P_R1)
#define EXPORT PSA_KEY_USAGE_EXPORT

static const uint8_t secret[32] = "a secret of thirty-two bytes....";

static psa_key_derivation_operation_t with_usage(psa_key_usage_t usage)
{
    return deriving_ready(usage, secret, sizeof secret);
}

static psa_key_derivation_operation_t ready(void)
{
    return with_usage(PSA_KEY_USAGE_DERIVE);
}

/* The same stream, as bytes. */
static void read_stream(uint8_t *output, size_t size)
{
    psa_key_derivation_operation_t operation = ready();

    NEED(psa_key_derivation_output_bytes(&operation, output, size));
    deriving_end(&operation);
}

static void output_key__symmetric__is_the_next_bytes(void)
{
    static const struct {
        psa_key_type_t type;
        size_t bits;
    } rows[] = {{PSA_KEY_TYPE_AES, 128},    {PSA_KEY_TYPE_AES, 256},
                {PSA_KEY_TYPE_HMAC, 264},   {PSA_KEY_TYPE_RAW_DATA, 8},
                {PSA_KEY_TYPE_DERIVE, 512}, {PSA_KEY_TYPE_PASSWORD, 40},
                {PSA_KEY_TYPE_PEPPER, 128}, {PSA_KEY_TYPE_PASSWORD_HASH, 256}};
    uint8_t stream[80];
    uint8_t data[64];

    read_stream(stream, sizeof stream);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        psa_key_derivation_operation_t operation = ready();
        psa_key_attributes_t found;
        psa_key_id_t key;
        size_t capacity;
        test_context("type", i);
        NEED(psa_key_derivation_output_bytes(&operation, data, 9));
        EXPECT(PSA_SUCCESS, deriving_key(&operation, rows[i].type, rows[i].bits, &key));
        deriving_export(key, data, rows[i].bits / 8);
        CHECK_BYTES(data, rows[i].bits / 8, stream + 9, rows[i].bits / 8);
        NEED(psa_get_key_attributes(key, &found));
        CHECK(psa_get_key_bits(&found) == rows[i].bits && psa_get_key_type(&found) == rows[i].type);
        NEED(psa_key_derivation_get_capacity(&operation, &capacity));
        CHECK(capacity == 255 * 32 - 9 - rows[i].bits / 8);
        deriving_end(&operation);
    }
}

static void output_key__montgomery_and_edwards__are_the_next_bytes_with_their_bits(void)
{
    psa_key_id_t key;
    uint8_t stream[64];
    uint8_t data[32];

    read_stream(stream, sizeof stream);
    psa_key_derivation_operation_t operation = ready();
    EXPECT(PSA_SUCCESS, deriving_key(&operation, X_PAIR, 255, &key));
    deriving_export(key, data, 32);
    /* RFC 7748, section 5. */
    stream[0] &= 248;
    stream[31] &= 127;
    stream[31] |= 64;
    CHECK_BYTES(data, 32, stream, 32);
    EXPECT(PSA_SUCCESS, deriving_key(&operation, ED_PAIR, 255, &key));
    deriving_export(key, data, 32);
    CHECK_BYTES(data, 32, stream + 32, 32);
    deriving_end(&operation);
}

/* k + 1 of the first k in the stream that is at most the order less 2; returns how many went by. */
static size_t find_scalar(const uint8_t *stream, const uint8_t order[32], uint8_t scalar[32])
{
    for (size_t drawn = 1;; drawn++, stream += 32) {
        unsigned carry = 1;
        for (size_t i = 32; i-- > 0;) {
            carry += stream[i];
            scalar[i] = (uint8_t)carry;
            carry >>= 8;
        }
        if (carry == 0 && memcmp(scalar, order, 32) < 0) {
            return drawn;
        }
    }
}

static void check_curve(psa_key_type_t type, const uint8_t order[32], size_t least)
{
    uint8_t stream[1024];
    size_t at = 0;

    read_stream(stream, sizeof stream);
    psa_key_derivation_operation_t operation = ready();
    for (size_t i = 0; i < 12; i++) {
        uint8_t wanted[32];
        uint8_t data[32];
        psa_key_id_t key;
        size_t capacity;
        at += 32 * find_scalar(stream + at, order, wanted);
        EXPECT(PSA_SUCCESS, deriving_key(&operation, type, 256, &key));
        deriving_export(key, data, 32);
        CHECK_BYTES(data, 32, wanted, 32);
        NEED(psa_key_derivation_get_capacity(&operation, &capacity));
        CHECK(capacity == 255 * 32 - at);
        NEED(psa_destroy_key(key));
    }
    CHECK(at >= 32 * least);
    deriving_end(&operation);
}

static void output_key__weierstrass__is_one_more_than_a_number_below_the_order(void)
{
    static const uint8_t p256[32] = {0xff, 0xff, 0xff, 0xff, 0,    0,    0,    0,
                                     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                     0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84,
                                     0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};
    /* RFC 5639: a third of all numbers are too large. */
    static const uint8_t brainpool[32] = {0xa9, 0xfb, 0x57, 0xdb, 0xa1, 0xee, 0xa9, 0xbc,
                                          0x3e, 0x66, 0x0a, 0x90, 0x9d, 0x83, 0x8d, 0x71,
                                          0x8c, 0x39, 0x7a, 0xa3, 0xb5, 0x61, 0xa6, 0xf7,
                                          0x90, 0x1e, 0x0e, 0x82, 0x97, 0x48, 0x56, 0xa7};

    check_curve(P256_PAIR, p256, 12);
    if (CORRAL_WANT_ECC_BRAINPOOL_P_R1_256) {
        check_curve(BRAINPOOL_PAIR, brainpool, 14);
    }
}

static void output_key__attributes_of_no_key__are_refused(void)
{
    static const struct {
        psa_key_type_t type;
        size_t bits;
        psa_status_t status;
    } rows[] = {
        {PSA_KEY_TYPE_NONE, 128, PSA_ERROR_NOT_SUPPORTED},
        {PSA_KEY_TYPE_AES, 0, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_AES, 100, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_AES, 136, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_RAW_DATA, 0, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_RAW_DATA, 15, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_RAW_DATA, 65528, PSA_ERROR_NOT_SUPPORTED},
        {PSA_KEY_TYPE_DES, 64, PSA_ERROR_NOT_SUPPORTED},
        {PSA_KEY_TYPE_RSA_KEY_PAIR, 2048, PSA_ERROR_NOT_SUPPORTED},
        {PSA_KEY_TYPE_RSA_PUBLIC_KEY, 2048, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1), 256, PSA_ERROR_INVALID_ARGUMENT},
        {P256_PAIR, 0, PSA_ERROR_INVALID_ARGUMENT},
        /* Curves that do not exist, and some that exist and are not in the build. */
        {P256_PAIR, 255, PSA_ERROR_INVALID_ARGUMENT},
        {P256_PAIR, 257, PSA_ERROR_INVALID_ARGUMENT},
        {P256_PAIR, 512, PSA_ERROR_INVALID_ARGUMENT},
        {P256_PAIR, 65528, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_K1), 224, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_BRAINPOOL_P_R1), 521, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY), 256, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_TWISTED_EDWARDS), 256,
         PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECT_K1), 571, PSA_ERROR_NOT_SUPPORTED},
        {PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_FRP), 256, PSA_ERROR_NOT_SUPPORTED},
        {PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECT_R1), 233, PSA_ERROR_NOT_SUPPORTED},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        psa_key_derivation_operation_t operation = ready();
        psa_key_id_t key;
        test_context("row", i);
        EXPECT(rows[i].status, deriving_key(&operation, rows[i].type, rows[i].bits, &key));
        deriving_failed(&operation);
    }
}

static void output_key__bad_usage_location_or_identifier__is_an_invalid_argument(void)
{
    for (size_t i = 0; i < 3; i++) {
        psa_key_derivation_operation_t operation = ready();
        psa_key_attributes_t attributes =
            test_attributes(PSA_KEY_TYPE_AES, 128, PSA_ALG_NONE, i == 0 ? 0x80000000 : EXPORT);
        psa_key_id_t key = 9;
        if (i == 1) {
            psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                                  PSA_KEY_PERSISTENCE_VOLATILE, 0x87654));
        } else if (i == 2) {
            psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_PERSISTENT);
        }
        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_key_derivation_output_key(&attributes, &operation, &key));
        CHECK(key == PSA_KEY_ID_NULL);
        deriving_failed(&operation);
    }
}

static void output_key__less_than_a_key_is_left__is_insufficient_data(void)
{
    static const psa_key_type_t types[] = {PSA_KEY_TYPE_RAW_DATA, P256_PAIR, X_PAIR, ED_PAIR};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        psa_key_derivation_operation_t operation = ready();
        psa_key_id_t key;
        size_t capacity = 1;
        NEED(psa_key_derivation_set_capacity(&operation, 31));
        EXPECT(PSA_ERROR_INSUFFICIENT_DATA,
               deriving_key(&operation, types[i], i < 2 ? 256 : 255, &key));
        EXPECT(PSA_SUCCESS, psa_key_derivation_get_capacity(&operation, &capacity));
        CHECK(capacity == 0);
        deriving_end(&operation);
    }
}

static void output_key__no_slot_is_free__is_insufficient_memory(void)
{
    psa_key_derivation_operation_t operation = ready();
    psa_key_id_t key;

    for (size_t i = 1; i < TEST_SHARE(CORRAL_SINGLE_KEY_SLOTS); i++) {
        EXPECT(PSA_SUCCESS, deriving_key(&operation, PSA_KEY_TYPE_AES, 128, &key));
        (void)test_keep(key);
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, deriving_key(&operation, PSA_KEY_TYPE_AES, 128, &key));
    deriving_failed(&operation);
}

static void output_key__custom_parameters__are_an_invalid_argument(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 128, PSA_ALG_NONE, EXPORT);
    uint8_t stream[16];
    uint8_t data[16];

    read_stream(stream, sizeof stream);
    for (size_t i = 0; i < 3; i++) {
        psa_key_derivation_operation_t operation = ready();
        psa_custom_key_parameters_t custom = PSA_CUSTOM_KEY_PARAMETERS_INIT;
        psa_key_id_t key = 9;
        custom.flags = i == 1;
        EXPECT(i == 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT,
               psa_key_derivation_output_key_custom(&attributes, &operation, &custom, stream,
                                                    i == 2, &key));
        if (i == 0) {
            deriving_export(key, data, 16);
            CHECK_BYTES(data, 16, stream, 16);
            deriving_end(&operation);
        } else {
            CHECK(key == PSA_KEY_ID_NULL);
            deriving_failed(&operation);
        }
    }
}

static void output_key__secret_given_as_bytes__is_not_permitted(void)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    psa_key_id_t key;

    NEED(psa_key_derivation_setup(&operation, HKDF));
    NEED(psa_key_derivation_input_bytes(&operation, SECRET, secret, sizeof secret));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, NULL, 0));
    EXPECT(PSA_ERROR_NOT_PERMITTED, deriving_key(&operation, PSA_KEY_TYPE_AES, 128, &key));
    deriving_failed(&operation);
}

static void input_key__flags__decide_what_can_be_done(void)
{
    uint8_t stream[16];
    uint8_t output[16];
    psa_key_id_t key;

    read_stream(stream, sizeof stream);
    for (size_t i = 0; i < 5; i++) {
        psa_key_derivation_operation_t operation = with_usage(PSA_KEY_USAGE_VERIFY_DERIVATION);
        test_context("output", i);
        if (i < 2) { /* also of no bytes */
            EXPECT(PSA_ERROR_NOT_PERMITTED,
                   psa_key_derivation_output_bytes(&operation, output, i * sizeof output));
            deriving_failed(&operation);
        } else if (i == 2) {
            EXPECT(PSA_ERROR_NOT_PERMITTED, deriving_key(&operation, PSA_KEY_TYPE_AES, 128, &key));
            deriving_failed(&operation);
        } else {
            stream[0] ^= i == 4;
            EXPECT(i == 4 ? PSA_ERROR_INVALID_SIGNATURE : PSA_SUCCESS,
                   psa_key_derivation_verify_bytes(&operation, stream, sizeof stream));
            deriving_end(&operation);
        }
    }
}

static void input_key__one_input_of_less_permission__restricts_all(void)
{
    psa_key_derivation_operation_t operation =
        deriving_begun(PSA_KEY_USAGE_DERIVE, secret, sizeof secret);
    uint8_t output[16];

    const psa_key_id_t info = test_import(PSA_KEY_TYPE_RAW_DATA, HKDF,
                                          PSA_KEY_USAGE_VERIFY_DERIVATION, secret, sizeof secret);
    NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_INFO, info));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_key_derivation_output_bytes(&operation, output, sizeof output));
    deriving_failed(&operation);
}

/* Give a key that must be refused as the secret. */
static void refuse_key(psa_key_id_t key, psa_algorithm_t alg, psa_key_derivation_step_t step,
                       psa_status_t wanted)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    NEED(psa_key_derivation_setup(&operation, alg));
    if (step == PSA_KEY_DERIVATION_INPUT_PASSWORD) {
        NEED(psa_key_derivation_input_integer(&operation, PSA_KEY_DERIVATION_INPUT_COST, 1));
        NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SALT, NULL, 0));
    }
    EXPECT(wanted, psa_key_derivation_input_key(&operation, step, key));
    deriving_failed(&operation);
}

static void input_key__policy_of_another_use__is_not_permitted(void)
{
    const psa_key_usage_t other =
        ~(PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_VERIFY_DERIVATION | 0xffff8000u);

    refuse_key(test_import(PSA_KEY_TYPE_DERIVE, HKDF, other & 0x3f07, secret, 32), HKDF, SECRET,
               PSA_ERROR_NOT_PERMITTED);
    refuse_key(test_import(PSA_KEY_TYPE_DERIVE, PSA_ALG_HKDF(PSA_ALG_SHA_512), PSA_KEY_USAGE_DERIVE,
                           secret, 32),
               HKDF, SECRET, PSA_ERROR_NOT_PERMITTED);
    refuse_key(test_import(PSA_KEY_TYPE_DERIVE, PSA_ALG_NONE, PSA_KEY_USAGE_DERIVE, secret, 32),
               HKDF, SECRET, PSA_ERROR_NOT_PERMITTED);
    refuse_key(test_import(PSA_KEY_TYPE_DERIVE, HKDF, PSA_KEY_USAGE_DERIVE, secret, 32), COMBINED,
               SECRET, PSA_ERROR_NOT_PERMITTED);
    refuse_key(PSA_KEY_ID_NULL, HKDF, SECRET, PSA_ERROR_INVALID_HANDLE);
    refuse_key(0x12345678, HKDF, SECRET, PSA_ERROR_INVALID_HANDLE);
}

static void input_key__type_for_another_step__is_an_invalid_argument(void)
{
    static const psa_key_type_t types[] = {PSA_KEY_TYPE_DERIVE,   PSA_KEY_TYPE_PASSWORD,
                                           PSA_KEY_TYPE_PEPPER,   PSA_KEY_TYPE_PASSWORD_HASH,
                                           PSA_KEY_TYPE_RAW_DATA, PSA_KEY_TYPE_HMAC,
                                           PSA_KEY_TYPE_AES};
    const psa_algorithm_t counter = PSA_ALG_SP800_108_COUNTER_HMAC(PSA_ALG_SHA_256);
    const struct {
        psa_algorithm_t alg;
        psa_key_derivation_step_t step;
        const char *taken; /* a letter for each type */
    } rows[] = {
        {HKDF, SECRET, "y------"},
        {HKDF, PSA_KEY_DERIVATION_INPUT_SALT, "----y--"},
        {HKDF, PSA_KEY_DERIVATION_INPUT_INFO, "----y--"},
        {counter, SECRET, "y----y-"},
        {PSA_ALG_SP800_108_COUNTER_CMAC, SECRET, "------y"},
        {PBKDF2, PSA_KEY_DERIVATION_INPUT_PASSWORD, "yy-----"},
        {PBKDF2, PSA_KEY_DERIVATION_INPUT_COST, "-------"},
        {PSA_ALG_TLS12_PRF(PSA_ALG_SHA_256), PSA_KEY_DERIVATION_INPUT_SEED, "----y--"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t j = 0; j < sizeof types / sizeof types[0]; j++) {
            psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
            const psa_key_id_t key =
                test_import(types[j], rows[i].alg, PSA_KEY_USAGE_DERIVE, secret, 16);
            test_context(rows[i].taken, i * 10 + j);
            NEED(psa_key_derivation_setup(&operation, rows[i].alg));
            if (rows[i].step == PSA_KEY_DERIVATION_INPUT_PASSWORD) {
                NEED(
                    psa_key_derivation_input_integer(&operation, PSA_KEY_DERIVATION_INPUT_COST, 1));
                NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SALT, NULL,
                                                    0));
            }
            EXPECT(rows[i].taken[j] == 'y' ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT,
                   psa_key_derivation_input_key(&operation, rows[i].step, key));
            deriving_end(&operation);
        }
    }
}

/* PBKDF2 up to its password, which is a key. */
static psa_key_derivation_operation_t hashing(void)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_PASSWORD, PBKDF2, PSA_KEY_USAGE_DERIVE, secret, 9);

    NEED(psa_key_derivation_setup(&operation, PBKDF2));
    NEED(psa_key_derivation_input_integer(&operation, PSA_KEY_DERIVATION_INPUT_COST, 3));
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SALT, secret, 8));
    NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_PASSWORD, key));
    return operation;
}

static void password_hash__derived__verifies_its_password(void)
{
    const psa_key_attributes_t attributes = test_attributes(
        PSA_KEY_TYPE_PASSWORD_HASH, 256, PBKDF2, EXPORT | PSA_KEY_USAGE_VERIFY_DERIVATION);
    psa_key_derivation_operation_t operation = hashing();
    uint8_t data[32];
    psa_key_id_t hash;

    EXPECT(PSA_SUCCESS, psa_key_derivation_output_key(&attributes, &operation, &hash));
    deriving_export(hash, data, sizeof data);
    deriving_end(&operation);
    for (size_t i = 0; i < 2; i++) {
        data[31] ^= (uint8_t)i;
        operation = hashing();
        hash = test_import(PSA_KEY_TYPE_PASSWORD_HASH, PBKDF2, PSA_KEY_USAGE_VERIFY_DERIVATION,
                           data, 32);
        EXPECT(i == 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE,
               psa_key_derivation_verify_key(&operation, hash));
        if (i == 0) { /* the rest is another hash */
            EXPECT(PSA_ERROR_INVALID_SIGNATURE, psa_key_derivation_verify_key(&operation, hash));
        }
        deriving_failed(&operation);
    }
}

static void password_hash__for_another_algorithm__is_an_invalid_argument(void)
{
    const psa_algorithm_t algs[] = {PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_512), HKDF, PSA_ALG_NONE};

    for (size_t i = 0; i < 3; i++) {
        psa_key_derivation_operation_t operation = hashing();
        const psa_key_attributes_t attributes =
            test_attributes(PSA_KEY_TYPE_PASSWORD_HASH, 256, algs[i], EXPORT);
        psa_key_id_t key = 9;
        EXPECT(i < 2 ? PSA_ERROR_INVALID_ARGUMENT : PSA_SUCCESS,
               psa_key_derivation_output_key(&attributes, &operation, &key));
        (void)test_keep(key);
        deriving_end(&operation);
    }
}

static void verify_key__other_keys__are_refused(void)
{
    const struct {
        psa_key_type_t type;
        psa_algorithm_t alg;
        psa_key_usage_t usage;
        psa_status_t status;
    } rows[] = {
        {PSA_KEY_TYPE_PASSWORD_HASH, PBKDF2, PSA_KEY_USAGE_DERIVE, PSA_ERROR_NOT_PERMITTED},
        {PSA_KEY_TYPE_PASSWORD_HASH, HKDF, PSA_KEY_USAGE_VERIFY_DERIVATION,
         PSA_ERROR_NOT_PERMITTED},
        {PSA_KEY_TYPE_RAW_DATA, PBKDF2, PSA_KEY_USAGE_VERIFY_DERIVATION,
         PSA_ERROR_INVALID_ARGUMENT},
    };
    psa_key_derivation_operation_t operation = hashing();
    size_t capacity = 1;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const psa_key_id_t key = test_import(rows[i].type, rows[i].alg, rows[i].usage, secret, 32);
        EXPECT(rows[i].status, psa_key_derivation_verify_key(&operation, key));
        deriving_failed(&operation);
        operation = hashing();
    }
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_key_derivation_verify_key(&operation, 77));
    deriving_failed(&operation);
    operation = hashing();
    NEED(psa_key_derivation_set_capacity(&operation, 31));
    EXPECT(PSA_ERROR_INSUFFICIENT_DATA,
           psa_key_derivation_verify_key(&operation,
                                         test_import(PSA_KEY_TYPE_PASSWORD_HASH, PBKDF2,
                                                     PSA_KEY_USAGE_VERIFY_DERIVATION, secret, 32)));
    EXPECT(PSA_SUCCESS, psa_key_derivation_get_capacity(&operation, &capacity));
    CHECK(capacity == 0);
    deriving_end(&operation);
}

static void check_key_usage__derivation__says_what_is_served(void)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_DERIVE, HKDF,
                    PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_VERIFY_DERIVATION, secret, 32);

    EXPECT(PSA_SUCCESS, psa_check_key_usage(key, HKDF, PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_SUCCESS, psa_check_key_usage(key, HKDF, PSA_KEY_USAGE_VERIFY_DERIVATION));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           psa_check_key_usage(key, PSA_ALG_HKDF(PSA_ALG_SHA_512), PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_ERROR_NOT_SUPPORTED,
           psa_check_key_usage(test_import(PSA_KEY_TYPE_DERIVE, PSA_ALG_HKDF(PSA_ALG_MD4),
                                           PSA_KEY_USAGE_DERIVE, secret, 32),
                               PSA_ALG_HKDF(PSA_ALG_MD4), PSA_KEY_USAGE_DERIVE));
}

static const struct test_case tests[] = {
    TEST(output_key__symmetric__is_the_next_bytes),
    TEST(output_key__montgomery_and_edwards__are_the_next_bytes_with_their_bits),
    TEST(output_key__weierstrass__is_one_more_than_a_number_below_the_order),
    TEST(output_key__attributes_of_no_key__are_refused),
    TEST(output_key__bad_usage_location_or_identifier__is_an_invalid_argument),
    TEST(output_key__less_than_a_key_is_left__is_insufficient_data),
    TEST(output_key__no_slot_is_free__is_insufficient_memory),
    TEST(output_key__custom_parameters__are_an_invalid_argument),
    TEST(output_key__secret_given_as_bytes__is_not_permitted),
    TEST(input_key__flags__decide_what_can_be_done),
    TEST(input_key__one_input_of_less_permission__restricts_all),
    TEST(input_key__policy_of_another_use__is_not_permitted),
    TEST(input_key__type_for_another_step__is_an_invalid_argument),
    TEST(password_hash__derived__verifies_its_password),
    TEST(password_hash__for_another_algorithm__is_an_invalid_argument),
    TEST(verify_key__other_keys__are_refused),
    TEST(check_key_usage__derivation__says_what_is_served),
};

TEST_SUITE(derived_keys, tests);
