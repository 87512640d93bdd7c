/* SPDX-License-Identifier: Apache-2.0 */
/* Images: blocks in any order, and data that the maker did not sign. */
#include <string.h>

#include <corral/port.h>

#include "device.h"

#define SIGNED_SIZE 96u /* header and code of image_first */
#define SLOT (3u * 256u)
#define AREA_SIZE 4u

static void begin(void)
{
    device_make_any();
    NEED(psa_fwu_start(0, NULL, 0));
}

static void blocks__in_any_order__are_an_image(void)
{
    const size_t last = image_newer.size / 32u * 32u;

    begin();
    for (size_t at = last + 32u; at > 0; at -= 32u) {
        const size_t from = at - 32u;
        const size_t left = image_newer.size - from;
        NEED(psa_fwu_write(0, from, image_newer.bytes + from, left < 32u ? left : 32u));
    }
    NEED(psa_fwu_finish(0));
    CHECK(device_state() == PSA_FWU_CANDIDATE);
}

static void block__that_is_written_again__must_be_the_same(void)
{
    uint8_t other[64];

    begin();
    memcpy(other, image_newer.bytes, sizeof other);
    NEED(psa_fwu_write(0, 0, other, sizeof other));
    NEED(psa_fwu_write(0, 32, other + 32, 32));
    other[32] ^= 1u;
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_fwu_write(0, 32, other + 32, 32));
    CHECK(flash_model_violations() == 0);
    NEED(device_write(&image_newer));
    NEED(psa_fwu_finish(0));
}

static void block__with_a_wrong_place_or_size__is_invalid(void)
{
    const uint8_t *const block = test_buffer(PSA_FWU_MAX_WRITE_SIZE + 32u);

    begin();
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_fwu_write(0, 16, block, 32));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_fwu_write(0, 0, block, 0));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_fwu_write(0, 0, block, PSA_FWU_MAX_WRITE_SIZE + 1u));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_fwu_write(0, SLOT, block, 1));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_fwu_write(0, SLOT - 32u, block, 33));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, psa_fwu_write(0, SIZE_MAX - 31u, block, 64));
    CHECK(test_all(device_slot(1), SLOT, 0xff));
    NEED(psa_fwu_write(0, SLOT - 32u, block, 31));
    CHECK(device_slot(1)[SLOT - 1u] == 0xff && flash_model_violations() == 0);
}

/* Write an image, finish, and see that it is rejected with this status. */
static void expect_rejected(const uint8_t *bytes, size_t size, psa_status_t wanted)
{
    const struct image image = {bytes, size};

    begin();
    NEED(device_write(&image));
    EXPECT(wanted, psa_fwu_finish(0));
    CHECK(device_state() == PSA_FWU_FAILED && device_error() == wanted);
    EXPECT(PSA_ERROR_BAD_STATE, psa_fwu_install());
}

static void image__of_another_signer__is_rejected(void)
{
    expect_rejected(image_forged.bytes, image_forged.size, PSA_ERROR_INVALID_SIGNATURE);
}

static void image__that_is_older__is_not_permitted(void)
{
    expect_rejected(image_older.bytes, image_older.size, PSA_ERROR_NOT_PERMITTED);
}

static void image__of_the_same_version__is_permitted(void)
{
    begin();
    NEED(device_write(&image_brief)); /* its signature has a number with a zero in front */
    NEED(psa_fwu_finish(0));
}

/* Where the entry of the signature begins: it is the last one. */
static size_t entry_of_signature(void)
{
    size_t at = SIGNED_SIZE + AREA_SIZE;

    while (image_first.bytes[at] != 0x22) {
        at += 4u + image_first.bytes[at + 2u];
    }
    return at;
}

static void image__with_a_changed_byte__is_rejected(void)
{
    /* An emulated processor takes long for each. */
    const size_t stride = sizeof(void *) > 4 ? 1u : 16u;
    struct corral_update_image image;

    for (size_t at = 0; at < image_first.size; at += stride) {
        if (at >= SIGNED_SIZE + AREA_SIZE && at < entry_of_signature()) {
            continue; /* hashes that bootutil compares; the signature is over the image itself */
        }
        device_make_any();
        device_change(0, at, 0x80);
        const psa_status_t status = corral_update_boot(&image);
        test_context("byte", at);
        CHECK(status == PSA_ERROR_INVALID_SIGNATURE || status == PSA_ERROR_INVALID_ARGUMENT);
    }
    test_context(NULL, 0);
}

static void put(uint8_t *at, size_t size, uint32_t number)
{
    for (size_t i = 0; i < size; i++) {
        at[i] = (uint8_t)(number >> (8u * i));
    }
}

/* image_first with `size` bytes at `at` replaced by a number. */
static void expect_number_rejected(size_t at, size_t size, uint32_t number, psa_status_t wanted)
{
    uint8_t *const bytes = test_copy(image_first.bytes, image_first.size);

    put(bytes + at, size, number);
    test_context("place and number", at * 1000u + number % 1000u);
    expect_rejected(bytes, image_first.size, wanted);
    test_context(NULL, 0);
}

