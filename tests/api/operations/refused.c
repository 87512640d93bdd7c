/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call in parts that is refused before a driver was asked does not touch its output
 * (docs/DECISIONS.md), which may be its input, or what the caller still needs.
 */
#include "../../harness/material.h"
#include "families.h"

/* Before a call: it gets so much room for its output. */
static void offer(size_t room)
{
    (void)families_output_is_untouched();
    keyed.room = room;
    keyed.length = 0;
}

/* After the call: it has written nothing. The next one has no keys and no operations. */
static void check_untouched(void)
{
    CHECK(keyed.length == 0 && families_output_is_untouched());
    keyed_end();
}

/* Calls of keyed.h, of which one is made where another could be. */
static const struct {
    const char *title;
    const char *begun_for;
    const char *call;
    size_t room;
    psa_status_t wanted;
} rows[] = {
    {"MAC", "mac_sign_finish", "mac_sign_finish", 15, PSA_ERROR_BUFFER_TOO_SMALL},
    {"MAC to verify", "mac_verify_finish", "mac_sign_finish", KEYED_ROOM, PSA_ERROR_BAD_STATE},
    {"IV", "cipher_generate_iv", "cipher_generate_iv", 15, PSA_ERROR_BUFFER_TOO_SMALL},
    {"text", "cipher_update", "cipher_update", 15, PSA_ERROR_BUFFER_TOO_SMALL},
    {"text without IV", "cipher_set_iv", "cipher_update", KEYED_ROOM, PSA_ERROR_BAD_STATE},
    {"padding", "cipher_finish", "cipher_finish", 15, PSA_ERROR_BUFFER_TOO_SMALL},
    {"nonce", "aead_generate_nonce", "aead_generate_nonce", 12, PSA_ERROR_BUFFER_TOO_SMALL},
    {"AEAD's text", "aead_update", "aead_update", 15, PSA_ERROR_BUFFER_TOO_SMALL},
    {"too much text", "aead_finish", "aead_update", KEYED_ROOM, PSA_ERROR_INVALID_ARGUMENT},
    {"text without nonce", "aead_set_nonce", "aead_update", KEYED_ROOM, PSA_ERROR_BAD_STATE},
    {"tag", "aead_finish", "aead_finish", 15, PSA_ERROR_BUFFER_TOO_SMALL},
    {"tag too early", "aead_update", "aead_finish", KEYED_ROOM, PSA_ERROR_INVALID_ARGUMENT},
    {"tag of a decryption", "aead_verify", "aead_finish", KEYED_ROOM, PSA_ERROR_BAD_STATE},
    {"AEAD to verify", "aead_finish", "aead_verify", KEYED_ROOM, PSA_ERROR_BAD_STATE},
};

static psa_key_id_t begin(const struct keyed_call *call)
{
    const psa_key_attributes_t attributes = keyed_attributes(call);
    psa_key_id_t key;

    NEED(keyed_create(&attributes, &key));
    (void)test_keep(key);
    NEED(call->begin(key));
    return key;
}

static void output__call_refused_before_a_driver_was_asked__is_untouched(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context(rows[i].title, i);
        const psa_key_id_t key = begin(keyed_find(rows[i].begun_for));
        offer(rows[i].room);
        EXPECT(rows[i].wanted, keyed_find(rows[i].call)->run(key));
        check_untouched();
    }
}

static void output__key_destroyed__is_untouched(void)
{
    for (size_t i = 0; i < keyed_call_count; i++) {
        if (keyed_goes_on(&keyed_calls[i])) {
            test_context(keyed_calls[i].name, i);
            const psa_key_id_t key = begin(&keyed_calls[i]);
            NEED(psa_destroy_key(key));
            offer(KEYED_ROOM);
            EXPECT(PSA_ERROR_BAD_STATE, keyed_calls[i].run(key));
            check_untouched();
        }
    }
}

