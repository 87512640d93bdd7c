/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sealed entries: keys, protected storage and the manifest that guards them. Before the
 * seal there is anything, raw or changed after sealing, and none of it is taken for a
 * key, an entry or a manifest. Behind it is data that this device has sealed, with anything
 * in it: it has its stated meaning, or is rejected, and does no harm when it is used.
 */
#include <corral/rollback.h>
#include <psa/protected_storage.h>

#include "../../../core/keys/record.h"
#include "../../../ports/common/counter_model.h"
#include "../../../ports/common/flash_model.h"
#include "../../../storage/bytes.h"
#include "../../../storage/rollback.h"
#include "../../../storage/seal.h"
#include "../common/fuzz.h"

#define NAMES 3u /* of keys, and of entries */
#define TAG CORRAL_SEAL_TAG_SIZE
#define KEY_HEADER CORRAL_STORE_KEY_TAG_AT
#define KEY_DATA 120u
#define ENTRY_DATA 48u
#define MANIFEST (5u + 3u * TAG)
#define OUTPUT 160u
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ECC(family) PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_##family)
#define ECC_PUBLIC(family) PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_##family)

/* The data put into the storage under a name. */
struct planted {
    bool exists;
    bool is_authentic; /* as this device has sealed it, under this name */
    uint8_t flags;
    size_t header; /* bytes before the tag */
    size_t size;   /* of all */
    uint8_t clear[KEY_HEADER + TAG + KEY_DATA];
    uint8_t stored[KEY_HEADER + TAG + KEY_DATA];
};

static struct planted keys[NAMES + 1];
static struct planted entries[NAMES + 1];

static void fill(struct fuzz_input *input, uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        data[i] = fuzz_byte(input);
    }
}

static void put(enum corral_space space, uint64_t uid, struct planted *planted)
{
    FUZZ_CHECK(corral_store_set(space, uid, planted->flags, planted->stored, planted->size) ==
               PSA_SUCCESS);
    planted->exists = true;
}

/* Change a sealed thing, or cut it. */
static void spoil(struct fuzz_input *input, struct planted *planted)
{
    const uint8_t change = fuzz_byte(input);

    planted->is_authentic = false;
    if (change == 0) {
        planted->size = fuzz_below(input, (unsigned)planted->size);
    } else {
        planted->stored[fuzz_below(input, (unsigned)planted->size)] ^= change;
    }
}

static void make_header(struct fuzz_input *input, psa_key_id_t id, size_t size, uint8_t *header)
{
    static const psa_key_type_t types[] = {
        PSA_KEY_TYPE_AES,      PSA_KEY_TYPE_HMAC,        PSA_KEY_TYPE_RAW_DATA,  ECC(SECP_R1),
        ECC_PUBLIC(SECP_R1),   ECC(MONTGOMERY),          ECC_PUBLIC(MONTGOMERY), PSA_KEY_TYPE_DES,
        PSA_KEY_TYPE_CHACHA20, PSA_KEY_TYPE_RSA_KEY_PAIR};
    static const psa_algorithm_t algs[] = {
        PSA_ALG_CTR,  PSA_ALG_CMAC, PSA_ALG_HMAC(PSA_ALG_SHA_256), PSA_ALG_ECDSA(PSA_ALG_SHA_256),
        PSA_ALG_ECDH, PSA_ALG_NONE};
    static const uint16_t sizes[] = {128, 256, 255, 8, 0, 65535};
    const uint8_t choice = fuzz_byte(input);
    const uint8_t public_size = choice % 8 == 1 && size > 65 ? 65 : 0;

    header[0] = 2;
    header[1] = CORRAL_STAGE_READY;
    header[2] = 1;
    header[3] = public_size;
    corral_put(header + 4, types[fuzz_below(input, COUNT(types))], 2);
    corral_put(header + 6, choice % 8 < 4 ? 8 * size : sizes[fuzz_below(input, COUNT(sizes))], 2);
    corral_put(header + 8, 0x13707u, 4); /* all usages that there are */
    corral_put(header + 12, algs[fuzz_below(input, COUNT(algs))], 4);
    corral_put(header + 16, PSA_KEY_LIFETIME_PERSISTENT, 4);
    corral_put(header + 20, size - public_size, 2);
    corral_put(header + 22, id, 4);
    for (unsigned changes = choice >= 128 ? fuzz_below(input, 4) : 0; changes > 0; changes--) {
        fuzz_change(input, header, KEY_HEADER);
    }
}

