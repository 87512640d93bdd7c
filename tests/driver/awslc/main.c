/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The linker leads malloc(), free() and corral_random() here (--wrap), so that each fails when a
 * test says so, blocks can be looked at when they are freed, and nonces are known.
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include <corral/driver.h>

#include "../../harness/harness.h"

#define KEY_MAX 66u
#define POINT_MAX 133u
#define HEAD 16u /* of a block, with its size */
#define STACK 65536u
#define DRAWN_MAX 72u
#define WORD 8u
#define PAINT 0x5a
/* A wiper's zeros begin above what it calls, and there are as many at least. */
#define ABOVE 256u
#define ZEROS 512u

void *__real_malloc(size_t size);
void __real_free(void *block);
psa_status_t __real_corral_random(uint8_t *output, size_t size);
void *__wrap_malloc(size_t size);
void __wrap_free(void *block);
psa_status_t __wrap_corral_random(uint8_t *output, size_t size);

static bool is_watching;
static unsigned blocks;  /* asked for */
static unsigned failing; /* which of them there is none for; 0: all are there */
static unsigned in_use;
static unsigned unwiped;
static bool is_without_random;
static uint8_t drawn[DRAWN_MAX];
static size_t drawn_size;

void *__wrap_malloc(size_t size)
{
    void *const block = is_watching && ++blocks == failing ? NULL : __real_malloc(size);

    if (is_watching && block != NULL) {
        memset(block, 0, malloc_usable_size(block)); /* so what is left is the library's */
        in_use++;
    }
    return block;
}

void __wrap_free(void *block)
{
    if (is_watching && block != NULL) {
        in_use--;
        unwiped += !test_all((uint8_t *)block + HEAD, malloc_usable_size(block) - HEAD, 0);
    }
    __real_free(block);
}

psa_status_t __wrap_corral_random(uint8_t *output, size_t size)
{
    if (is_without_random) {
        memset(output, 1, size); /* which would do as a nonce */
        return PSA_ERROR_HARDWARE_FAILURE;
    }
    const psa_status_t status = __real_corral_random(output, size);
    drawn_size = size < sizeof drawn ? size : sizeof drawn;
    memcpy(drawn, output, drawn_size);
    return status;
}

static const size_t curves[] = {224, 256, 384, 521};
#define CURVES (sizeof curves / sizeof curves[0])

#define PAIR PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define PUBLIC PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define ALG PSA_ALG_ECDSA(PSA_ALG_SHA_256)

/* One curve's keys, and the inputs and outputs of calls. */
static struct {
    size_t bits;
    uint8_t private[KEY_MAX];
    size_t size;
    uint8_t point[POINT_MAX];
    size_t point_size;
    psa_key_id_t signer;
    psa_key_id_t verifier;
    psa_key_id_t agreer;
    uint8_t hash[32];
    uint8_t signature[2 * KEY_MAX];
    size_t signature_size;
    psa_key_id_t made;
} on;

static void begin(size_t bits)
{
    memset(&on, 0, sizeof on);
    on.bits = bits;
    on.signer = test_generate(PAIR, bits, ALG, PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_EXPORT);
    NEED(psa_export_key(on.signer, on.private, sizeof on.private, &on.size));
    NEED(psa_export_public_key(on.signer, on.point, sizeof on.point, &on.point_size));
    on.verifier = test_import(PUBLIC, ALG, PSA_KEY_USAGE_VERIFY_HASH, on.point, on.point_size);
    on.agreer = test_import(PAIR, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE, on.private, on.size);
    test_fill(on.hash, sizeof on.hash, 1);
    NEED(psa_sign_hash(on.signer, ALG, on.hash, sizeof on.hash, on.signature, sizeof on.signature,
                       &on.signature_size));
}

static void end(void)
{
    test_destroy_keys();
}

static psa_status_t import(psa_key_type_t type, const uint8_t *data, size_t size)
{
    const psa_key_attributes_t attributes =
        test_attributes(type, on.bits, ALG, PSA_KEY_USAGE_EXPORT);

    return psa_import_key(&attributes, data, size, &on.made);
}

static psa_status_t import_pair(void)
{
    return import(PAIR, on.private, on.size);
}

static psa_status_t import_public(void)
{
    return import(PUBLIC, on.point, on.point_size);
}

static psa_status_t generate(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PAIR, on.bits, ALG, PSA_KEY_USAGE_SIGN_HASH);

    return psa_generate_key(&attributes, &on.made);
}

static psa_status_t export_public(void)
{
    uint8_t point[POINT_MAX];
    size_t size;

    return psa_export_public_key(on.agreer, point, sizeof point, &size);
}

static psa_status_t sign(void)
{
    uint8_t signature[2 * KEY_MAX];
    size_t size;

    return psa_sign_hash(on.signer, ALG, on.hash, sizeof on.hash, signature, sizeof signature,
                         &size);
}

static psa_status_t verify(void)
{
    return psa_verify_hash(on.verifier, ALG, on.hash, sizeof on.hash, on.signature,
                           on.signature_size);
}