/* The same with these sizes of header and code: their sum is that of image_first, in 32 bits. */
static void expect_header_rejected(uint32_t header_size)
{
    uint8_t *const bytes = test_copy(image_first.bytes, image_first.size);

    put(bytes + 8, 2, header_size);
    put(bytes + 12, 4, SIGNED_SIZE - header_size);
    expect_rejected(bytes, image_first.size, PSA_ERROR_INVALID_ARGUMENT);
}

static void image__with_a_header_that_is_not_one__is_rejected(void)
{
    expect_header_rejected(31);
    expect_header_rejected(0);
    expect_header_rejected(SIGNED_SIZE + 32u);
}

static void image__with_sizes_that_do_not_fit__is_rejected(void)
{
    const size_t entry = entry_of_signature();

    expect_number_rejected(8, 2, 31, PSA_ERROR_INVALID_ARGUMENT);
    expect_number_rejected(8, 2, 0xffff, PSA_ERROR_INVALID_ARGUMENT);
    expect_number_rejected(10, 2, 0xffff, PSA_ERROR_INVALID_ARGUMENT);
    expect_number_rejected(12, 4, SLOT - 32u + 1u, PSA_ERROR_INVALID_ARGUMENT);
    expect_number_rejected(12, 4, SLOT - 32u, PSA_ERROR_INVALID_ARGUMENT);
    expect_number_rejected(12, 4, 0xffffffffu, PSA_ERROR_INVALID_ARGUMENT);
    expect_number_rejected(12, 4, 0xffffffe0u, PSA_ERROR_INVALID_ARGUMENT);
    expect_number_rejected(SIGNED_SIZE + 2u, 2, 3, PSA_ERROR_INVALID_ARGUMENT);
    expect_number_rejected(SIGNED_SIZE + 2u, 2, SLOT - SIGNED_SIZE + 1u,
                           PSA_ERROR_INVALID_ARGUMENT);
    expect_number_rejected(SIGNED_SIZE + 2u, 2, (uint32_t)(image_first.size - SIGNED_SIZE + 1u),
                           PSA_ERROR_INVALID_ARGUMENT);
    expect_number_rejected(SIGNED_SIZE + AREA_SIZE + 2u, 2, 0xffff, PSA_ERROR_INVALID_ARGUMENT);
    expect_number_rejected(entry + 2u, 2, 0, PSA_ERROR_INVALID_ARGUMENT);
    expect_number_rejected(entry + 2u, 2, 0xffff, PSA_ERROR_INVALID_ARGUMENT);
}

static void image__with_unknown_features__is_rejected(void)
{
    expect_number_rejected(16, 4, 0x00000004, PSA_ERROR_INVALID_ARGUMENT); /* encrypted */
    expect_number_rejected(16, 4, 0x00000010, PSA_ERROR_INVALID_ARGUMENT); /* not to be started */
    expect_number_rejected(16, 4, 0x00000100, PSA_ERROR_INVALID_ARGUMENT); /* for one address */
    expect_number_rejected(16, 4, 0x80000000u, PSA_ERROR_INVALID_ARGUMENT);
}

static void image__without_signature__is_rejected(void)
{
    expect_number_rejected(entry_of_signature(), 2, 0x20, PSA_ERROR_INVALID_SIGNATURE);
}

static void image__with_two_signatures__is_rejected(void)
{
    const size_t entry = entry_of_signature();
    const size_t more = image_first.size - entry;
    uint8_t *const bytes = test_buffer(image_first.size + more);
    const size_t area = image_first.size - SIGNED_SIZE + more;

    memcpy(bytes, image_first.bytes, image_first.size);
    memcpy(bytes + image_first.size, bytes + entry, more);
    bytes[SIGNED_SIZE + 2u] = (uint8_t)area;
    bytes[SIGNED_SIZE + 3u] = (uint8_t)(area >> 8);
    expect_rejected(bytes, image_first.size + more, PSA_ERROR_INVALID_ARGUMENT);
}

/* Nothing behind the code is signed: the signature of this image still matches. */
static void image__whose_entries_end_behind_the_slot__is_rejected(void)
{
    uint8_t *const bytes = test_buffer(image_first.size + AREA_SIZE);
    const uint32_t area = SLOT - SIGNED_SIZE;

    for (uint32_t more = 0; more < 2; more++) {
        memcpy(bytes, image_first.bytes, image_first.size);
        put(bytes + SIGNED_SIZE + 2u, 2, area + more);
        put(bytes + image_first.size, 2, 0x77);
        put(bytes + image_first.size + 2u, 2,
            (uint32_t)(SLOT - image_first.size - AREA_SIZE) + more);
        const struct image image = {bytes, image_first.size + AREA_SIZE};
        begin();
        NEED(device_write(&image));
        EXPECT(more == 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT, psa_fwu_finish(0));
    }
}

