/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random sequences of key derivation calls, against a model that counts bytes, and computes each
 * output again from the beginning.
 */
#include "../../harness/machines/derivation.h"
#include "../common/fuzz.h"

#define ALGS 5u
#define MAX_STEPS 16u
#define MAX_READ 600u

/* These of the table of derivations. */
static const unsigned chosen[ALGS] = {0, 5, 6, 3, 8};
struct given {
    unsigned step;
    bool is_key;
    uint64_t cost;
    size_t size;
    uint8_t bytes[80];
};

static struct {
    psa_key_derivation_operation_t operation;
    unsigned state;
    unsigned alg; /* in `chosen` */
    struct given given[MAX_STEPS];
    size_t count;
    size_t room; /* bytes that the operation keeps */
    size_t capacity;
    size_t first_capacity; /* when reading began */
    size_t read;
    bool gives_keys;
} model;

static struct machine_made table;
static psa_key_id_t keys[ALGS];

static const struct derivation *derivation(void)
{
    return &derivations[chosen[model.alg]];
}

/* Whether a call said what it must, which is `otherwise` where it is in its place. */
static bool says(unsigned call, psa_status_t status, psa_status_t otherwise)
{
    return machine_moves(&table.machine, &model.state, call, status, otherwise);
}

static psa_status_t give(psa_key_derivation_operation_t *operation, const struct given *given)
{
    const psa_key_derivation_step_t step = derivation_steps[given->step];

    if (given->cost != UINT64_MAX) {
        return psa_key_derivation_input_integer(operation, step, given->cost);
    }
    return given->is_key
               ? psa_key_derivation_input_key(operation, step, keys[model.alg])
               : psa_key_derivation_input_bytes(operation, step, given->bytes, given->size);
}

