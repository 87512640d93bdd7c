/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random sequences of AEAD calls against a model of the operation: each call must return
 * the model's status, and output in parts must equal that of one call for the same message.
 */
#include "../../harness/machines/aead.h"
#include "../common/fuzz.h"

#define MAX_TEXT 512u
#define TAG_ROOM 16u

struct algorithm {
    psa_algorithm_t alg;
    psa_key_type_t type;
};

static const struct algorithm algorithms[] = {
    {PSA_ALG_CCM, PSA_KEY_TYPE_AES},
    {PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_CCM, 4), PSA_KEY_TYPE_AES},
    {PSA_ALG_GCM, PSA_KEY_TYPE_AES},
    {PSA_ALG_AEAD_WITH_SHORTENED_TAG(PSA_ALG_GCM, 13), PSA_KEY_TYPE_AES},
    {PSA_ALG_CHACHA20_POLY1305, PSA_KEY_TYPE_CHACHA20},
    {PSA_ALG_XCHACHA20_POLY1305, PSA_KEY_TYPE_XCHACHA20},
};

/* The inputs of an operation that began well. */
struct model {
    const struct algorithm *a;
    psa_key_id_t key;
    unsigned state;
    bool has_lengths;
    size_t ad_announced, text_announced, ad_length, text_length, nonce_length;
    uint8_t nonce[24];
    uint8_t ad[MAX_TEXT];
    uint8_t input[MAX_TEXT];
    uint8_t output[MAX_TEXT];
};

static struct model model;
static psa_aead_operation_t operation;

static size_t tag_length(void)
{
    return PSA_AEAD_TAG_LENGTH(model.a->type, 0, model.a->alg);
}

static bool is_ccm(void)
{
    return PSA_ALG_AEAD_WITH_DEFAULT_LENGTH_TAG(model.a->alg) == PSA_ALG_CCM;
}

/* The status of a call, which is `otherwise` if it is in its place. */
static psa_status_t wanted(enum aead_call call, psa_status_t otherwise)
{
    return machine_status(&aead_machine, model.state, call, otherwise);
}

/* The operation has come to `state`; one that is not active has seen nothing. */
static void move_to(unsigned state)
{
    const struct algorithm *const a = model.a;
    const psa_key_id_t key = model.key;

    if (state < MACHINE_OWN) {
        memset(&model, 0, sizeof model);
        model.a = a;
        model.key = key;
    }
    model.state = state;
}

/* Compares the status of a call with the expected one. */
static void expect(enum aead_call call, psa_status_t expected, psa_status_t status)
{
    FUZZ_CHECK(expected == status);
    move_to(machine_after(&aead_machine, model.state, call, status));
}

static psa_key_id_t make_key(struct fuzz_input *input, const struct algorithm *a)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t data[32];
    psa_key_id_t key;

    memset(data, fuzz_byte(input), sizeof data);
    psa_set_key_type(&attributes, a->type);
    psa_set_key_algorithm(&attributes, a->alg);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    FUZZ_CHECK(psa_import_key(&attributes, data, a->type == PSA_KEY_TYPE_AES ? 16 : 32, &key) ==
               PSA_SUCCESS);
    return key;
}

static void call_setup(struct fuzz_input *input)
{
    const bool is_encrypt = fuzz_below(input, 2) == 0;
    const psa_status_t status = is_encrypt
                                    ? psa_aead_encrypt_setup(&operation, model.key, model.a->alg)
                                    : psa_aead_decrypt_setup(&operation, model.key, model.a->alg);

    const enum aead_call call = is_ccm()
                                    ? is_encrypt ? AEAD_CCM_ENCRYPT_SETUP : AEAD_CCM_DECRYPT_SETUP
                                : is_encrypt ? AEAD_ENCRYPT_SETUP
                                             : AEAD_DECRYPT_SETUP;

    expect(call, wanted(call, PSA_SUCCESS), status);
}

static void call_set_lengths(struct fuzz_input *input)
{
    const size_t ad_length = fuzz_below(input, 40);
    const size_t text_length = fuzz_below(input, 100);
    const psa_status_t status = psa_aead_set_lengths(&operation, ad_length, text_length);

    expect(AEAD_SET_LENGTHS, wanted(AEAD_SET_LENGTHS, PSA_SUCCESS), status);
    if (status == PSA_SUCCESS) {
        model.has_lengths = true;
        model.ad_announced = ad_length;
        model.text_announced = text_length;
    }
}