/* The same of calls that are in families.c alone, or are begun in another way. */
static const struct {
    enum family_number family;
    const char *begin[3];
    const char *call;
    size_t room;
    bool is_destroyed; /* the key, before the call */
    psa_status_t wanted;
} others[] = {
    {HASH, {"hash_setup"}, "hash_finish", 31, false, PSA_ERROR_BUFFER_TOO_SMALL},
    {HASH, {"hash_setup"}, "hash_suspend", 3, false, PSA_ERROR_BUFFER_TOO_SMALL},
    {CIPHER,
     {"cipher_decrypt_setup"},
     "cipher_generate_iv",
     KEYED_ROOM,
     false,
     PSA_ERROR_BAD_STATE},
    {AEAD,
     {"aead_decrypt_setup", "aead_set_lengths"},
     "aead_generate_nonce",
     KEYED_ROOM,
     false,
     PSA_ERROR_BAD_STATE},
    {DERIVATION,
     {"key_derivation_setup"},
     "key_derivation_output_bytes",
     KEYED_ROOM,
     false,
     PSA_ERROR_BAD_STATE},
    {DERIVATION,
     {"key_derivation_setup", "key_derivation_input_key", "key_derivation_input_bytes"},
     "key_derivation_output_bytes",
     KEYED_ROOM,
     true,
     PSA_ERROR_BAD_STATE},
    {PAKE,
     {"pake_setup", "pake_set_user", "pake_set_peer"},
     "pake_output",
     64,
     false,
     PSA_ERROR_BUFFER_TOO_SMALL},
    {PAKE,
     {"pake_setup", "pake_set_user", "pake_set_peer"},
     "pake_output",
     KEYED_ROOM,
     true,
     PSA_ERROR_BAD_STATE},
    {PAKE, {"pake_setup"}, "pake_output", KEYED_ROOM, false, PSA_ERROR_BAD_STATE},
    {PAKE,
     {"pake_setup", "pake_set_user", "pake_set_peer"},
     "pake_output_of_no_step",
     KEYED_ROOM,
     false,
     PSA_ERROR_INVALID_ARGUMENT},
};

static void output__call_of_any_family_that_is_refused__is_untouched(void)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const struct family *const family = &families[others[i].family];

        test_context(others[i].call, i);
        families_begin();
        for (size_t step = 0; step < 3 && others[i].begin[step] != NULL; step++) {
            NEED(families_do(family, others[i].begin[step]));
        }
        NEED(psa_destroy_key(others[i].is_destroyed ? families_key(others[i].family)
                                                    : PSA_KEY_ID_NULL));
        offer(others[i].room);
        EXPECT(others[i].wanted, families_do(family, others[i].call));
        EXPECT(PSA_SUCCESS, families_do(family, family->abort));
        check_untouched();
    }
}

/* Three bytes of a block wait. */
static void begin_block(void)
{
    const psa_key_id_t key =
        test_import(PSA_KEY_TYPE_AES, PSA_ALG_CBC_NO_PADDING, PSA_KEY_USAGE_ENCRYPT, aes_key, 16);

    NEED(psa_cipher_encrypt_setup(&keyed.cipher, key, PSA_ALG_CBC_NO_PADDING));
    NEED(psa_cipher_set_iv(&keyed.cipher, aes_iv, 16));
    NEED(psa_cipher_update(&keyed.cipher, abc, 3, NULL, 0, &keyed.length));
    offer(KEYED_ROOM);
}

static void output__part_of_a_block_in_cbc_mode__is_untouched(void)
{
    begin_block();
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           psa_cipher_finish(&keyed.cipher, keyed.out, KEYED_ROOM, &keyed.length));
    check_untouched();
}

static void output__more_text_than_a_size_can_say__is_untouched(void)
{
    begin_block();
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, psa_cipher_update(&keyed.cipher, aes_text, SIZE_MAX,
                                                         keyed.out, KEYED_ROOM, &keyed.length));
    check_untouched();
}

static const struct test_case tests[] = {
    TEST(output__call_refused_before_a_driver_was_asked__is_untouched),
    TEST(output__key_destroyed__is_untouched),
    TEST(output__call_of_any_family_that_is_refused__is_untouched),
    TEST(output__part_of_a_block_in_cbc_mode__is_untouched),
    TEST(output__more_text_than_a_size_can_say__is_untouched),
};
TEST_SUITE(refused, tests);
