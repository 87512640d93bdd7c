/* SPDX-License-Identifier: Apache-2.0 */
/* Random sequences of hash calls, against a model that keeps the message and the state. */
#include "../../harness/machines/hash.h"
#include "../common/fuzz.h"

#define OBJECTS 2u
#define MAX_MESSAGE 1024u

struct model {
    psa_hash_operation_t operation;
    unsigned state;
    psa_algorithm_t alg;
    size_t length;
    uint8_t message[MAX_MESSAGE];
};

static const psa_algorithm_t algs[] = {PSA_ALG_SHA_1,   PSA_ALG_SHA_256,   PSA_ALG_SHA_384,
                                       PSA_ALG_SHA_512, PSA_ALG_RIPEMD160, PSA_ALG_CTR};

static struct model models[OBJECTS];

/* Whether a call said what it must, which is `otherwise` where it is in its place. */
static bool says(struct model *model, enum hash_call call, psa_status_t status,
                 psa_status_t otherwise)
{
    return machine_moves(&hash_machine, &model->state, call, status, otherwise);
}

static void call_setup(struct fuzz_input *input, struct model *model)
{
    const unsigned choice = fuzz_below(input, sizeof algs / sizeof algs[0]);
    const psa_status_t status = psa_hash_setup(&model->operation, algs[choice]);

    FUZZ_CHECK(says(model, HASH_SETUP, status,
                    choice < 4    ? PSA_SUCCESS
                    : choice == 4 ? PSA_ERROR_NOT_SUPPORTED
                                  : PSA_ERROR_INVALID_ARGUMENT));
    if (status == PSA_SUCCESS) {
        model->alg = algs[choice];
        model->length = 0;
    }
}

static void call_update(struct fuzz_input *input, struct model *model)
{
    size_t size;
    uint8_t *bytes = fuzz_bytes(input, 200, &size);

    if (model->length + size <= MAX_MESSAGE) {
        const psa_status_t status = psa_hash_update(&model->operation, bytes, size);
        FUZZ_CHECK(says(model, HASH_UPDATE, status, PSA_SUCCESS));
        fuzz_append(status, bytes, size, model->message, &model->length);
    }
    free(bytes);
}

static size_t expected(const struct model *model, uint8_t hash[PSA_HASH_MAX_SIZE])
{
    size_t n;

    FUZZ_CHECK(psa_hash_compute(model->alg, model->message, model->length, hash, PSA_HASH_MAX_SIZE,
                                &n) == PSA_SUCCESS);
    return n;
}

static void call_finish(struct fuzz_input *input, struct model *model)
{
    const size_t size = fuzz_below(input, 80);
    uint8_t *output = fuzz_room(size);
    uint8_t wanted[PSA_HASH_MAX_SIZE];
    size_t n = 7;
    const psa_status_t status = psa_hash_finish(&model->operation, output, size, &n);

    FUZZ_CHECK(says(model, HASH_FINISH, status,
                    size < PSA_HASH_LENGTH(model->alg) ? PSA_ERROR_BUFFER_TOO_SMALL : PSA_SUCCESS));
    if (status == PSA_SUCCESS) {
        FUZZ_CHECK(n == expected(model, wanted) && memcmp(output, wanted, n) == 0);
    } else {
        FUZZ_CHECK(n == 0);
    }
    free(output);
}

static void call_verify(struct fuzz_input *input, struct model *model)
{
    uint8_t wanted[PSA_HASH_MAX_SIZE + 1] = {0};
    const unsigned flaw = fuzz_below(input, 3);
    const size_t length = model->state == HASH_ACTIVE ? expected(model, wanted) : 32;
    const unsigned place = fuzz_below(input, 64);

    wanted[place] ^= flaw == 1 ? 1 : 0;
    const bool is_right = flaw == 0 || (flaw == 1 && place >= length);
    const psa_status_t status =
        psa_hash_verify(&model->operation, wanted, length - (flaw == 2 ? 1 : 0));
    FUZZ_CHECK(
        says(model, HASH_VERIFY, status, is_right ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE));
}

static void call_clone(struct model *source, struct model *target)
{
    const psa_status_t status = psa_hash_clone(&source->operation, &target->operation);
    const psa_status_t of_source =
        machine_status(&hash_machine, source->state, HASH_CLONE, PSA_SUCCESS);

    FUZZ_CHECK(says(target, HASH_CLONE_INTO, status, of_source));
    if (status == PSA_SUCCESS) {
        target->alg = source->alg;
        target->length = source->length;
        memcpy(target->message, source->message, source->length);
    }
}

/* Suspend, damage the state perhaps, and resume: never more than a wrong digest or a refusal. */
static void call_suspend(struct fuzz_input *input, struct model *model)
{
    const size_t room = fuzz_below(input, 255);
    uint8_t *state = fuzz_room(room);
    const bool is_damaged = fuzz_below(input, 2) == 1;
    size_t n = 7;
    const psa_status_t status = psa_hash_suspend(&model->operation, state, room, &n);

    FUZZ_CHECK(says(model, HASH_SUSPEND, status,
                    status == PSA_SUCCESS ? PSA_SUCCESS : PSA_ERROR_BUFFER_TOO_SMALL));
    if (status != PSA_SUCCESS) {
        FUZZ_CHECK(n == 0);
    } else if (is_damaged) {
        psa_hash_operation_t resumed = PSA_HASH_OPERATION_INIT;
        FUZZ_CHECK(n <= room && n >= 4);
        fuzz_change(input, state, n);
        if (psa_hash_resume(&resumed, state, n) == PSA_SUCCESS) {
            (void)psa_hash_update(&resumed, state, n);
        }
        FUZZ_CHECK(psa_hash_abort(&resumed) == PSA_SUCCESS);
    } else {
        FUZZ_CHECK(n <= room && n >= 4);
        FUZZ_CHECK(
            says(model, HASH_RESUME, psa_hash_resume(&model->operation, state, n), PSA_SUCCESS));
    }
    free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};

    memset(models, 0, sizeof models);
    while (input.size > 0) {
        struct model *model = &models[fuzz_below(&input, OBJECTS)];
        switch (fuzz_below(&input, 7)) {
        case 0:
            call_setup(&input, model);
            break;
        case 1:
            call_finish(&input, model);
            break;
        case 2:
            call_verify(&input, model);
            break;
        case 3:
            call_clone(model, &models[model == &models[0] ? 1 : 0]);
            break;
        case 4:
            call_suspend(&input, model);
            break;
        case 5:
            FUZZ_CHECK(psa_hash_abort(&model->operation) == PSA_SUCCESS);
            model->state = MACHINE_INACTIVE;
            break;
        default:
            call_update(&input, model);
            break;
        }
    }
    for (unsigned i = 0; i < OBJECTS; i++) {
        FUZZ_CHECK(psa_hash_abort(&models[i].operation) == PSA_SUCCESS);
    }
    return 0;
}
