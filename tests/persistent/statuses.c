/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The status of each function if the stored key that it needs cannot be loaded, or if the key that
 * it makes cannot be stored. An operation that has begun needs its key again in each call.
 */
#include <string.h>

#include "../../storage/store.h"
#include "../harness/keyed.h"
#include "../harness/material.h"
#include "device.h"

#define KEY 5u

static const struct corral_flash_geometry geometry = {4096, 4, 8, false};

/* No power for the flash: nothing is changed, and nothing can be read. */
static void lose_storage(void)
{
    flash_model_cut(1, FLASH_MODEL_NOTHING);
    (void)flash_model_erase(0);
}

static void regain_storage(void)
{
    (void)flash_model_power_on();
}

static void change_record(size_t at)
{
    uint8_t bytes[200];
    size_t length;
    uint8_t flags;

    NEED(corral_store_get(CORRAL_SPACE_KEYS, KEY, 0, bytes, sizeof bytes, &length, &flags));
    bytes[at] ^= 2;
    NEED(corral_store_set(CORRAL_SPACE_KEYS, KEY, 0, bytes, length));
}

static void damage(void)
{
    change_record(30);
}

static void make_foreign(void)
{
    change_record(0);
}

/* Take all slots with keys of the harness. */
static void fill_slots(void)
{
    const psa_key_attributes_t pair =
        test_attributes(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 0, PSA_ALG_NONE, 0);
    const psa_key_attributes_t single = test_attributes(PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE, 0);
    psa_key_id_t key;

    while (psa_import_key(&single, aes_key, 16, &key) == PSA_SUCCESS) {
        test_keep(key);
    }
    while (psa_import_key(&pair, p256_private, 32, &key) == PSA_SUCCESS) {
        test_keep(key);
    }
}

/* A call with its key stored on a fresh device, and its operation begun, if it is of one. */
static const struct keyed_call *begin_call(size_t number)
{
    const struct keyed_call *call = &keyed_calls[number];
    psa_key_attributes_t attributes = keyed_attributes(call);
    psa_key_id_t key;

    test_context(call->name, number);
    device_fresh(&geometry);
    psa_set_key_id(&attributes, KEY);
    NEED(keyed_create(&attributes, &key));
    if (call->begin != NULL) {
        NEED(call->begin(KEY));
    }
    return call;
}

/* Have each function use a stored key for which `spoil` has been called just before. */
static void use_spoilt(void (*spoil)(void), void (*repair)(void), psa_status_t wanted,
                       bool with_all)
{
    for (size_t i = 0; i < keyed_call_count; i++) {
        if (!with_all && !keyed_loads(&keyed_calls[i])) {
            continue;
        }
        const struct keyed_call *call = begin_call(i);
        spoil();
        EXPECT(wanted, call->run(KEY));
        repair();
        keyed_end();
    }
}

static void nothing(void)
{
}

static void storage__failing__is_said_by_whatever_needs_the_key(void)
{
    use_spoilt(lose_storage, regain_storage, PSA_ERROR_STORAGE_FAILURE, true);
}

static void record__damaged__is_said_by_whatever_needs_the_key(void)
{
    if (!CORRAL_SEALED_STORAGE) {
        test_skip("records are not sealed");
    }
    use_spoilt(damage, nothing, PSA_ERROR_DATA_CORRUPT, true);
}

static void record__of_another_version__is_said_by_whatever_needs_the_key(void)
{
    use_spoilt(make_foreign, nothing, PSA_ERROR_DATA_INVALID, true);
}

static void end_run(void)
{
    device_off();
}

static void begin_run(void)
{
    NEED(psa_crypto_init());
}

