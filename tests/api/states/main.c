/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hashes of one message that are suspended here and resumed elsewhere. Without arguments: the state
 * of each hash after each of some bytes. With states: the hashes that they end in.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <psa/crypto.h>

#define MESSAGE_SIZE 300u
#define STATE_SIZE PSA_HASH_SUSPEND_OUTPUT_SIZE(PSA_ALG_SHA_512)

static const psa_algorithm_t algorithms[] = {PSA_ALG_MD5,     PSA_ALG_SHA_1,   PSA_ALG_SHA_224,
                                             PSA_ALG_SHA_256, PSA_ALG_SHA_384, PSA_ALG_SHA_512};
static const size_t splits[] = {0, 1, 63, 64, 65, 127, 128, 129, 200, 256, 300};

static uint8_t message[MESSAGE_SIZE];

static void check(psa_status_t status)
{
    if (status != PSA_SUCCESS) {
        (void)printf("status %ld\n", (long)status);
        exit(EXIT_FAILURE);
    }
}

static void show(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        (void)printf("%02x", data[i]);
    }
    (void)printf("\n");
}

static void suspend(psa_algorithm_t alg, size_t split)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    uint8_t state[STATE_SIZE];
    size_t length;

    check(psa_hash_setup(&operation, alg));
    check(psa_hash_update(&operation, message, split));
    check(psa_hash_suspend(&operation, state, sizeof state, &length));
    show(state, length);
}

static size_t read_hex(const char *text, uint8_t state[STATE_SIZE])
{
    size_t length = 0;

    for (; length < STATE_SIZE && text[2 * length] != '\0'; length++) {
        const char pair[] = {text[2 * length], text[2 * length + 1], '\0'};
        state[length] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return length;
}

/* Behind the algorithm a state says in its length how much of the message it has seen. */
static void resume(const char *text)
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    uint8_t state[STATE_SIZE];
    uint8_t hash[PSA_HASH_MAX_SIZE];
    const size_t length = read_hex(text, state);
    const psa_algorithm_t alg = 0x02000000u | state[3];
    const size_t field = 4 + PSA_HASH_SUSPEND_INPUT_LENGTH_FIELD_LENGTH(alg);
    const size_t split = (size_t)state[field - 2] << 8 | state[field - 1];
    size_t n;

    check(psa_hash_resume(&operation, state, length));
    check(psa_hash_update(&operation, message + split, sizeof message - split));
    check(psa_hash_finish(&operation, hash, sizeof hash, &n));
    show(hash, n);
}

int main(int count, char *arguments[])
{
    for (size_t i = 0; i < sizeof message; i++) {
        message[i] = (uint8_t)(7 * i);
    }
    for (int i = 1; i < count; i++) {
        resume(arguments[i]);
    }
    for (size_t i = 0; count == 1 && i < sizeof algorithms / sizeof algorithms[0]; i++) {
        for (size_t j = 0; j < sizeof splits / sizeof splits[0]; j++) {
            suspend(algorithms[i], splits[j]);
        }
    }
    return EXIT_SUCCESS;
}