static void call_set_nonce(struct fuzz_input *input)
{
    const size_t usual = PSA_AEAD_NONCE_LENGTH(model.a->type, model.a->alg);
    const size_t length = fuzz_below(input, 8) == 0 ? fuzz_below(input, 25) : usual;
    uint8_t nonce[25] = {0};
    psa_status_t expected = PSA_SUCCESS;

    nonce[0] = fuzz_byte(input);
    if (is_ccm()) {
        expected = length >= 7 && length <= 13 ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
    } else if (model.a->type == PSA_KEY_TYPE_AES) {
        expected = length > 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT;
    } else if (length != usual) {
        expected = length == 8 && model.a->type == PSA_KEY_TYPE_CHACHA20
                       ? PSA_ERROR_NOT_SUPPORTED
                       : PSA_ERROR_INVALID_ARGUMENT;
    }
    expected = wanted(AEAD_SET_NONCE, expected);
    expect(AEAD_SET_NONCE, expected, psa_aead_set_nonce(&operation, nonce, length));
    if (expected == PSA_SUCCESS) {
        model.nonce_length = length;
        memcpy(model.nonce, nonce, sizeof model.nonce);
    }
}

static void call_generate_nonce(struct fuzz_input *input)
{
    const size_t usual = PSA_AEAD_NONCE_LENGTH(model.a->type, model.a->alg);
    const size_t room = fuzz_below(input, 8) == 0 ? fuzz_below(input, 25) : usual;
    uint8_t *nonce = fuzz_room(room);
    const psa_status_t expected =
        wanted(AEAD_GENERATE_NONCE, room < usual ? PSA_ERROR_BUFFER_TOO_SMALL : PSA_SUCCESS);
    size_t n = 1;

    expect(AEAD_GENERATE_NONCE, expected, psa_aead_generate_nonce(&operation, nonce, room, &n));
    FUZZ_CHECK(n == (expected == PSA_SUCCESS ? usual : 0));
    if (expected == PSA_SUCCESS) {
        model.nonce_length = n;
        memcpy(model.nonce, nonce, n);
    }
    free(nonce);
}

static void call_update_ad(struct fuzz_input *input)
{
    size_t size;
    uint8_t *part = fuzz_bytes(input, 40, &size);
    const bool is_too_much = model.has_lengths && model.ad_length + size > model.ad_announced;

    if (model.ad_length + size <= MAX_TEXT) {
        const psa_status_t status = psa_aead_update_ad(&operation, part, size);
        expect(AEAD_UPDATE_AD,
               wanted(AEAD_UPDATE_AD, is_too_much ? PSA_ERROR_INVALID_ARGUMENT : PSA_SUCCESS),
               status);
        if (status == PSA_SUCCESS) {
            memcpy(model.ad + model.ad_length, part, size);
            model.ad_length += size;
        }
    }
    free(part);
}

static void call_update(struct fuzz_input *input)
{
    const size_t from = fuzz_below(input, 64);
    const size_t to = fuzz_below(input, 64);
    size_t size;
    uint8_t *part = fuzz_bytes(input, 99, &size);
    const size_t room = fuzz_below(input, 16) == 0 && size > 0 ? size - 1 : size;
    uint8_t *buffer = fuzz_room(64 + size);
    psa_status_t expected = PSA_SUCCESS;
    size_t n = 1;

    if (model.text_length + size <= MAX_TEXT) {
        if (model.has_lengths && (model.ad_length != model.ad_announced ||
                                  model.text_length + size > model.text_announced)) {
            expected = PSA_ERROR_INVALID_ARGUMENT;
        } else if (room < size) {
            expected = PSA_ERROR_BUFFER_TOO_SMALL;
        }
        expected = wanted(AEAD_UPDATE, expected);
        memcpy(buffer + from, part, size);
        const psa_status_t status =
            psa_aead_update(&operation, buffer + from, size, buffer + to, room, &n);
        FUZZ_CHECK(n == (expected == PSA_SUCCESS ? size : 0));
        if (expected == PSA_SUCCESS) {
            memcpy(model.input + model.text_length, part, size);
            memcpy(model.output + model.text_length, buffer + to, n);
            model.text_length += size;
        }
        expect(AEAD_UPDATE, expected, status);
    }
    free(buffer);
    free(part);
}

