/* SPDX-License-Identifier: Apache-2.0 */
/* Random sequences of MAC calls, against a model that keeps the message and the state. */
#include "../../harness/machines/mac.h"
#include "../common/fuzz.h"

#define KEYS 3u
#define MAX_MESSAGE 1024u

static struct {
    psa_mac_operation_t operation;
    unsigned state;
    unsigned key;
    size_t length;
    uint8_t message[MAX_MESSAGE];
} model;

static psa_key_id_t keys[KEYS];
static psa_algorithm_t algs[KEYS];

static void make_keys(struct fuzz_input *input)
{
    const psa_algorithm_t hmac = PSA_ALG_HMAC(PSA_ALG_SHA_256);
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    size_t size;
    uint8_t *bytes = fuzz_bytes(input, 64, &size);

    algs[0] = hmac;
    algs[1] = PSA_ALG_TRUNCATED_MAC(hmac, 4 + fuzz_below(input, 29));
    algs[2] = PSA_ALG_CMAC;
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
    for (unsigned i = 0; i < KEYS; i++) {
        const psa_key_type_t type = i < 2 ? PSA_KEY_TYPE_HMAC : PSA_KEY_TYPE_AES;
        psa_set_key_type(&attributes, type);
        psa_set_key_algorithm(&attributes, algs[i]);
        /* A key of the input's bytes, or of a fixed size when those will not do. */
        psa_status_t status = psa_import_key(&attributes, bytes, size, &keys[i]);
        FUZZ_CHECK(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_ARGUMENT ||
                   status == PSA_ERROR_NOT_SUPPORTED);
        FUZZ_CHECK((status == PSA_SUCCESS) == (keys[i] != PSA_KEY_ID_NULL));
        if (status != PSA_SUCCESS) {
            FUZZ_CHECK(psa_import_key(&attributes, (const uint8_t *)"0123456789abcdef", 16,
                                      &keys[i]) == PSA_SUCCESS);
        }
    }
    free(bytes);
}

static size_t expected(uint8_t mac[PSA_MAC_MAX_SIZE])
{
    size_t n;

    FUZZ_CHECK(psa_mac_compute(keys[model.key], algs[model.key], model.message, model.length, mac,
                               PSA_MAC_MAX_SIZE, &n) == PSA_SUCCESS);
    return n;
}

/* Whether a call said what it must, which is `otherwise` where it is in its place. */
static bool says(enum mac_call call, psa_status_t status, psa_status_t otherwise)
{
    return machine_moves(&mac_machine, &model.state, call, status, otherwise);
}

static void call_setup(struct fuzz_input *input)
{
    const unsigned key = fuzz_below(input, KEYS);
    const bool is_sign = fuzz_below(input, 2) == 0;
    const psa_status_t status = is_sign
                                    ? psa_mac_sign_setup(&model.operation, keys[key], algs[key])
                                    : psa_mac_verify_setup(&model.operation, keys[key], algs[key]);

    FUZZ_CHECK(says(is_sign ? MAC_SIGN_SETUP : MAC_VERIFY_SETUP, status, PSA_SUCCESS));
    if (status == PSA_SUCCESS) {
        model.key = key;
        model.length = 0;
    }
}

static void call_update(struct fuzz_input *input)
{
    size_t size;
    uint8_t *bytes = fuzz_bytes(input, 200, &size);

    if (model.length + size <= MAX_MESSAGE) {
        const psa_status_t status = psa_mac_update(&model.operation, bytes, size);
        FUZZ_CHECK(says(MAC_UPDATE, status, PSA_SUCCESS));
        if (status == PSA_SUCCESS) {
            memcpy(model.message + model.length, bytes, size);
            model.length += size;
        }
    }
    free(bytes);
}

static void call_sign_finish(struct fuzz_input *input)
{
    const size_t room = fuzz_below(input, 40);
    uint8_t *mac = fuzz_room(room);
    uint8_t wanted[PSA_MAC_MAX_SIZE];
    size_t n = 7;
    const psa_status_t status = psa_mac_sign_finish(&model.operation, mac, room, &n);

    const bool is_short = model.state == MAC_SIGNING && room < expected(wanted);
    FUZZ_CHECK(says(MAC_SIGN_FINISH, status, is_short ? PSA_ERROR_BUFFER_TOO_SMALL : PSA_SUCCESS));
    if (status == PSA_SUCCESS) {
        FUZZ_CHECK(n == expected(wanted) && memcmp(mac, wanted, n) == 0);
    } else {
        FUZZ_CHECK(n == 0);
    }
    free(mac);
}

static void call_verify_finish(struct fuzz_input *input)
{
    uint8_t wanted[PSA_MAC_MAX_SIZE + 1] = {0};
    const unsigned flaw = fuzz_below(input, 3);
    size_t size = model.state == MAC_VERIFYING ? expected(wanted) : 16;

    if (flaw == 1) {
        wanted[fuzz_byte(input) % size] ^= 0x40;
    }
    size += flaw == 2 ? 1 : 0;
    const psa_status_t status = psa_mac_verify_finish(&model.operation, wanted, size);
    FUZZ_CHECK(
        says(MAC_VERIFY_FINISH, status, flaw == 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE));
}

static void call_abort(struct fuzz_input *input)
{
    (void)input;
    FUZZ_CHECK(psa_mac_abort(&model.operation) == PSA_SUCCESS);
    model.state = MACHINE_INACTIVE;
}

static const fuzz_action actions[6] = {call_setup, call_sign_finish, call_verify_finish,
                                       call_abort, call_update,      call_update};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};

    memset(&model, 0, sizeof model);
    make_keys(&input);
    while (input.size > 0) {
        fuzz_act(&input, actions, 6);
    }
    FUZZ_CHECK(psa_mac_abort(&model.operation) == PSA_SUCCESS);
    for (unsigned i = 0; i < KEYS; i++) {
        FUZZ_CHECK(psa_destroy_key(keys[i]) == PSA_SUCCESS);
    }
    return 0;
}