static void seal(struct planted *planted, const uint8_t *header, size_t header_size)
{
    uint8_t *tag = planted->stored + planted->header;

    memcpy(planted->stored, planted->clear, planted->size);
    FUZZ_CHECK(corral_seal(header, header_size, tag + TAG, planted->size - planted->header - TAG,
                           tag) == PSA_SUCCESS);
    planted->is_authentic = true;
}

static void plant_key(struct fuzz_input *input, psa_key_id_t id)
{
    static const uint8_t lengths[] = {16, 32, 65, 97, 1};
    struct planted *key = &keys[id];
    const uint8_t how = fuzz_byte(input);

    if (how % 8 == 0) { /* raw */
        key->size = fuzz_below(input, sizeof key->stored);
        fill(input, key->stored, key->size);
    } else {
        const size_t size =
            how >= 128 ? lengths[fuzz_below(input, COUNT(lengths))] : fuzz_below(input, KEY_DATA);
        key->header = KEY_HEADER;
        key->size = KEY_HEADER + TAG + size;
        make_header(input, id, size, key->clear);
        fill(input, key->clear + KEY_HEADER + TAG, size);
        seal(key, key->clear, KEY_HEADER);
        if (how % 8 == 1) {
            spoil(input, key);
        }
    }
    put(CORRAL_SPACE_KEYS, id, key);
}

static void plant_entry(struct fuzz_input *input, psa_storage_uid_t uid)
{
    struct planted *entry = &entries[uid];
    const uint8_t how = fuzz_byte(input);
    uint8_t header[9];

    entry->flags = how >= 128 ? (uint8_t)fuzz_below(input, 2 * CORRAL_STORE_CAPACITY) : 0;
    if (how % 8 == 0) {
        entry->size = fuzz_below(input, TAG + ENTRY_DATA);
        fill(input, entry->stored, entry->size);
    } else {
        entry->size = TAG + fuzz_below(input, ENTRY_DATA);
        fill(input, entry->clear + TAG, entry->size - TAG);
        if ((entry->flags & CORRAL_STORE_CAPACITY) != 0) { /* sizes that are more often possible */
            entry->clear[entry->size - 1] &= 1;
        }
        corral_put(header, uid, 8);
        header[8] = entry->flags;
        const uint8_t change = how % 8 == 2 ? fuzz_byte(input) : 0; /* of another name */
        header[fuzz_below(input, sizeof header)] ^= change;
        seal(entry, header, sizeof header);
        entry->is_authentic = change == 0;
        if (how % 8 == 1) {
            spoil(input, entry);
        }
    }
    put(CORRAL_SPACE_PS, uid, entry);
}

/* Add to the sum of the manifest what storage/rollback.c says that an entry adds. */
static void add_to_sum(enum corral_space space, const struct planted *planted, uint64_t uid,
                       uint8_t sum[TAG])
{
    const size_t tag_at = space == CORRAL_SPACE_KEYS ? KEY_HEADER : 0;
    uint8_t name[10] = {(uint8_t)space};
    uint8_t value[TAG];

    if (!planted->exists || planted->size < tag_at + TAG) {
        return;
    }
    corral_put(name + 2, uid, 8);
    FUZZ_CHECK(corral_seal_digest(name, sizeof name, planted->stored + tag_at, value) ==
               PSA_SUCCESS);
    for (size_t i = 0; i < TAG; i++) {
        sum[i] ^= value[i];
    }
}

/* A manifest, and a counter. Returns whether the storage is as that manifest says. */
static bool plant_manifest(struct fuzz_input *input)
{
    const uint8_t how = fuzz_byte(input);
    const uint32_t counter = fuzz_below(input, 4);
    const uint32_t said = counter + fuzz_below(input, 4) - 1u;
    struct planted manifest = {.header = 5, .size = MANIFEST};
    uint8_t sum[TAG] = {0};

    counter_model_set(counter);
    if (how % 8 == 0) {
        return counter == 0;
    }
    for (uint8_t i = 1; i <= NAMES; i++) {
        add_to_sum(CORRAL_SPACE_KEYS, &keys[i], i, sum);
        add_to_sum(CORRAL_SPACE_PS, &entries[i], i, sum);
    }
    if (how % 8 == 1) {
        manifest.size = fuzz_below(input, MANIFEST + 4);
        fill(input, manifest.stored, manifest.size);
        put(CORRAL_SPACE_ROLLBACK, 1, &manifest);
        return false;
    }
    uint8_t *before = manifest.clear + manifest.header + TAG;
    manifest.clear[0] = how >= 248 ? fuzz_byte(input) : 1;
    corral_put(manifest.clear + 1, said, 4);
    for (unsigned i = 0; i < 2; i++) {
        const uint8_t change = (how >> (4 + i) & 1) != 0 ? fuzz_byte(input) : 0;
        memcpy(before + i * TAG, sum, TAG);
        before[i * TAG + fuzz_below(input, TAG)] ^= change;
    }
    seal(&manifest, manifest.clear, manifest.header);
    if (how % 8 == 2) {
        spoil(input, &manifest);
    }
    put(CORRAL_SPACE_ROLLBACK, 1, &manifest);
    const bool was = memcmp(before, sum, TAG) == 0;
    const bool is = memcmp(before + TAG, sum, TAG) == 0;
    return manifest.is_authentic && manifest.clear[0] == 1 &&
           ((said == counter && is) || (said == counter + 1u && (is || was)));
}

