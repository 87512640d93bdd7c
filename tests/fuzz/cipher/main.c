/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random sequences of cipher calls, against a model that keeps message and state. A text
 * encrypted in parts must decrypt in one call to the input. A text decrypted in parts must
 * equal the output of one call. Buffers overlap at random, and damaged ciphertexts do no harm.
 */
#include "../../harness/machines/cipher.h"
#include "../common/fuzz.h"

#define MODES 4u
#define MAX_TEXT 600u
#define BLOCK 16u

static const psa_algorithm_t modes[MODES] = {PSA_ALG_ECB_NO_PADDING, PSA_ALG_CBC_NO_PADDING,
                                             PSA_ALG_CBC_PKCS7, PSA_ALG_CTR};

static psa_key_id_t keys[MODES];

static struct {
    psa_cipher_operation_t operation;
    unsigned state;
    bool is_encrypt;
    psa_key_id_t key;
    psa_algorithm_t alg;
    size_t input_length, output_length;
    uint8_t iv[BLOCK];
    uint8_t input[MAX_TEXT];
    uint8_t output[MAX_TEXT + BLOCK];
} model;

/* IV and ciphertext, for calls that take the whole. */
static uint8_t whole[BLOCK + MAX_TEXT + BLOCK];
static uint8_t text[MAX_TEXT + BLOCK];

static void make_keys(struct fuzz_input *input)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    const size_t size = fuzz_below(input, 2) == 0 ? 16 : 32;
    uint8_t data[32];

    memset(data, fuzz_byte(input), sizeof data);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_AES);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    for (unsigned i = 0; i < MODES; i++) {
        psa_set_key_algorithm(&attributes, modes[i]);
        FUZZ_CHECK(psa_import_key(&attributes, data, size, &keys[i]) == PSA_SUCCESS);
    }
}

static size_t iv_length(void)
{
    return PSA_CIPHER_IV_LENGTH(PSA_KEY_TYPE_AES, model.alg);
}

/* Whether a call said what it must, which is `otherwise` where it is in its place. */
static bool says(enum cipher_call call, psa_status_t status, psa_status_t otherwise)
{
    return machine_moves(&cipher_machine, &model.state, call, status, otherwise);
}

/* Possible statuses of a call with `room` for its output that may need up to `most` bytes. */
static psa_status_t for_room(psa_status_t status, size_t room, size_t most)
{
    return room < most && status == PSA_ERROR_BUFFER_TOO_SMALL ? status : PSA_SUCCESS;
}

/* Decrypt IV and ciphertext as the model has them, in one call, to `text`. */
static psa_status_t decrypt(size_t *text_length)
{
    const uint8_t *const from = model.is_encrypt ? model.output : model.input;
    const size_t length = model.is_encrypt ? model.output_length : model.input_length;

    memcpy(whole, model.iv, iv_length());
    memcpy(whole + iv_length(), from, length);
    return psa_cipher_decrypt(model.key, model.alg, whole, iv_length() + length, text, sizeof text,
                              text_length);
}

static void decrypt_damaged(struct fuzz_input *input, size_t length)
{
    uint8_t *damaged = fuzz_room(length);
    const size_t cut = fuzz_byte(input) % (length + 1);
    const size_t room = fuzz_byte(input);
    uint8_t *output = fuzz_room(room);
    size_t n = 7;

    memcpy(damaged, whole, length);
    if (length > 0) {
        fuzz_change(input, damaged, length);
    }
    const psa_status_t status =
        psa_cipher_decrypt(model.key, model.alg, damaged, cut, output, room, &n);
    FUZZ_CHECK(status == PSA_SUCCESS || n == 0);
    FUZZ_CHECK(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_ARGUMENT ||
               status == PSA_ERROR_INVALID_PADDING || status == PSA_ERROR_BUFFER_TOO_SMALL);
    FUZZ_CHECK(n <= room);
    free(output);
    free(damaged);
}

static void call_setup(struct fuzz_input *input)
{
    const unsigned mode = fuzz_below(input, MODES);
    const bool is_encrypt = fuzz_below(input, 2) == 0;
    const enum cipher_call call = PSA_CIPHER_IV_LENGTH(PSA_KEY_TYPE_AES, modes[mode]) == 0
                                      ? CIPHER_SETUP_OF_NO_IV
                                  : is_encrypt ? CIPHER_ENCRYPT_SETUP
                                               : CIPHER_DECRYPT_SETUP;
    const psa_status_t status =
        is_encrypt ? psa_cipher_encrypt_setup(&model.operation, keys[mode], modes[mode])
                   : psa_cipher_decrypt_setup(&model.operation, keys[mode], modes[mode]);

    FUZZ_CHECK(says(call, status, PSA_SUCCESS));
    if (status == PSA_SUCCESS) {
        model.is_encrypt = is_encrypt;
        model.key = keys[mode];
        model.alg = modes[mode];
        model.input_length = 0;
        model.output_length = 0;
    }
}

static void call_generate_iv(struct fuzz_input *input)
{
    const size_t room = fuzz_below(input, 8) == 0 ? fuzz_below(input, BLOCK) : BLOCK;
    uint8_t *iv = fuzz_room(room);
    size_t n = 7;
    const psa_status_t status = psa_cipher_generate_iv(&model.operation, iv, room, &n);

    FUZZ_CHECK(says(CIPHER_GENERATE_IV, status,
                    room < iv_length() ? PSA_ERROR_BUFFER_TOO_SMALL : PSA_SUCCESS));
    FUZZ_CHECK(n == (status == PSA_SUCCESS ? iv_length() : 0));
    memcpy(model.iv, iv, n);
    free(iv);
}

