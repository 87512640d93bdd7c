/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and entries that several clients have stored under the same numbers. */
#include <string.h>

#include <psa/internal_trusted_storage.h>
#include <psa/protected_storage.h>

#include "../../../ports/common/flash_model.h"
#include "../../../storage/store.h"
#include "../../../wall/trusted/serve.h"
#include "../../harness/material.h"
#include "../arena.h"
#include "begin.h"

#define HMAC PSA_ALG_HMAC(PSA_ALG_SHA_256)
#define KEY ((psa_key_id_t)5)
#define UID ((psa_storage_uid_t)5)

static psa_key_attributes_t persistent(psa_key_usage_t usage)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_HMAC, 0, HMAC, PSA_KEY_USAGE_EXPORT | usage);

    psa_set_key_id(&attributes, KEY);
    return attributes;
}

/* The key KEY of a client, of 16 bytes of its number. */
static void make_key(corral_owner_t client, psa_key_usage_t usage)
{
    const psa_key_attributes_t attributes = persistent(usage);
    uint8_t material[16];
    psa_key_id_t id;

    memset(material, (int)client, sizeof material);
    call_as(client);
    NEED(psa_import_key(&attributes, material, sizeof material, &id));
    CHECK(id == KEY);
}

static void check_key(corral_owner_t client)
{
    uint8_t material[16] = {0};
    size_t length = 0;

    call_as(client);
    EXPECT(PSA_SUCCESS, psa_export_key(KEY, material, sizeof material, &length));
    CHECK(length == sizeof material && test_all(material, length, (uint8_t)client));
}

static void end(void)
{
    stored_begin();
    arena_leave();
}

static void check_keys_of_each(psa_key_usage_t usage)
{
    uint8_t material[16];
    size_t length;

    stored_begin();
    make_key(1, usage);
    make_key(2, usage);
    make_key(0x102, usage); /* the same in its lowest byte */
    check_key(1);
    check_key(2);
    check_key(0x102);
    stored_restart(2); /* the first start recovers for all */
    check_key(0x102);
    check_key(2);
    check_key(1);
    call_as(3);
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_export_key(KEY, material, sizeof material, &length));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_purge_key(KEY));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(KEY));
    call_as(2);
    EXPECT(PSA_SUCCESS, psa_destroy_key(KEY));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_export_key(KEY, material, sizeof material, &length));
    check_key(1);
    check_key(0x102);
    stored_restart(2); /* the first start recovers for all */
    check_key(1);
    call_as(2);
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_export_key(KEY, material, sizeof material, &length));
    end();
}

static void persistent_key__of_each_client__is_its_own(void)
{
    check_keys_of_each(0);
    check_keys_of_each(PSA_KEY_USAGE_CACHE);
}

static void client__that_was_reset__keeps_what_it_stored(void)
{
    uint8_t read = 0;
    size_t length;

    stored_begin();
    make_key(2, PSA_KEY_USAGE_CACHE);
    EXPECT(PSA_SUCCESS, psa_its_set(UID, 1, "x", 0));
    EXPECT(PSA_SUCCESS, corral_wall_forget(2));
    check_key(2);
    EXPECT(PSA_SUCCESS, psa_its_get(UID, 0, 1, &read, &length));
    CHECK(length == 1 && read == 'x');
    end();
}

/* One of the two families of functions. */
struct family {
    psa_status_t (*set)(psa_storage_uid_t, size_t, const void *, psa_storage_create_flags_t);
    psa_status_t (*get)(psa_storage_uid_t, size_t, size_t, void *, size_t *);
    psa_status_t (*get_info)(psa_storage_uid_t, struct psa_storage_info_t *);
    psa_status_t (*remove)(psa_storage_uid_t);
};

static const struct family families[] = {
    {psa_its_set, psa_its_get, psa_its_get_info, psa_its_remove},
    {psa_ps_set, psa_ps_get, psa_ps_get_info, psa_ps_remove},
};

static void check_entry(const struct family *family, corral_owner_t client, char expected)
{
    char read[4];
    size_t length = 0;

    call_as(client);
    EXPECT(PSA_SUCCESS, family->get(UID, 0, sizeof read, read, &length));
    CHECK(length == 1 && read[0] == expected);
}

static void check_entries_of_each(const struct family *family)
{
    struct psa_storage_info_t info;
    char read;
    size_t length;

    stored_begin();
    call_as(1);
    EXPECT(PSA_SUCCESS, family->set(UID, 1, "1", 0));
    call_as(2);
    EXPECT(PSA_SUCCESS, family->set(UID, 1, "2", PSA_STORAGE_FLAG_WRITE_ONCE));
    stored_restart(2); /* the first start recovers for all */
    check_entry(family, 1, '1');
    check_entry(family, 2, '2');
    call_as(3);
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, family->get(UID, 0, 1, &read, &length));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, family->get_info(UID, &info));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, family->remove(UID));
    call_as(1);
    EXPECT(PSA_SUCCESS, family->remove(UID));
    call_as(2);
    EXPECT(PSA_ERROR_NOT_PERMITTED, family->remove(UID));
    check_entry(family, 2, '2');
    end();
}