/* The message as the model has it, sealed in one call. */
static void seal(const uint8_t *text, uint8_t *whole)
{
    size_t n;

    FUZZ_CHECK(psa_aead_encrypt(model.key, model.a->alg, model.nonce, model.nonce_length, model.ad,
                                model.ad_length, text, model.text_length, whole,
                                MAX_TEXT + TAG_ROOM, &n) == PSA_SUCCESS);
    FUZZ_CHECK(n == model.text_length + tag_length());
}

static psa_status_t expected_end(enum aead_call call)
{
    return wanted(call, model.has_lengths && (model.ad_length != model.ad_announced ||
                                              model.text_length != model.text_announced)
                            ? PSA_ERROR_INVALID_ARGUMENT
                            : PSA_SUCCESS);
}

static void call_finish(struct fuzz_input *input)
{
    static uint8_t whole[MAX_TEXT + TAG_ROOM];
    const size_t room = fuzz_below(input, 17);
    uint8_t *tag = fuzz_room(room);
    psa_status_t expected = expected_end(AEAD_FINISH);
    size_t n = 1;
    size_t m = 1;

    if (expected == PSA_SUCCESS && room < tag_length()) {
        expected = PSA_ERROR_BUFFER_TOO_SMALL;
    }
    const psa_status_t status = psa_aead_finish(&operation, NULL, 0, &n, tag, room, &m);
    FUZZ_CHECK(n == 0 && m == (expected == PSA_SUCCESS ? tag_length() : 0));
    if (expected == PSA_SUCCESS) {
        seal(model.input, whole);
        FUZZ_CHECK(memcmp(whole, model.output, model.text_length) == 0);
        FUZZ_CHECK(memcmp(whole + model.text_length, tag, m) == 0);
    }
    expect(AEAD_FINISH, expected, status);
    free(tag);
}

static void call_verify(struct fuzz_input *input)
{
    static uint8_t whole[MAX_TEXT + TAG_ROOM];
    const bool is_forged = fuzz_below(input, 3) == 0;
    psa_status_t expected = expected_end(AEAD_VERIFY);
    size_t n = 1;

    memset(whole, 0, sizeof whole);
    if (expected == PSA_SUCCESS) {
        /* Decrypted text must encrypt to the given one. */
        seal(model.output, whole);
        FUZZ_CHECK(memcmp(whole, model.input, model.text_length) == 0);
        if (is_forged) {
            whole[model.text_length] ^= 1;
            expected = PSA_ERROR_INVALID_SIGNATURE;
        }
    }
    expect(AEAD_VERIFY, expected,
           psa_aead_verify(&operation, NULL, 0, &n, whole + model.text_length, tag_length()));
    FUZZ_CHECK(n == 0);
}

static void call_abort(struct fuzz_input *input)
{
    (void)input;
    FUZZ_CHECK(psa_aead_abort(&operation) == PSA_SUCCESS);
    move_to(MACHINE_INACTIVE);
}

static const fuzz_action actions[12] = {call_setup,          call_set_lengths, call_set_nonce,
                                        call_generate_nonce, call_update_ad,   call_update_ad,
                                        call_update,         call_update,      call_update,
                                        call_finish,         call_verify,      call_abort};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    const size_t count = sizeof algorithms / sizeof algorithms[0];

    memset(&model, 0, sizeof model);
    memset(&operation, 0, sizeof operation);
    model.a = &algorithms[fuzz_byte(&input) % count];
    model.key = make_key(&input, model.a);
    if (fuzz_below(&input, 4) != 0) {
        /* A good beginning, which random calls seldom make. */
        call_setup(&input);
        call_set_lengths(&input);
        call_set_nonce(&input);
    }
    while (input.size > 0) {
        fuzz_act(&input, actions, 12);
    }
    FUZZ_CHECK(psa_aead_abort(&operation) == PSA_SUCCESS);
    FUZZ_CHECK(psa_destroy_key(model.key) == PSA_SUCCESS);
    return 0;
}