static psa_status_t agree(void)
{
    uint8_t secret[KEY_MAX];
    size_t size;

    const psa_status_t status = psa_raw_key_agreement(PSA_ALG_ECDH, on.agreer, on.point,
                                                      on.point_size, secret, sizeof secret, &size);
    memset(secret, 0, sizeof secret);
    return status;
}

static const struct {
    const char *name;
    psa_status_t (*run)(void);
    bool draws;
    bool wipes;
} calls[] = {
    {"import of a pair", import_pair, false, true},
    {"import of a public key", import_public, false, false},
    {"generate", generate, true, true},
    {"export of a public key", export_public, false, true},
    {"sign", sign, true, true},
    {"verify", verify, false, false},
    {"agree", agree, false, true},
};
#define CALLS (sizeof calls / sizeof calls[0])

static psa_status_t run(size_t call)
{
    blocks = in_use = unwiped = 0;
    on.made = PSA_KEY_ID_NULL;
    is_watching = true;
    const psa_status_t status = calls[call].run();
    is_watching = false;
    CHECK(in_use == 0);
    CHECK(unwiped == 0);
    if (on.made != PSA_KEY_ID_NULL) {
        NEED(psa_destroy_key(on.made));
    }
    return status;
}

static void heap_that_is_exhausted_at_any_call__fails_and_leaks_nothing(void)
{
    for (size_t i = 0; i < CALLS * CURVES; i++) {
        const size_t call = i % CALLS;

        begin(curves[i / CALLS]);
        test_context(calls[call].name, on.bits);
        failing = 0;
        EXPECT(PSA_SUCCESS, run(call));
        const unsigned clean = blocks;
        CHECK(clean > 0);
        for (unsigned nth = 1; nth <= clean; nth++) {
            failing = nth;
            EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, run(call));
        }
        failing = 0;
        EXPECT(PSA_SUCCESS, run(call));
        end();
    }
}

static void generator_that_fails__fails_what_draws_and_nothing_else(void)
{
    for (size_t i = 0; i < CALLS * CURVES; i++) {
        const size_t call = i % CALLS;

        begin(curves[i / CALLS]);
        test_context(calls[call].name, on.bits);
        is_without_random = true;
        EXPECT(calls[call].draws ? PSA_ERROR_HARDWARE_FAILURE : PSA_SUCCESS, run(call));
        is_without_random = false;
        EXPECT(PSA_SUCCESS, run(call));
        end();
    }
}

#if !defined(__SANITIZE_ADDRESS__)
/* The stack below a caller, from its lowest address. */
#define LOWEST ((volatile uint8_t *)__builtin_frame_address(0) - STACK)

__attribute__((noinline)) static void paint(void)
{
    volatile uint8_t *const lowest = LOWEST;

    for (size_t i = 0; i < STACK - 256; i++) {
        lowest[i] = PAINT;
    }
}

__attribute__((noinline)) static void copy(uint8_t *stack)
{
    const volatile uint8_t *const lowest = LOWEST;

    for (size_t i = 0; i < STACK; i++) {
        stack[i] = lowest[i];
    }
}

/* Whether a word of a secret is there, in the order of the bytes or as the library has it. */
static bool has_word_of(const uint8_t *stack, const uint8_t *secret, size_t size)
{
    bool has = false;

    for (size_t at = 0; at + WORD <= size; at++) {
        uint8_t reversed[WORD];

        for (size_t i = 0; i < WORD; i++) {
            reversed[i] = secret[at + WORD - 1 - i];
        }
        for (size_t i = 0; i + WORD <= STACK; i++) {
            has = has || (stack[i] == secret[at] && memcmp(stack + i, secret + at, WORD) == 0) ||
                  (stack[i] == reversed[0] && memcmp(stack + i, reversed, WORD) == 0);
        }
    }
    return has;
}

/* Whether the deepest that was used is a wiper's. */
static bool is_wiped(const uint8_t *stack)
{
    size_t lowest = 0;

    while (lowest < STACK && stack[lowest] == PAINT) {
        lowest++;
    }
    return lowest < STACK - ABOVE - ZEROS && test_all(stack + lowest + ABOVE, ZEROS, 0);
}

static void calls__leave_no_secret_on_the_stack(void)
{
    static uint8_t stack[STACK];

    for (size_t i = 0; i < CALLS * CURVES; i++) {
        const size_t call = i % CALLS;

        begin(curves[i / CALLS]);
        test_context(calls[call].name, on.bits);
        drawn_size = 0;
        paint();
        EXPECT(PSA_SUCCESS, run(call));
        copy(stack);
        CHECK(!calls[call].wipes || is_wiped(stack));
        CHECK(!has_word_of(stack, on.private, on.size));
        CHECK(!has_word_of(stack, drawn, drawn_size));
        end();
    }
}
#endif

static const struct test_case tests[] = {
    TEST(heap_that_is_exhausted_at_any_call__fails_and_leaks_nothing),
    TEST(generator_that_fails__fails_what_draws_and_nothing_else),
#if !defined(__SANITIZE_ADDRESS__)
    TEST(calls__leave_no_secret_on_the_stack),
#endif
};
static TEST_SUITE(awslc, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_awslc};

    return test_initialise_and_run(suites, 1);
}