static void call_set_iv(struct fuzz_input *input)
{
    const size_t length = fuzz_below(input, 8) == 0 ? fuzz_below(input, BLOCK + 2) : BLOCK;
    uint8_t iv[BLOCK + 1] = {0};

    iv[0] = length > 0 ? fuzz_byte(input) : 0;
    const psa_status_t status = psa_cipher_set_iv(&model.operation, iv, length);
    /* The first counter block goes on with zeros. */
    const bool is_right =
        length == BLOCK || (model.alg == PSA_ALG_CTR && length > 0 && length < BLOCK);
    FUZZ_CHECK(says(CIPHER_SET_IV, status, is_right ? PSA_SUCCESS : PSA_ERROR_INVALID_ARGUMENT));
    if (status == PSA_SUCCESS) {
        memcpy(model.iv, iv, BLOCK);
    }
}

/* A good beginning, which random calls seldom make. */
static void call_begin(struct fuzz_input *input)
{
    call_setup(input);
    if (fuzz_below(input, 2) == 0) {
        call_generate_iv(input);
    } else {
        call_set_iv(input);
    }
}

/* Through a buffer in which input and output overlap at random. */
static void call_update(struct fuzz_input *input)
{
    const size_t from = fuzz_below(input, 64);
    const size_t to = fuzz_below(input, 64);
    size_t size;
    uint8_t *part = fuzz_bytes(input, 99, &size);
    const size_t room = fuzz_below(input, 16) == 0 ? fuzz_below(input, 99) : size + BLOCK;
    uint8_t *buffer = fuzz_room(64 + (room > size ? room : size));
    size_t n = 7;

    if (model.input_length + size <= MAX_TEXT) {
        memcpy(buffer + from, part, size);
        const psa_status_t status =
            psa_cipher_update(&model.operation, buffer + from, size, buffer + to, room, &n);
        const size_t most = PSA_CIPHER_UPDATE_OUTPUT_SIZE(PSA_KEY_TYPE_AES, model.alg, size);
        FUZZ_CHECK(says(CIPHER_UPDATE, status, for_room(status, room, most)));
        FUZZ_CHECK(status == PSA_SUCCESS ? n <= most && n <= room : n == 0);
        fuzz_append(status, part, size, model.input, &model.input_length);
        fuzz_append(status, buffer + to, n, model.output, &model.output_length);
    }
    free(buffer);
    free(part);
}

/* The status at the end of an operation with enough space. */
static psa_status_t expected_end(void)
{
    const bool is_whole = model.input_length % BLOCK == 0;
    size_t n;

    if (model.state != CIPHER_READY) {
        return PSA_SUCCESS; /* the table says it */
    }
    if (!model.is_encrypt) {
        return decrypt(&n);
    }
    return is_whole || model.alg == PSA_ALG_CBC_PKCS7 || model.alg == PSA_ALG_CTR
               ? PSA_SUCCESS
               : PSA_ERROR_INVALID_ARGUMENT;
}

static void call_finish(struct fuzz_input *input)
{
    const size_t room = fuzz_below(input, 8) == 0 ? fuzz_below(input, BLOCK) : BLOCK;
    const psa_status_t expected = expected_end();
    uint8_t *output = fuzz_room(room);
    size_t n = 7;
    const psa_status_t status = psa_cipher_finish(&model.operation, output, room, &n);
    const size_t most = PSA_CIPHER_FINISH_OUTPUT_SIZE(PSA_KEY_TYPE_AES, model.alg);

    FUZZ_CHECK(says(CIPHER_FINISH, status,
                    expected == PSA_SUCCESS ? for_room(status, room, most) : expected));
    FUZZ_CHECK(status == PSA_SUCCESS ? n <= most && n <= room : n == 0);
    fuzz_append(status, output, n, model.output, &model.output_length);
    free(output);
    if (status == PSA_SUCCESS) {
        const uint8_t *const known = model.is_encrypt ? model.input : model.output;
        const size_t length = model.is_encrypt ? model.input_length : model.output_length;
        FUZZ_CHECK(decrypt(&n) == PSA_SUCCESS && n == length && memcmp(text, known, n) == 0);
        decrypt_damaged(input, iv_length() +
                                   (model.is_encrypt ? model.output_length : model.input_length));
    }
}

static void call_abort(struct fuzz_input *input)
{
    (void)input;
    FUZZ_CHECK(psa_cipher_abort(&model.operation) == PSA_SUCCESS);
    model.state = MACHINE_INACTIVE;
}

static const fuzz_action actions[12] = {call_begin,  call_begin,       call_begin,  call_setup,
                                        call_set_iv, call_generate_iv, call_update, call_update,
                                        call_update, call_finish,      call_finish, call_abort};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};

    memset(&model, 0, sizeof model);
    make_keys(&input);
    while (input.size > 0) {
        fuzz_act(&input, actions, 12);
    }
    FUZZ_CHECK(psa_cipher_abort(&model.operation) == PSA_SUCCESS);
    for (unsigned i = 0; i < MODES; i++) {
        FUZZ_CHECK(psa_destroy_key(keys[i]) == PSA_SUCCESS);
    }
    return 0;
}