static void use_pair(psa_key_id_t id, psa_algorithm_t alg, uint8_t *output)
{
    uint8_t point[65] = {4};
    size_t n = 0;

    (void)psa_sign_hash(id, alg, output, 32, output, OUTPUT, &n);
    (void)psa_verify_hash(id, alg, output, 32, output, 64);
    (void)psa_export_public_key(id, output, OUTPUT, &n);
    (void)psa_raw_key_agreement(alg, id, output, n, output, OUTPUT, &n);
    (void)psa_raw_key_agreement(alg, id, point, sizeof point, output, OUTPUT, &n);
}

static void use_key(psa_key_id_t id, const psa_key_attributes_t *attributes, size_t length)
{
    const psa_algorithm_t alg = psa_get_key_algorithm(attributes);
    const psa_key_type_t type = psa_get_key_type(attributes);
    uint8_t *output = fuzz_room(OUTPUT);
    size_t n = 0;

    memset(output, 7, OUTPUT);
    (void)psa_cipher_encrypt(id, alg, output, 20, output, OUTPUT, &n);
    (void)psa_mac_compute(id, alg, output, 20, output, OUTPUT, &n);
    /* Those that fit take long, and tests/fuzz/records uses them. */
    if (length != PSA_EXPORT_KEY_OUTPUT_SIZE(type, psa_get_key_bits(attributes))) {
        use_pair(id, alg, output);
    }
    free(output);
}

static void check_key(psa_key_id_t id)
{
    const struct planted *key = &keys[id];
    const uint8_t *data = key->clear + KEY_HEADER + TAG;
    psa_key_attributes_t found = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t got[KEY_DATA];
    size_t n;

    const psa_status_t status = psa_get_key_attributes(id, &found);
    FUZZ_CHECK(status == PSA_SUCCESS || status == PSA_ERROR_DATA_INVALID ||
               status == PSA_ERROR_DATA_CORRUPT || status == PSA_ERROR_INVALID_HANDLE);
    FUZZ_CHECK(status != PSA_ERROR_INVALID_HANDLE || !key->exists || key->is_authentic);
    if (status == PSA_SUCCESS) {
        FUZZ_CHECK(key->is_authentic && key->clear[0] == 2 && key->clear[2] == 1);
        FUZZ_CHECK(found.id == id && found.type == corral_take(key->clear + 4, 2) &&
                   found.bits == corral_take(key->clear + 6, 2) &&
                   found.usage == corral_take(key->clear + 8, 4) &&
                   found.algorithm == corral_take(key->clear + 12, 4) &&
                   found.lifetime == corral_take(key->clear + 16, 4));
        const size_t length = corral_take(key->clear + 20, 2);
        if (psa_export_key(id, got, sizeof got, &n) == PSA_SUCCESS) {
            FUZZ_CHECK(n == length && memcmp(got, data, n) == 0);
        }
        use_key(id, &found, length);
    }
    FUZZ_CHECK(corral_holds() == 0);
}

/* Whether the entry can be had, and how large it says that it is and can become. */
static bool measure(const struct planted *entry, size_t *capacity, size_t *size)
{
    const size_t field = (entry->flags & CORRAL_STORE_CAPACITY) != 0 ? 2 : 0;

    if (!entry->exists || !entry->is_authentic || entry->size - TAG < field) {
        return false;
    }
    *capacity = entry->size - TAG - field;
    *size = *capacity;
    if (field != 0) {
        *size = (size_t)corral_take(entry->clear + TAG + *capacity, field);
    }
    return *capacity <= CORRAL_PROTECTED_STORAGE_MAX_SIZE && *size <= *capacity;
}

