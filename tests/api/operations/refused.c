/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call in parts that is refused before a driver was asked does not touch its output
 * (docs/DECISIONS.md), which may be its input, or what the caller still needs.
 */
#include <string.h>

#include "../../harness/keyed.h"
#include "../../harness/material.h"

#define UNTOUCHED 0xa5

/* Before a call: it gets so much room for its output. */
static void offer(size_t room)
{
    memset(keyed.out, UNTOUCHED, sizeof keyed.out);
    keyed.room = room;
    keyed.length = 0;
}

/* After the call: it has written nothing. The next one has no keys and no operations. */
static void check_untouched(void)
{
    CHECK(keyed.length == 0 && test_all(keyed.out, sizeof keyed.out, UNTOUCHED));
    keyed_end();
}

static psa_key_id_t begin(const struct keyed_call *call)
{
    const psa_key_attributes_t attributes = keyed_attributes(call);
    psa_key_id_t key;

    NEED(keyed_create(&attributes, &key));
    (void)test_keep(key);
    NEED(call->begin(key));
    return key;
}

/* Those that no walk makes (tests/harness/walk.h). */
static void output__call_refused_before_a_driver_was_asked__is_untouched(void)
{
    const psa_key_id_t padded = begin(keyed_find("cipher_finish"));

    offer(15);
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL, keyed_find("cipher_finish")->run(padded));
    check_untouched();
    const psa_key_id_t unfinished = begin(keyed_find("aead_update"));
    offer(KEYED_ROOM);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, keyed_find("aead_finish")->run(unfinished));
    check_untouched();
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
    TEST(output__part_of_a_block_in_cbc_mode__is_untouched),
    TEST(output__more_text_than_a_size_can_say__is_untouched),
};
TEST_SUITE(refused, tests);
