/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes that an operation keeps of the caller's are those that it has checked. Here the
 * caller's memory changes right after each look at it, as another thread could do it.
 */
#include <string.h>

#include <corral/driver.h>

#include "../../harness/harness.h"
#include "../../harness/material.h"

#define KDF PSA_ALG_SP800_108_COUNTER_CMAC
#define JPAKE PSA_ALG_JPAKE(PSA_ALG_SHA_256)

/* The byte to change, and its new value; NULL: nothing. */
static uint8_t *victim;
static uint8_t change;

static void look(void)
{
    if (victim != NULL) {
        *victim = change;
    }
}

void *__real_memchr(const void *data, int value, size_t size);
void *__wrap_memchr(const void *data, int value, size_t size);
bool __real_corral_equal(const uint8_t *a, const uint8_t *b, size_t size);
bool __wrap_corral_equal(const uint8_t *a, const uint8_t *b, size_t size);

void *__wrap_memchr(const void *data, int value, size_t size)
{
    void *const found = __real_memchr(data, value, size);

    look();
    return found;
}

bool __wrap_corral_equal(const uint8_t *a, const uint8_t *b, size_t size)
{
    const bool is_equal = __real_corral_equal(a, b, size);

    look();
    return is_equal;
}

static void derive(uint8_t label[3], bool changes, uint8_t output[16])
{
    const psa_key_id_t key = test_import(PSA_KEY_TYPE_AES, KDF, PSA_KEY_USAGE_DERIVE, aes_key, 16);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    NEED(psa_key_derivation_setup(&operation, KDF));
    NEED(psa_key_derivation_set_capacity(&operation, 16));
    NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET, key));
    victim = changes ? &label[1] : NULL;
    change = 0; /* which no label may have */
    const psa_status_t status =
        psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_LABEL, label, 3);
    victim = NULL;
    EXPECT(PSA_SUCCESS, status);
    EXPECT(PSA_SUCCESS, psa_key_derivation_output_bytes(&operation, output, 16));
    EXPECT(PSA_SUCCESS, psa_key_derivation_abort(&operation));
}

static void label__changed_after_the_check__is_the_one_that_was_checked(void)
{
    uint8_t label[3] = "abc";
    uint8_t wanted[16];
    uint8_t output[16];

    derive(label, false, wanted);
    derive(label, true, output);
    CHECK(label[1] == 0);
    CHECK_BYTES(output, sizeof output, wanted, sizeof wanted);
}

/* Whether the bytes are somewhere in the operation. */
static bool has(const psa_pake_operation_t *operation, const char *name)
{
    const uint8_t *const bytes = (const uint8_t *)operation;

    for (size_t i = 0; i + strlen(name) <= sizeof *operation; i++) {
        if (memcmp(bytes + i, name, strlen(name)) == 0) {
            return true;
        }
    }
    return false;
}

static void name__changed_after_the_check__is_the_one_that_was_checked(void)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_PASSWORD, JPAKE, PSA_KEY_USAGE_DERIVE, abc, 3);
    psa_pake_cipher_suite_t suite = psa_pake_cipher_suite_init();
    psa_pake_operation_t operation = psa_pake_operation_init();
    uint8_t peer[8] = "serverBC";

    psa_pake_cs_set_algorithm(&suite, JPAKE);
    psa_pake_cs_set_primitive(
        &suite, PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, PSA_ECC_FAMILY_SECP_R1, 256));
    psa_pake_cs_set_key_confirmation(&suite, PSA_PAKE_UNCONFIRMED_KEY);
    NEED(psa_pake_setup(&operation, key, &suite));
    NEED(psa_pake_set_user(&operation, (const uint8_t *)"serverAC", 8));
    victim = &peer[6];
    change = 'A'; /* so that both sides have one name, which they may not */
    const psa_status_t status = psa_pake_set_peer(&operation, peer, sizeof peer);
    victim = NULL;
    EXPECT(PSA_SUCCESS, status);
    CHECK(peer[6] == 'A');
    CHECK(has(&operation, "serverBC"));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&operation));
}

static const struct test_case tests[] = {
    TEST(label__changed_after_the_check__is_the_one_that_was_checked),
    TEST(name__changed_after_the_check__is_the_one_that_was_checked),
};
TEST_SUITE(kept, tests);