static void signature__that_is_not_two_numbers__is_rejected(void)
{
    const size_t der = entry_of_signature() + 4u;
    const size_t second = der + 4u + image_first.bytes[der + 3u];

    expect_number_rejected(der, 1, 0x31, PSA_ERROR_INVALID_SIGNATURE);
    expect_number_rejected(der + 1u, 1, image_first.bytes[der + 1u] - 1u,
                           PSA_ERROR_INVALID_SIGNATURE);
    expect_number_rejected(der + 2u, 1, 0x03, PSA_ERROR_INVALID_SIGNATURE);
    expect_number_rejected(der + 3u, 1, 0, PSA_ERROR_INVALID_SIGNATURE);
    expect_number_rejected(der + 3u, 1, 0x7f, PSA_ERROR_INVALID_SIGNATURE);
    /* The first one takes up all. */
    expect_number_rejected(der + 3u, 1, image_first.bytes[der + 1u] - 2u,
                           PSA_ERROR_INVALID_SIGNATURE);
    expect_number_rejected(second + 1u, 1, image_first.bytes[second + 1u] - 1u,
                           PSA_ERROR_INVALID_SIGNATURE);
}

static void staged_image__that_is_damaged__is_not_installed(void)
{
    device_make_any();
    device_reach(PSA_FWU_STAGED);
    device_change(1, 50, 1);
    NEED(device_reset());
    CHECK(device_version() == VERSION_FIRST && device_state() == PSA_FWU_FAILED);
    CHECK(device_error() == PSA_ERROR_INVALID_SIGNATURE);
}

/* Not even an image that must not be accepted, if the version of the active one is not read. */
static void finish__whose_flash_fails_at_any_read__accepts_nothing(void)
{
    begin();
    NEED(device_write(&image_older));
    const uint32_t before = flash_model_reads();
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_fwu_finish(0));
    const uint32_t reads = flash_model_reads() - before;
    for (uint32_t i = 1; i <= reads; i++) {
        begin();
        NEED(device_write(&image_older));
        flash_model_fail_read(i);
        test_context("read", i);
        EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_fwu_finish(0));
        CHECK(device_state() != PSA_FWU_CANDIDATE);
    }
    test_context(NULL, 0);
}

static void finish__without_a_free_key_slot__may_be_repeated(void)
{
    uint8_t key[CORRAL_UPDATE_KEY_SIZE];
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t keys[CORRAL_SINGLE_KEY_SLOTS];

    begin();
    NEED(device_write(&image_newer));
    NEED(corral_port_update_key(key));
    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1));
    for (size_t i = 0; i < CORRAL_SINGLE_KEY_SLOTS; i++) {
        NEED(psa_import_key(&attributes, key, sizeof key, &keys[i]));
    }
    EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, psa_fwu_finish(0));
    CHECK(device_state() == PSA_FWU_WRITING);
    for (size_t i = 0; i < CORRAL_SINGLE_KEY_SLOTS; i++) {
        NEED(psa_destroy_key(keys[i]));
    }
    NEED(psa_fwu_finish(0));
}

/* The port of a board that cannot read its key, after it wrote the right one. */
static bool is_key_lost;

psa_status_t __real_corral_port_update_key(uint8_t key[CORRAL_UPDATE_KEY_SIZE]);
psa_status_t __wrap_corral_port_update_key(uint8_t key[CORRAL_UPDATE_KEY_SIZE]);
psa_status_t __wrap_corral_port_update_key(uint8_t key[CORRAL_UPDATE_KEY_SIZE])
{
    const psa_status_t status = __real_corral_port_update_key(key);

    return is_key_lost ? PSA_ERROR_STORAGE_FAILURE : status;
}

static void finish__without_the_key_of_the_board__accepts_nothing(void)
{
    begin();
    NEED(device_write(&image_newer));
    is_key_lost = true;
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_fwu_finish(0));
    is_key_lost = false;
    CHECK(device_state() == PSA_FWU_WRITING);
    NEED(psa_fwu_finish(0));
}

static const struct test_case tests[] = {
    TEST(blocks__in_any_order__are_an_image),
    TEST(block__that_is_written_again__must_be_the_same),
    TEST(block__with_a_wrong_place_or_size__is_invalid),
    TEST(image__of_another_signer__is_rejected),
    TEST(image__that_is_older__is_not_permitted),
    TEST(image__of_the_same_version__is_permitted),
    TEST(image__with_a_changed_byte__is_rejected),
    TEST(image__with_a_header_that_is_not_one__is_rejected),
    TEST(image__with_sizes_that_do_not_fit__is_rejected),
    TEST(image__with_unknown_features__is_rejected),
    TEST(image__without_signature__is_rejected),
    TEST(image__with_two_signatures__is_rejected),
    TEST(image__whose_entries_end_behind_the_slot__is_rejected),
    TEST(signature__that_is_not_two_numbers__is_rejected),
    TEST(staged_image__that_is_damaged__is_not_installed),
    TEST(finish__whose_flash_fails_at_any_read__accepts_nothing),
    TEST(finish__without_a_free_key_slot__may_be_repeated),
    TEST(finish__without_the_key_of_the_board__accepts_nothing),
};

TEST_SUITE(written, tests);