static void library__not_initialised__is_said_by_whatever_needs_the_key(void)
{
    psa_key_attributes_t attributes;

    use_spoilt(end_run, begin_run, PSA_ERROR_BAD_STATE, true);
    CHECK(device_slots() == 0);
    end_run();
    EXPECT(PSA_ERROR_BAD_STATE, psa_get_key_attributes(KEY, &attributes));
    EXPECT(PSA_ERROR_BAD_STATE, psa_get_key_attributes(KEY + 1, &attributes));
    EXPECT(PSA_SUCCESS, psa_destroy_key(PSA_KEY_ID_NULL));
    begin_run();
}

static void slots__all_in_use__is_said_by_whatever_needs_the_key(void)
{
    use_spoilt(fill_slots, nothing, PSA_ERROR_INSUFFICIENT_MEMORY, false);
}

static void key__that_can_be_had__serves_the_same_calls(void)
{
    unsigned count = 0;

    for (size_t i = 0; i < keyed_call_count; i++) {
        const struct keyed_call *call = begin_call(i);
        const psa_status_t status = call->run(KEY);
        count += status == PSA_SUCCESS;
        /* There is no RSA in this build, and no such key. */
        CHECK(status == PSA_SUCCESS || status == PSA_ERROR_NOT_PERMITTED);
        keyed_end();
    }
    CHECK(count == keyed_call_count - 2);
}

static void multi_part__key_destroyed__is_a_bad_state(void)
{
    for (size_t i = 0; i < keyed_call_count; i++) {
        const struct keyed_call *call = begin_call(i);
        NEED(psa_destroy_key(KEY));
        const psa_status_t status = call->run(KEY);
        CHECK(status == PSA_ERROR_INVALID_HANDLE ||
              (call->begin != NULL && status == PSA_ERROR_BAD_STATE));
        keyed_end();
    }
}

/* The key under KEY when a call goes on, and the status of that call. */
struct successor {
    const char *title;
    psa_status_t (*replace)(const psa_key_attributes_t *attributes);
    psa_status_t wanted;
};

static psa_status_t purge(const psa_key_attributes_t *attributes)
{
    return psa_purge_key(psa_get_key_id(attributes));
}

static psa_status_t create_anew(const psa_key_attributes_t *attributes)
{
    psa_key_id_t key;

    NEED(psa_destroy_key(KEY));
    return keyed_create(attributes, &key);
}

static psa_status_t create_another(const psa_key_attributes_t *attributes)
{
    const psa_key_attributes_t other =
        device_attributes(KEY, PSA_KEY_TYPE_RAW_DATA, 128, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);

    (void)attributes;
    return create_anew(&other);
}

static const struct successor successors[] = {
    {"itself, loaded again", purge, PSA_SUCCESS},
    {"one that is like it", create_anew, PSA_ERROR_BAD_STATE},
    {"one that is not", create_another, PSA_ERROR_BAD_STATE},
};

static void go_on(const struct keyed_call *call, const struct successor *successor, bool is_cached)
{
    psa_key_attributes_t attributes = keyed_attributes(call);
    psa_key_id_t key;

    device_fresh(&geometry);
    psa_set_key_id(&attributes, KEY);
    if (is_cached) {
        psa_set_key_usage_flags(&attributes, call->usage | PSA_KEY_USAGE_CACHE);
    }
    NEED(keyed_create(&attributes, &key));
    NEED(call->begin(KEY));
    NEED(successor->replace(&attributes));
    EXPECT(successor->wanted, call->run(KEY));
    if (successor->wanted != PSA_SUCCESS) {
        EXPECT(PSA_ERROR_BAD_STATE, call->run(KEY));
    }
    keyed_end();
}

static void multi_part__key_under_the_identifier__must_be_the_one_it_began_with(void)
{
    for (size_t i = 0; i < keyed_call_count; i++) {
        for (size_t j = 0; j < sizeof successors / sizeof successors[0]; j++) {
            if (keyed_goes_on(&keyed_calls[i])) {
                test_context(keyed_calls[i].name, j);
                go_on(&keyed_calls[i], &successors[j], false);
                go_on(&keyed_calls[i], &successors[j], true);
            }
        }
    }
}

