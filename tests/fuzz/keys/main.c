/* SPDX-License-Identifier: Apache-2.0 */
/* Random sequences of key management, against a model that keeps what each key should be. */
#include "../common/fuzz.h"

#define SLOTS 12u
#define MAX_DATA 100u

struct known {
    psa_key_id_t id; /* 0: none */
    bool is_alive;
    psa_key_type_t type;
    psa_key_usage_t usage;
    psa_algorithm_t alg;
    size_t size;
    uint8_t data[MAX_DATA];
};

static struct known known[SLOTS];

static const psa_key_type_t types[] = {
    PSA_KEY_TYPE_RAW_DATA,
    PSA_KEY_TYPE_AES,
    PSA_KEY_TYPE_HMAC,
    PSA_KEY_TYPE_DERIVE,
    PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1),
    PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1),
    PSA_KEY_TYPE_CAMELLIA,
    PSA_KEY_TYPE_NONE,
};
static const psa_algorithm_t algs[] = {
    PSA_ALG_NONE,
    PSA_ALG_CTR,
    PSA_ALG_HMAC(PSA_ALG_SHA_256),
    PSA_ALG_AT_LEAST_THIS_LENGTH_MAC(PSA_ALG_HMAC(PSA_ALG_SHA_256), 8),
    PSA_ALG_ECDSA(PSA_ALG_ANY_HASH),
    PSA_ALG_ECDSA(PSA_ALG_SHA_256),
};

static psa_key_attributes_t random_attributes(struct fuzz_input *input)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    const unsigned rare = fuzz_below(input, 16);

    psa_set_key_type(&attributes, types[fuzz_below(input, sizeof types / sizeof types[0])]);
    psa_set_key_algorithm(&attributes, algs[fuzz_below(input, sizeof algs / sizeof algs[0])]);
    /* The low bits: EXPORT, COPY, CACHE; further ones now and then. */
    psa_set_key_usage_flags(&attributes,
                            (psa_key_usage_t)fuzz_below(input, 8) |
                                (rare == 1 ? (psa_key_usage_t)fuzz_byte(input) << 8 : 0));
    if (fuzz_below(input, 2) == 1) {
        psa_set_key_bits(&attributes, (size_t)8 * fuzz_below(input, 66));
    }
    if (rare == 2) {
        psa_set_key_id(&attributes, fuzz_byte(input));
    } else if (rare == 3) {
        psa_set_key_lifetime(&attributes, (psa_key_lifetime_t)fuzz_byte(input) << 8);
    }
    return attributes;
}

/* A row for a new key, or NULL when all are in use. */
static struct known *free_row(void)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        if (!known[i].is_alive) {
            return &known[i];
        }
    }
    return NULL;
}

static void check_new_id(psa_key_id_t id)
{
    FUZZ_CHECK(id >= PSA_KEY_ID_VENDOR_MIN && id <= PSA_KEY_ID_VENDOR_MAX);
    for (unsigned i = 0; i < SLOTS; i++) {
        FUZZ_CHECK(!known[i].is_alive || known[i].id != id);
    }
}

static void remember(struct known *row, psa_key_id_t id)
{
    psa_key_attributes_t found;

    check_new_id(id);
    FUZZ_CHECK(psa_get_key_attributes(id, &found) == PSA_SUCCESS);
    FUZZ_CHECK(psa_get_key_id(&found) == id && psa_get_key_bits(&found) != 0);
    row->id = id;
    row->is_alive = true;
    row->type = psa_get_key_type(&found);
    row->usage = psa_get_key_usage_flags(&found);
    row->alg = psa_get_key_algorithm(&found);
}

static void check_outcome(psa_status_t status, psa_key_id_t id)
{
    FUZZ_CHECK((status == PSA_SUCCESS) == (id != PSA_KEY_ID_NULL));
    FUZZ_CHECK(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_ARGUMENT ||
               status == PSA_ERROR_NOT_SUPPORTED || status == PSA_ERROR_INSUFFICIENT_MEMORY ||
               status == PSA_ERROR_NOT_PERMITTED);
}

static void call_import(struct fuzz_input *input)
{
    const psa_key_attributes_t attributes = random_attributes(input);
    struct known *row = free_row();
    psa_key_id_t id = 1;
    size_t size;
    uint8_t *data = fuzz_bytes(input, MAX_DATA, &size);

    if (row != NULL) {
        const psa_status_t status = psa_import_key(&attributes, data, size, &id);
        check_outcome(status, id);
        if (status == PSA_SUCCESS) {
            remember(row, id);
            row->size = size;
            memcpy(row->data, data, size);
        }
    }
    free(data);
}

