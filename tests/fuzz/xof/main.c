/* SPDX-License-Identifier: Apache-2.0 */
/* Random sequences of XOF calls, against a model that keeps message, state and how far it is. */
#include "../../harness/machines/xof.h"
#include "../common/fuzz.h"

#define OBJECTS 2u
#define MAX_MESSAGE 1024u
#define MAX_OUTPUT 1024u

struct model {
    psa_xof_operation_t operation;
    unsigned state;
    psa_algorithm_t alg;
    size_t length;
    size_t squeezed;
    uint8_t message[MAX_MESSAGE];
};

static const psa_algorithm_t algs[] = {PSA_ALG_SHAKE128, PSA_ALG_SHAKE256, PSA_ALG_ASCON_XOF128,
                                       PSA_ALG_ASCON_CXOF128, PSA_ALG_SHA_256};

static struct model models[OBJECTS];

/* Whether a call said what it must, which is `otherwise` where it is in its place. */
static bool says(struct model *model, enum xof_call call, psa_status_t status,
                 psa_status_t otherwise)
{
    return machine_moves(&xof_machine, &model->state, call, status, otherwise);
}

static void call_setup(struct fuzz_input *input, struct model *model)
{
    const unsigned choice = fuzz_below(input, sizeof algs / sizeof algs[0]);
    const psa_status_t status = psa_xof_setup(&model->operation, algs[choice]);

    FUZZ_CHECK(says(model, XOF_SETUP, status,
                    choice < 2   ? PSA_SUCCESS
                    : choice < 4 ? PSA_ERROR_NOT_SUPPORTED
                                 : PSA_ERROR_INVALID_ARGUMENT));
    if (status == PSA_SUCCESS) {
        model->alg = algs[choice];
        model->length = 0;
        model->squeezed = 0;
    }
}

/* The output of a separate operation for the whole message, `end` bytes of it. */
static void expect(const struct model *model, uint8_t *output, size_t end)
{
    psa_xof_operation_t operation = PSA_XOF_OPERATION_INIT;

    FUZZ_CHECK(psa_xof_setup(&operation, model->alg) == PSA_SUCCESS);
    FUZZ_CHECK(psa_xof_update(&operation, model->message, model->length) == PSA_SUCCESS);
    FUZZ_CHECK(psa_xof_output(&operation, output, end) == PSA_SUCCESS);
    FUZZ_CHECK(psa_xof_abort(&operation) == PSA_SUCCESS);
}

static void call_update(struct fuzz_input *input, struct model *model)
{
    size_t size;
    uint8_t *bytes = fuzz_bytes(input, 200, &size);

    if (size <= MAX_MESSAGE - model->length) {
        const psa_status_t status = psa_xof_update(&model->operation, bytes, size);
        FUZZ_CHECK(says(model, XOF_UPDATE, status, PSA_SUCCESS));
        fuzz_append(status, bytes, size, model->message, &model->length);
    }
    free(bytes);
}

static void call_output(struct fuzz_input *input, struct model *model)
{
    const size_t size = fuzz_below(input, 256);
    uint8_t *output = fuzz_room(size);
    uint8_t wanted[MAX_OUTPUT];

    if (model->squeezed + size <= MAX_OUTPUT) {
        const psa_status_t status = psa_xof_output(&model->operation, output, size);
        FUZZ_CHECK(says(model, XOF_OUTPUT, status, PSA_SUCCESS));
        if (status == PSA_SUCCESS) {
            expect(model, wanted, model->squeezed + size);
            FUZZ_CHECK(memcmp(output, wanted + model->squeezed, size) == 0);
            model->squeezed += size;
        }
    }
    free(output);
}

/* Neither algorithm of this build has a context. */
static void call_context(struct fuzz_input *input, struct model *model)
{
    size_t size;
    uint8_t *bytes = fuzz_bytes(input, 20, &size);
    const psa_status_t status = psa_xof_set_context(&model->operation, bytes, size);

    FUZZ_CHECK(says(model, XOF_SET_CONTEXT, status, PSA_ERROR_INVALID_ARGUMENT));
    free(bytes);
}

static void call_abort(struct model *model)
{
    static const psa_xof_operation_t inactive = PSA_XOF_OPERATION_INIT;

    FUZZ_CHECK(psa_xof_abort(&model->operation) == PSA_SUCCESS);
    FUZZ_CHECK(memcmp(&model->operation, &inactive, sizeof inactive) == 0);
    model->state = MACHINE_INACTIVE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};

    memset(models, 0, sizeof models);
    while (input.size > 0) {
        const unsigned choice = fuzz_byte(&input);
        struct model *model = &models[choice >> 7];
        switch (choice % 8) {
        case 0:
        case 1:
            call_setup(&input, model);
            break;
        case 2:
        case 3:
            call_update(&input, model);
            break;
        case 4:
        case 5:
            call_output(&input, model);
            break;
        case 6:
            call_context(&input, model);
            break;
        default:
            call_abort(model);
            break;
        }
    }
    for (unsigned i = 0; i < OBJECTS; i++) {
        call_abort(&models[i]);
    }
    return 0;
}