static void entry__of_each_client__is_its_own(void)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        check_entries_of_each(&families[i]);
    }
}

/* A client's numbers end where its owner's begin. */
static void entry__of_a_number_beyond_32_bits__is_refused(void)
{
    const psa_storage_uid_t far = (psa_storage_uid_t)2 << 32 | UID;
    struct psa_storage_info_t info;
    char read;
    size_t length;

    stored_begin();
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const struct family *const family = &families[i];
        call_as(2);
        EXPECT(PSA_SUCCESS, family->set(UID, 1, "2", 0));
        call_as(1);
        EXPECT(PSA_ERROR_NOT_SUPPORTED, family->set(far, 1, "1", 0));
        EXPECT(PSA_ERROR_DOES_NOT_EXIST, family->get(far, 0, 1, &read, &length));
        EXPECT(PSA_ERROR_DOES_NOT_EXIST, family->get_info(far, &info));
        EXPECT(PSA_ERROR_DOES_NOT_EXIST, family->remove(far));
        check_entry(family, 2, '2');
    }
    end();
}

/* In flash such an entry has each page keep room for it, which all others then lack. */
static void entry__in_parts__is_not_supported(void)
{
    stored_begin();
    CHECK(psa_ps_get_support() == 0);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_ps_create(UID, 1, 0));
    EXPECT(PSA_SUCCESS, psa_ps_set(UID, 1, "1", 0));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_ps_set_extended(UID, 0, 1, "2"));
    check_entry(&families[1], 1, '1');
    end();
}

static void entries__as_many_as_one_client_may_have__leave_room_for_others(void)
{
    const psa_key_attributes_t attributes = persistent(0);
    const psa_storage_uid_t most = CORRAL_WALL_STORED_ENTRIES;
    psa_key_id_t key;

    stored_begin();
    call_as(2);
    for (psa_storage_uid_t uid = 1; uid <= most; uid++) {
        EXPECT(PSA_SUCCESS, families[uid % 2].set(uid, 1, "2", 0));
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_its_set(most + 1, 1, "2", 0));
    flash_model_cut(0, FLASH_MODEL_NOTHING);
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_ps_set(most + 1, 1, "2", 0));
    CHECK(flash_model_steps() == 0); /* it is not announced, either */
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE,
           psa_import_key(&attributes, hmac_key, sizeof hmac_key, &key));
    EXPECT(PSA_SUCCESS, families[0].set(2, 2, "22", 0)); /* in the place of another */
    call_as(3);
    EXPECT(PSA_SUCCESS, psa_its_set(UID, 1, "3", 0));
    call_as(2);
    EXPECT(PSA_SUCCESS, families[0].remove(2));
    EXPECT(PSA_SUCCESS, psa_its_set(most + 1, 1, "2", 0));
    end();
}

static void bytes__as_many_as_one_client_may_have__leave_room_for_others(void)
{
    static const uint8_t data[CORRAL_WALL_STORED_BYTES];

    stored_begin();
    call_as(2);
    EXPECT(PSA_SUCCESS, psa_its_set(1, sizeof data - 1, data, 0));
    EXPECT(PSA_SUCCESS, psa_its_set(2, 1, data, 0));
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_its_set(2, 2, data, 0));
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_its_set(3, 1, data, 0));
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_ps_set(3, 1, data, 0));
    call_as(3);
    EXPECT(PSA_SUCCESS, psa_its_set(1, sizeof data, data, 0));
    end();
}

/* As for keys in elements: space is reserved for the successors of existing records. */
static void entry__that_is_urgent__counts_unless_it_replaces_one(void)
{
    static const uint8_t data[CORRAL_WALL_STORED_BYTES + 2];
    const enum corral_space its = (enum corral_space)(CORRAL_SPACE_ITS | CORRAL_SPACE_OF_CLIENTS);
    const uint64_t mine = (uint64_t)2 << 32;

    stored_begin();
    EXPECT(PSA_SUCCESS, corral_store_set(its, mine | 1, 0, data, CORRAL_WALL_STORED_BYTES));
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE,
           corral_store_set(its, mine | 2, CORRAL_STORE_URGENT, data, 1));
    EXPECT(PSA_SUCCESS,
           corral_store_set(its, mine | 1, CORRAL_STORE_URGENT, data, sizeof data - 1));
    /* As if a new configuration had made the share less. */
    call_as(2);
    EXPECT(PSA_SUCCESS, psa_its_set(1, sizeof data - 1, data, 0));
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_its_set(1, sizeof data, data, 0));
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_its_set(2, 1, data, 0));
    end();
}

