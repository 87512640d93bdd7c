/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of storage only for a client: parts, long numbers, and its quota. */
#include <corral/config.h>
#include <psa/internal_trusted_storage.h>
#include <psa/protected_storage.h>

#include "../../storage/media.h"

#include "../../harness/harness.h"

static void begin(void)
{
    media_fresh(NULL);
}

static void entry__in_parts__is_not_supported(void)
{
    begin();
    CHECK(psa_ps_get_support() == 0);
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_ps_create(1, 1, PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_SUCCESS, psa_ps_set(1, 1, "1", PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_ps_set_extended(1, 0, 1, "2"));
}

static void entry__of_a_number_beyond_32_bits__is_refused(void)
{
    const psa_storage_uid_t beyond = (psa_storage_uid_t)1 << 32 | 1;
    size_t length;
    char read;

    begin();
    EXPECT(PSA_SUCCESS, psa_its_set(1, 1, "1", PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_its_set(beyond, 1, "2", PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_NOT_SUPPORTED, psa_ps_set(beyond, 1, "2", PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_its_get(beyond, 0, 1, &read, &length));
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, psa_its_remove(beyond));
}

static psa_status_t fill(psa_storage_uid_t *uid)
{
    psa_status_t status;

    do {
        status = psa_its_set(++*uid, 1, "1", PSA_STORAGE_FLAG_NONE);
    } while (status == PSA_SUCCESS && *uid <= CORRAL_WALL_STORED_ENTRIES);
    return status;
}

static void entries__beyond_the_clients_share__are_refused(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_RAW_DATA, 128, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_storage_uid_t uid = 0;
    psa_key_id_t key;

    psa_set_key_id(&attributes, 1);
    begin();
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, fill(&uid));
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_ps_set(1, 1, "1", PSA_STORAGE_FLAG_NONE));
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE, psa_generate_key(&attributes, &key));
    EXPECT(PSA_SUCCESS, psa_its_remove(1));
    EXPECT(PSA_SUCCESS, psa_generate_key(&attributes, &key));
    begin();
}

static const struct test_case tests[] = {
    TEST(entry__in_parts__is_not_supported),
    TEST(entry__of_a_number_beyond_32_bits__is_refused),
    TEST(entries__beyond_the_clients_share__are_refused),
};

TEST_SUITE(limits, tests);