/* The export shows the key's content; a key without the flag is not checked further. */
static void learn_content(struct known *row)
{
    size_t n;

    if ((row->usage & PSA_KEY_USAGE_EXPORT) != 0) {
        FUZZ_CHECK(psa_export_key(row->id, row->data, MAX_DATA, &n) == PSA_SUCCESS);
        row->size = n;
    } else {
        row->size = 0;
    }
}

static void call_generate(struct fuzz_input *input)
{
    const psa_key_attributes_t attributes = random_attributes(input);
    struct known *row = free_row();
    psa_key_id_t id = 1;

    if (row != NULL) {
        const psa_status_t status = psa_generate_key(&attributes, &id);
        check_outcome(status, id);
        if (status == PSA_SUCCESS) {
            remember(row, id);
            learn_content(row);
        }
    }
}

static void call_copy(struct fuzz_input *input, const struct known *source)
{
    const psa_key_attributes_t attributes = random_attributes(input);
    struct known *row = free_row();
    psa_key_id_t id = 1;

    if (row == NULL) {
        return;
    }
    const psa_status_t status = psa_copy_key(source->id, &attributes, &id);
    if (!source->is_alive) {
        FUZZ_CHECK(status == PSA_ERROR_INVALID_HANDLE && id == PSA_KEY_ID_NULL);
        return;
    }
    check_outcome(status, id);
    FUZZ_CHECK((source->usage & PSA_KEY_USAGE_COPY) != 0 || status == PSA_ERROR_NOT_PERMITTED);
    if (status == PSA_SUCCESS) {
        remember(row, id);
        FUZZ_CHECK((row->usage & ~source->usage) == 0 && row->type == source->type);
        row->size = source->size;
        memcpy(row->data, source->data, source->size);
    }
}

static void call_export(struct fuzz_input *input, const struct known *row)
{
    const size_t room = fuzz_below(input, MAX_DATA);
    uint8_t *output = fuzz_room(room);
    size_t n = 7;
    const psa_status_t status = psa_export_key(row->id, output, room, &n);

    if (!row->is_alive) {
        FUZZ_CHECK(status == PSA_ERROR_INVALID_HANDLE);
    } else if ((row->usage & PSA_KEY_USAGE_EXPORT) == 0 && !PSA_KEY_TYPE_IS_PUBLIC_KEY(row->type)) {
        FUZZ_CHECK(status == PSA_ERROR_NOT_PERMITTED);
    } else if (row->size > 0) {
        FUZZ_CHECK(status == (room < row->size ? PSA_ERROR_BUFFER_TOO_SMALL : PSA_SUCCESS));
    }
    FUZZ_CHECK(status == PSA_SUCCESS || n == 0);
    if (status == PSA_SUCCESS && row->size > 0) {
        FUZZ_CHECK(n == row->size && memcmp(output, row->data, n) == 0);
    }
    free(output);
}

static void call_destroy(struct known *row)
{
    const psa_status_t status = psa_destroy_key(row->id);

    FUZZ_CHECK(status == (row->is_alive || row->id == PSA_KEY_ID_NULL ? PSA_SUCCESS
                                                                      : PSA_ERROR_INVALID_HANDLE));
    row->is_alive = false;
}

static void call_random_id(struct fuzz_input *input)
{
    psa_key_id_t id = 0;
    bool is_known = false;
    uint8_t output[MAX_DATA];
    size_t n;

    for (unsigned i = 0; i < 4; i++) {
        id = id << 8 | fuzz_byte(input);
    }
    for (unsigned i = 0; i < SLOTS; i++) {
        is_known = is_known || (known[i].is_alive && known[i].id == id);
    }
    FUZZ_CHECK(is_known ||
               psa_export_key(id, output, sizeof output, &n) == PSA_ERROR_INVALID_HANDLE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};

    memset(known, 0, sizeof known);
    while (input.size > 0) {
        struct known *row = &known[fuzz_below(&input, SLOTS)];
        switch (fuzz_below(&input, 8)) {
        case 0:
            call_generate(&input);
            break;
        case 1:
            call_copy(&input, row);
            break;
        case 2:
            call_destroy(row);
            break;
        case 3:
            call_random_id(&input);
            break;
        case 4:
        case 5:
            call_export(&input, row);
            break;
        default:
            call_import(&input);
            break;
        }
        FUZZ_CHECK(corral_holds() == 0);
    }
    for (unsigned i = 0; i < SLOTS; i++) {
        call_destroy(&known[i]);
    }
    return 0;
}