/* An attacker that can write the flash gives one client the record of another. */
static void record__under_another_owner__is_not_authentic(void)
{
    const enum corral_space keys = (enum corral_space)(CORRAL_SPACE_KEYS | CORRAL_SPACE_OF_CLIENTS);
    const uint64_t mine = (uint64_t)2 << 32 | KEY;
    const uint64_t theirs = (uint64_t)3 << 32 | KEY;
    uint8_t bytes[256];
    size_t length = 0;
    uint8_t flags;

    stored_begin();
    make_key(2, 0);
    EXPECT(PSA_SUCCESS, corral_store_get(keys, mine, 0, bytes, sizeof bytes, &length, &flags));
    EXPECT(PSA_SUCCESS, corral_store_set(keys, theirs, flags, bytes, length));
    EXPECT(PSA_SUCCESS, corral_store_set(CORRAL_SPACE_KEYS, KEY, flags, bytes, length));
    call_as(3);
    EXPECT(PSA_ERROR_DATA_CORRUPT, psa_export_key(KEY, bytes, sizeof bytes, &length));
    check_key(2);
    end();
}

static void entry__that_has_no_room_here__is_not_read_in_part(void)
{
    static uint8_t read[CORRAL_WALL_BUFFER_SIZE + 1];
    size_t length = 1;

    stored_begin();
    EXPECT(PSA_SUCCESS, psa_its_set(UID, 1, "1", 0));
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, psa_its_get(UID, 0, sizeof read, read, &length));
    CHECK(length == 0);
    EXPECT(PSA_SUCCESS, psa_its_get(UID, 0, sizeof read - 1, read, &length));
    CHECK(length == 1);
    end();
}

/* Behind the header of the first page: of the record that was written first. */
static void damage_first_header(void)
{
    flash_model_content()[16 + 4] ^= 1;
    corral_store_unmount();
}

/*
 * In a page that is not written any more the first of two entries is damaged and hides both.
 * Readable entries still count for a client.
 */
static void entry__beside_damage__is_stored_within_the_share(void)
{
    static const uint8_t data[1200];
    const psa_storage_uid_t most = CORRAL_WALL_STORED_ENTRIES;
    char read;
    size_t length;

    stored_begin();
    call_as(2);
    EXPECT(PSA_SUCCESS, psa_its_set(1, 1, "1", 0));
    EXPECT(PSA_SUCCESS, psa_its_set(2, 1, "2", 0));
    call_as(3);
    EXPECT(PSA_SUCCESS, psa_its_set(UID, sizeof data, data, 0));
    EXPECT(PSA_SUCCESS, psa_its_set(UID, sizeof data, data, 0));
    damage_first_header();
    call_as(2);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get(1, 0, 1, &read, &length));
    for (psa_storage_uid_t uid = 3; uid < 3 + most; uid++) {
        EXPECT(PSA_SUCCESS, psa_its_set(uid, 1, "3", 0));
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_its_set(3 + most, 1, "3", 0));
    end();
}

/* Readings of the flash while an entry is stored beside others of such a size. */
static uint32_t reads_beside(size_t size)
{
    static const uint8_t data[CORRAL_WALL_STORED_BYTES / 4];

    stored_begin();
    call_as(2);
    for (psa_storage_uid_t uid = 1; uid <= 3; uid++) {
        EXPECT(PSA_SUCCESS, psa_its_set(uid, size, data, 0));
    }
    const uint32_t before = flash_model_reads();
    EXPECT(PSA_SUCCESS, psa_its_set(4, 1, data, 0));
    return flash_model_reads() - before;
}

static void entry__beside_large_ones__costs_no_more_than_beside_small_ones(void)
{
    CHECK(reads_beside(CORRAL_WALL_STORED_BYTES / 4) == reads_beside(1));
    end();
}

static const struct test_case tests[] = {
    TEST(persistent_key__of_each_client__is_its_own),
    TEST(client__that_was_reset__keeps_what_it_stored),
    TEST(entry__of_each_client__is_its_own),
    TEST(entry__of_a_number_beyond_32_bits__is_refused),
    TEST(entry__in_parts__is_not_supported),
    TEST(entries__as_many_as_one_client_may_have__leave_room_for_others),
    TEST(bytes__as_many_as_one_client_may_have__leave_room_for_others),
    TEST(entry__that_is_urgent__counts_unless_it_replaces_one),
    TEST(record__under_another_owner__is_not_authentic),
    TEST(entry__that_has_no_room_here__is_not_read_in_part),
    TEST(entry__beside_damage__is_stored_within_the_share),
    TEST(entry__beside_large_ones__costs_no_more_than_beside_small_ones),
};

TEST_SUITE(entries, tests);