/* Have each function create a key under KEY, after `spoil`. */
static void create_spoilt(void (*spoil)(void), void (*repair)(void), psa_key_lifetime_t lifetime,
                          psa_status_t wanted)
{
    for (size_t i = 0; i < creating_call_count; i++) {
        const struct creating_call *call = &creating_calls[i];
        psa_key_attributes_t attributes = creating_attributes();
        psa_key_id_t key = 1;

        test_context(call->name, i);
        device_fresh(&geometry);
        psa_set_key_id(&attributes, KEY);
        psa_set_key_lifetime(&attributes, lifetime);
        if (call->begin != NULL) {
            call->begin();
        }
        spoil();
        EXPECT(wanted, call->run(&attributes, &key));
        CHECK(key == (wanted == PSA_SUCCESS ? KEY : PSA_KEY_ID_NULL));
        repair();
        test_destroy_keys();
    }
}

static void take_identifier(void)
{
    psa_key_attributes_t attributes = creating_attributes();
    psa_key_id_t key;

    psa_set_key_id(&attributes, KEY);
    NEED(psa_import_key(&attributes, aes_text, 32, &key));
}

static void fill_storage(void)
{
    psa_key_attributes_t attributes = creating_attributes();
    psa_status_t status = PSA_SUCCESS;
    psa_key_id_t key;

    for (psa_key_id_t id = 100; status == PSA_SUCCESS; id++) {
        psa_set_key_id(&attributes, id);
        status = psa_import_key(&attributes, aes_text, 32, &key);
    }
    CHECK(status == PSA_ERROR_INSUFFICIENT_STORAGE);
}

#define PERSISTENT PSA_KEY_LIFETIME_PERSISTENT
#define READ_ONLY                                                                                  \
    PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(PSA_KEY_PERSISTENCE_READ_ONLY,                  \
                                                   PSA_KEY_LOCATION_LOCAL_STORAGE)

static void creation__of_a_stored_key__works_by_every_way(void)
{
    create_spoilt(nothing, nothing, PERSISTENT, PSA_SUCCESS);
}

static void creation__identifier_in_use__already_exists(void)
{
    create_spoilt(take_identifier, nothing, PERSISTENT, PSA_ERROR_ALREADY_EXISTS);
}

static void creation__storage_full__is_said(void)
{
    create_spoilt(fill_storage, nothing, PERSISTENT, PSA_ERROR_INSUFFICIENT_STORAGE);
}

static void creation__storage_failing__is_said(void)
{
    create_spoilt(lose_storage, regain_storage, PERSISTENT, PSA_ERROR_STORAGE_FAILURE);
}

static void creation__read_only__is_not_permitted(void)
{
    create_spoilt(nothing, nothing, READ_ONLY, PSA_ERROR_NOT_PERMITTED);
}

static void creation__slots_all_in_use__is_said(void)
{
    create_spoilt(fill_slots, nothing, PSA_KEY_LIFETIME_VOLATILE, PSA_ERROR_INSUFFICIENT_MEMORY);
}

static const struct test_case tests[] = {
    TEST(key__that_can_be_had__serves_the_same_calls),
    TEST(multi_part__key_destroyed__is_a_bad_state),
    TEST(multi_part__key_under_the_identifier__must_be_the_one_it_began_with),
    TEST(storage__failing__is_said_by_whatever_needs_the_key),
    TEST(record__damaged__is_said_by_whatever_needs_the_key),
    TEST(record__of_another_version__is_said_by_whatever_needs_the_key),
    TEST(library__not_initialised__is_said_by_whatever_needs_the_key),
    TEST(slots__all_in_use__is_said_by_whatever_needs_the_key),
    TEST(creation__of_a_stored_key__works_by_every_way),
    TEST(creation__identifier_in_use__already_exists),
    TEST(creation__storage_full__is_said),
    TEST(creation__storage_failing__is_said),
    TEST(creation__read_only__is_not_permitted),
    TEST(creation__slots_all_in_use__is_said),
};
TEST_SUITE(statuses, tests);