/* The status of an input in its place. */
static psa_status_t expected(const struct given *given)
{
    const char letter = derivation_letters[given->step];

    if (derivation_input(&table, given->step) == DERIVATION_FOREIGN ||
        (letter == 'c') != (given->cost != UINT64_MAX) || given->cost == 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (letter == 'c') {
        return PSA_SUCCESS;
    }
    if (given->is_key) {
        return letter == 'K' || letter == 'p' || letter == 'o' ? PSA_SUCCESS
                                                               : PSA_ERROR_INVALID_ARGUMENT;
    }
    if ((PSA_ALG_IS_TLS12_PSK_TO_MS(derivation()->alg) && letter == 'K' && given->size > 64) ||
        (derivation()->is_fixed && letter == 'l' && memchr(given->bytes, 0, given->size) != NULL)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return model.room + given->size > CORRAL_DERIVATION_INPUT_MAX_SIZE
               ? PSA_ERROR_INSUFFICIENT_MEMORY
               : PSA_SUCCESS;
}

static void call_input(struct fuzz_input *input)
{
    struct given given = {.cost = UINT64_MAX};

    given.step = fuzz_below(input, DERIVATION_STEPS);
    const unsigned kind = fuzz_below(input, 4);
    if (derivation_letters[given.step] == 'c' ? kind != 0 : kind == 0) {
        given.cost = fuzz_below(input, 4);
    } else if (kind == 1) {
        given.is_key = true;
    } else {
        uint8_t *bytes = fuzz_bytes(input, sizeof given.bytes, &given.size);
        memcpy(given.bytes, bytes, given.size);
        free(bytes);
    }
    if (model.count == MAX_STEPS) {
        return;
    }
    const unsigned call = derivation_input(&table, given.step);
    const psa_status_t status = give(&model.operation, &given);
    FUZZ_CHECK(says(call, status, expected(&given)));
    if (status == PSA_SUCCESS) {
        model.room += given.size;
        model.given[model.count++] = given;
        model.gives_keys =
            model.gives_keys || (given.is_key && derivation_letters[given.step] != 'o');
    }
}

static void call_setup(struct fuzz_input *input)
{
    const unsigned alg = fuzz_below(input, ALGS);
    const psa_status_t status =
        psa_key_derivation_setup(&model.operation, derivations[chosen[alg]].alg);

    FUZZ_CHECK(says(DERIVATION_SETUP, status, PSA_SUCCESS));
    if (status == PSA_SUCCESS) {
        psa_key_derivation_operation_t operation = model.operation;
        memset(&model, 0, sizeof model);
        model.operation = operation;
        model.state = DERIVATION_SET_UP;
        model.alg = alg;
        derivation_unfold(derivation(), &table);
        FUZZ_CHECK(psa_key_derivation_get_capacity(&operation, &model.capacity) == PSA_SUCCESS);
    }
}

static void call_set_capacity(struct fuzz_input *input)
{
    const size_t capacity = 2 * (size_t)fuzz_byte(input);
    const psa_status_t status = psa_key_derivation_set_capacity(&model.operation, capacity);

    FUZZ_CHECK(says(DERIVATION_SET_CAPACITY, status,
                    capacity > model.capacity ? PSA_ERROR_INVALID_ARGUMENT : PSA_SUCCESS));
    model.capacity = status == PSA_SUCCESS ? capacity : model.capacity;
}

/* The expected next bytes: by another operation with the same inputs, in one read. */
static void compute(uint8_t *output, size_t size)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    uint8_t whole[MAX_READ];

    FUZZ_CHECK(psa_key_derivation_setup(&operation, derivation()->alg) == PSA_SUCCESS);
    for (size_t i = 0; i < model.count; i++) {
        FUZZ_CHECK(give(&operation, &model.given[i]) == PSA_SUCCESS);
    }
    if (derivation()->is_fixed) {
        FUZZ_CHECK(psa_key_derivation_set_capacity(&operation, model.first_capacity) ==
                   PSA_SUCCESS);
    }
    FUZZ_CHECK(psa_key_derivation_output_bytes(&operation, whole, model.read + size) ==
               PSA_SUCCESS);
    FUZZ_CHECK(psa_key_derivation_abort(&operation) == PSA_SUCCESS);
    memcpy(output, whole + model.read, size);
}

/* The status of reading, of which the model keeps what is left, and in `wanted` what was read. */
static psa_status_t expected_read(size_t size, uint8_t *wanted)
{
    const unsigned before = model.state;
    const bool is_beyond = size > model.capacity;
    const unsigned call = is_beyond ? DERIVATION_READ_BEYOND : DERIVATION_READ;
    const psa_status_t status = machine_status(
        &table.machine, before, call, is_beyond ? PSA_ERROR_INSUFFICIENT_DATA : PSA_SUCCESS);

    model.state = machine_after(&table.machine, before, call, status);
    if (status == PSA_ERROR_INSUFFICIENT_DATA) {
        model.capacity = 0;
    } else if (status == PSA_SUCCESS) {
        model.first_capacity = before != DERIVATION_READING ? model.capacity : model.first_capacity;
        compute(wanted, size);
        model.read += size;
        model.capacity -= size;
    }
    return status;
}

static void call_output(struct fuzz_input *input)
{
    const size_t size = fuzz_below(input, 100);
    uint8_t *output = fuzz_room(size);
    uint8_t wanted[100];

    if (model.read + size <= MAX_READ) {
        const psa_status_t status = psa_key_derivation_output_bytes(&model.operation, output, size);
        FUZZ_CHECK(status == expected_read(size, wanted));
        FUZZ_CHECK(status != PSA_SUCCESS || memcmp(output, wanted, size) == 0);
    }
    free(output);
}

static void call_verify(struct fuzz_input *input)
{
    const size_t size = fuzz_below(input, 100);
    const bool is_forged = size > 0 && fuzz_below(input, 3) == 0;
    uint8_t wanted[100] = {0};

    if (model.read + size > MAX_READ) {
        return;
    }
    psa_key_derivation_operation_t operation = model.operation;
    psa_status_t status = expected_read(size, wanted);
    if (status == PSA_SUCCESS && is_forged) {
        wanted[fuzz_byte(input) % size] ^= 1;
        status = PSA_ERROR_INVALID_SIGNATURE;
        model.state = MACHINE_FAILED;
    }
    FUZZ_CHECK(psa_key_derivation_verify_bytes(&operation, wanted, size) == status);
    model.operation = operation;
}

static void call_output_key(struct fuzz_input *input)
{
    const size_t size = 1 + fuzz_below(input, 40);
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key = 1;
    uint8_t wanted[40];
    uint8_t data[40];
    size_t length;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_RAW_DATA);
    psa_set_key_bits(&attributes, 8 * size);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT);
    if (model.read + size > MAX_READ) {
        return;
    }
    psa_status_t status = psa_key_derivation_output_key(&attributes, &model.operation, &key);
    FUZZ_CHECK((status == PSA_SUCCESS) == (key != PSA_KEY_ID_NULL));
    if (status == PSA_ERROR_NOT_PERMITTED) {
        FUZZ_CHECK(says(DERIVATION_READ, status, status) && !model.gives_keys);
        return;
    }
    FUZZ_CHECK(status == expected_read(size, wanted));
    if (status == PSA_SUCCESS) {
        FUZZ_CHECK(model.gives_keys);
        FUZZ_CHECK(psa_export_key(key, data, sizeof data, &length) == PSA_SUCCESS);
        FUZZ_CHECK(length == size && memcmp(data, wanted, size) == 0);
        FUZZ_CHECK(psa_destroy_key(key) == PSA_SUCCESS);
    }
}

static void call_abort(struct fuzz_input *input)
{
    (void)input;
    FUZZ_CHECK(psa_key_derivation_abort(&model.operation) == PSA_SUCCESS);
    model.state = MACHINE_INACTIVE;
}

static const fuzz_action actions[12] = {call_abort,  call_setup,  call_setup,  call_set_capacity,
                                        call_output, call_output, call_verify, call_output_key,
                                        call_input,  call_input,  call_input,  call_input};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    memset(&model, 0, sizeof model);
    derivation_unfold(derivation(), &table);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_DERIVE);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_DERIVE);
    for (unsigned i = 0; i < ALGS; i++) {
        psa_set_key_algorithm(&attributes, derivations[chosen[i]].alg);
        FUZZ_CHECK(psa_import_key(&attributes, (const uint8_t *)"sixteen bytes ok", 16, &keys[i]) ==
                   PSA_SUCCESS);
    }
    while (input.size > 0) {
        size_t capacity;
        fuzz_act(&input, actions, 12);
        const psa_status_t status = psa_key_derivation_get_capacity(&model.operation, &capacity);
        FUZZ_CHECK(says(DERIVATION_GET_CAPACITY, status, PSA_SUCCESS));
        FUZZ_CHECK(status != PSA_SUCCESS || capacity == model.capacity);
    }
    call_abort(&input);
    for (unsigned i = 0; i < ALGS; i++) {
        FUZZ_CHECK(psa_destroy_key(keys[i]) == PSA_SUCCESS);
    }
    return 0;
}