static void check_entry(psa_storage_uid_t uid)
{
    const struct planted *entry = &entries[uid];
    size_t capacity = 0;
    size_t size = 0;
    struct psa_storage_info_t info;
    uint8_t *got = fuzz_room(ENTRY_DATA);
    size_t n = 0;

    const psa_status_t status = psa_ps_get(uid, 0, ENTRY_DATA, got, &n);
    FUZZ_CHECK(status == PSA_SUCCESS || status == PSA_ERROR_DATA_CORRUPT ||
               status == (entry->exists ? PSA_ERROR_INVALID_SIGNATURE : PSA_ERROR_DOES_NOT_EXIST));
    FUZZ_CHECK((status == PSA_SUCCESS) == measure(entry, &capacity, &size));
    FUZZ_CHECK(psa_ps_get_info(uid, &info) == status);
    if (status == PSA_SUCCESS) {
        FUZZ_CHECK(n == size && memcmp(got, entry->clear + TAG, n) == 0);
        FUZZ_CHECK(info.size == size && info.capacity == capacity);
        FUZZ_CHECK(info.flags == (entry->flags & CORRAL_STORE_ALL_FLAGS));
    }
    free(got);
}

static void check_refused(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t byte = 0;
    size_t n;

    for (uint8_t i = 1; i <= NAMES; i++) {
        FUZZ_CHECK(psa_get_key_attributes(i, &attributes) == PSA_ERROR_DATA_CORRUPT);
        FUZZ_CHECK(psa_destroy_key(i) == PSA_ERROR_DATA_CORRUPT);
        FUZZ_CHECK(psa_ps_get(i, 0, 1, &byte, &n) == PSA_ERROR_DATA_CORRUPT);
        FUZZ_CHECK(psa_ps_set(i, 1, &byte, 0) == PSA_ERROR_STORAGE_FAILURE);
        FUZZ_CHECK(psa_ps_remove(i) == PSA_ERROR_STORAGE_FAILURE);
    }
}

/* Replace, remove, destroy: whatever stood there, it is as was asked for, or as before. */
static void change_all(struct fuzz_input *input)
{
    for (uint8_t i = 1; i <= NAMES; i++) {
        uint8_t value = fuzz_byte(input);
        uint8_t got = 0;
        size_t n = 0;
        const bool is_once = (entries[i].flags & PSA_STORAGE_FLAG_WRITE_ONCE) != 0;
        const psa_status_t set = psa_ps_set(i, 1, &value, 0);
        FUZZ_CHECK(set == (is_once ? PSA_ERROR_NOT_PERMITTED : PSA_SUCCESS));
        if (set == PSA_SUCCESS) {
            FUZZ_CHECK(psa_ps_get(i, 0, 1, &got, &n) == PSA_SUCCESS && n == 1 && got == value);
            FUZZ_CHECK(value % 2 == 0 || psa_ps_remove(i) == PSA_SUCCESS);
        }
        psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
        const psa_status_t before = psa_get_key_attributes(i, &attributes);
        const psa_status_t gone = psa_destroy_key(i);
        FUZZ_CHECK(gone == before || (before == PSA_SUCCESS && gone == PSA_ERROR_NOT_PERMITTED &&
                                      (attributes.lifetime & 0xff) == 0xff));
        FUZZ_CHECK(gone == PSA_ERROR_NOT_PERMITTED ||
                   psa_get_key_attributes(i, &attributes) == PSA_ERROR_INVALID_HANDLE);
    }
}

static void start_again(void)
{
    for (psa_key_id_t id = 1; id <= NAMES; id++) {
        (void)psa_purge_key(id);
    }
    corral_store_unmount();
    corral_rollback_forget();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct corral_flash_geometry geometry = {2048, 3, 8, false};
    struct fuzz_input input = {data, size};

    flash_model_reset(&geometry);
    memset(keys, 0, sizeof keys);
    memset(entries, 0, sizeof entries);
    start_again();
    const uint8_t which = fuzz_byte(&input);
    for (uint8_t i = 1; i <= NAMES; i++) {
        if ((which >> i & 1) != 0) {
            plant_key(&input, i);
        }
        if ((which >> (NAMES + i) & 1) != 0) {
            plant_entry(&input, i);
        }
    }
    const bool is_sound = plant_manifest(&input);
    FUZZ_CHECK(corral_rollback_check() == (is_sound ? PSA_SUCCESS : PSA_ERROR_DATA_CORRUPT));
    if (!is_sound) {
        check_refused();
        FUZZ_CHECK(corral_rollback_accept() == PSA_SUCCESS);
    }
    for (uint8_t i = 1; i <= NAMES; i++) {
        check_key(i);
        check_entry(i);
    }
    change_all(&input);
    start_again();
    FUZZ_CHECK(corral_rollback_check() == PSA_SUCCESS);
    FUZZ_CHECK(corral_holds() == 0 && flash_model_violations() == 0);
    return 0;
}
