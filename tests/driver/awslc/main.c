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
#define EXPANDED 64u
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

#define ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)

static const struct curve {
    psa_ecc_family_t family;
    size_t bits;
    psa_algorithm_t alg; /* of signatures, if it has any */
    bool agrees;
    bool has_heap;
} curves[] = {
    {PSA_ECC_FAMILY_SECP_R1, 224, ECDSA, true, true},
    {PSA_ECC_FAMILY_SECP_R1, 256, ECDSA, true, true},
    {PSA_ECC_FAMILY_SECP_R1, 384, ECDSA, true, true},
    {PSA_ECC_FAMILY_SECP_R1, 521, ECDSA, true, true},
    {PSA_ECC_FAMILY_MONTGOMERY, 255, PSA_ALG_NONE, true, false},
    {PSA_ECC_FAMILY_TWISTED_EDWARDS, 255, PSA_ALG_PURE_EDDSA, false, false},
    {PSA_ECC_FAMILY_TWISTED_EDWARDS, 255, PSA_ALG_ED25519PH, false, false},
};
#define CURVES (sizeof curves / sizeof curves[0])

/* One curve's keys, and the inputs and outputs of calls. */
static struct {
    const struct curve *curve;
    uint8_t private[KEY_MAX];
    size_t size;
    uint8_t expanded[EXPANDED]; /* the seed, as Ed25519 does it */
    uint8_t point[POINT_MAX];
    size_t point_size;
    psa_key_id_t pair;
    psa_key_id_t verifier;
    psa_key_id_t imported; /* without the public key behind it */
    uint8_t message[32];
    uint8_t signature[2 * KEY_MAX];
    size_t signature_size;
    uint8_t secret[KEY_MAX];
    size_t secret_size;
    psa_key_id_t made;
} on;

static psa_key_type_t pair_type(void)
{
    return PSA_KEY_TYPE_ECC_KEY_PAIR(on.curve->family);
}

static psa_key_type_t public_type(void)
{
    return PSA_KEY_TYPE_ECC_PUBLIC_KEY(on.curve->family);
}

static bool can_sign(void)
{
    return on.curve->alg != PSA_ALG_NONE;
}

static psa_status_t sign(void)
{
    return psa_sign_message(on.pair, on.curve->alg, on.message, sizeof on.message, on.signature,
                            sizeof on.signature, &on.signature_size);
}

static void begin(const struct curve *curve)
{
    const psa_key_usage_t signing = PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_EXPORT;
    const psa_key_usage_t agreeing = PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_EXPORT;
    size_t size;

    memset(&on, 0, sizeof on);
    on.curve = curve;
    on.pair = can_sign() ? test_generate(pair_type(), curve->bits, curve->alg, signing)
                         : test_generate(pair_type(), curve->bits, PSA_ALG_ECDH, agreeing);
    NEED(psa_export_key(on.pair, on.private, sizeof on.private, &on.size));
    NEED(psa_hash_compute(PSA_ALG_SHA_512, on.private, on.size, on.expanded, sizeof on.expanded,
                          &size));
    NEED(psa_export_public_key(on.pair, on.point, sizeof on.point, &on.point_size));
    test_fill(on.message, sizeof on.message, 1);
    if (can_sign()) {
        on.verifier = test_import(public_type(), curve->alg, PSA_KEY_USAGE_VERIFY_MESSAGE, on.point,
                                  on.point_size);
        NEED(sign());
    }
    on.imported = test_import(pair_type(), curve->agrees ? PSA_ALG_ECDH : curve->alg,
                              PSA_KEY_USAGE_DERIVE, on.private, on.size);
}

static psa_status_t import(psa_key_type_t type, const uint8_t *data, size_t size)
{
    const psa_key_attributes_t attributes =
        test_attributes(type, on.curve->bits, on.curve->alg, PSA_KEY_USAGE_EXPORT);

    return psa_import_key(&attributes, data, size, &on.made);
}

static psa_status_t import_pair(void)
{
    return import(pair_type(), on.private, on.size);
}

static psa_status_t import_public(void)
{
    return import(public_type(), on.point, on.point_size);
}

static psa_status_t generate(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(pair_type(), on.curve->bits, on.curve->alg, PSA_KEY_USAGE_EXPORT);

    return psa_generate_key(&attributes, &on.made);
}

static psa_status_t export_public(void)
{
    uint8_t point[POINT_MAX];
    size_t size;

    return psa_export_public_key(on.imported, point, sizeof point, &size);
}

static psa_status_t verify(void)
{
    return psa_verify_message(on.verifier, on.curve->alg, on.message, sizeof on.message,
                              on.signature, on.signature_size);
}

static psa_status_t agree(void)
{
    return psa_raw_key_agreement(PSA_ALG_ECDH, on.imported, on.point, on.point_size, on.secret,
                                 sizeof on.secret, &on.secret_size);
}

static bool can_agree(void)
{
    return on.curve->agrees;
}

static bool draws_nonces(void)
{
    return PSA_ALG_IS_ECDSA(on.curve->alg);
}

static bool always(void)
{
    return true;
}

static bool never(void)
{
    return false;
}

/* Only an import on these curves computes anything. */
static bool has_heap(void)
{
    return on.curve->has_heap;
}

static const struct {
    const char *name;
    psa_status_t (*run)(void);
    bool (*is_there)(void); /* for the curve */
    bool (*draws)(void);
    bool (*wipes)(void);
} calls[] = {
    {"import of a pair", import_pair, always, never, has_heap},
    {"import of a public key", import_public, always, never, never},
    {"generate", generate, always, always, always},
    {"export of a public key", export_public, always, never, always},
    {"sign", sign, can_sign, draws_nonces, always},
    {"verify", verify, can_sign, never, never},
    {"agree", agree, can_agree, never, always},
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

/* Each call on each curve that has it. */
static void for_each(void (*check)(size_t call))
{
    for (size_t i = 0; i < CALLS * CURVES; i++) {
        const size_t call = i % CALLS;

        begin(&curves[i / CALLS]);
        test_context(calls[call].name, i / CALLS);
        if (calls[call].is_there()) {
            check(call);
        }
        test_destroy_keys();
    }
}

static void check_heap(size_t call)
{
    failing = 0;
    EXPECT(PSA_SUCCESS, run(call));
    const unsigned clean = blocks;
    CHECK((clean > 0) == has_heap());
    for (unsigned nth = 1; nth <= clean; nth++) {
        failing = nth;
        EXPECT(PSA_ERROR_INSUFFICIENT_MEMORY, run(call));
    }
    failing = 0;
    EXPECT(PSA_SUCCESS, run(call));
}

static void heap_that_is_exhausted_at_any_call__fails_and_leaks_nothing(void)
{
    for_each(check_heap);
}

static void check_random(size_t call)
{
    is_without_random = true;
    EXPECT(calls[call].draws() ? PSA_ERROR_HARDWARE_FAILURE : PSA_SUCCESS, run(call));
    is_without_random = false;
    EXPECT(PSA_SUCCESS, run(call));
}

static void generator_that_fails__fails_what_draws_and_nothing_else(void)
{
    for_each(check_random);
}

static void key_of_x25519__is_stored_with_the_bits_that_it_forces(void)
{
    static const struct {
        uint8_t all, first, last;
    } rows[] = {{0xff, 0xf8, 0x7f}, {0x00, 0x00, 0x40}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t key[32];
        uint8_t exported[32];
        size_t size;

        memset(key, rows[i].all, sizeof key);
        const psa_key_id_t id = test_import(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY),
                                            PSA_ALG_ECDH, PSA_KEY_USAGE_EXPORT, key, sizeof key);
        key[0] = rows[i].first;
        key[sizeof key - 1] = rows[i].last;
        EXPECT(PSA_SUCCESS, psa_export_key(id, exported, sizeof exported, &size));
        CHECK_BYTES(exported, size, key, sizeof key);
    }
}

static void peer_of_small_order__is_refused(void)
{
    const psa_key_id_t key = test_generate(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY),
                                           255, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE);

    for (uint8_t u = 0; u < 2; u++) {
        const uint8_t peer[32] = {u};
        uint8_t secret[32];
        size_t size;

        EXPECT(PSA_ERROR_INVALID_ARGUMENT,
               psa_raw_key_agreement(PSA_ALG_ECDH, key, peer, sizeof peer, secret, sizeof secret,
                                     &size));
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

static void check_stack(size_t call)
{
    static uint8_t stack[STACK];

    drawn_size = 0;
    paint();
    EXPECT(PSA_SUCCESS, run(call));
    copy(stack);
    CHECK(!calls[call].wipes() || is_wiped(stack));
    CHECK(!has_word_of(stack, on.private, on.size));
    CHECK(!has_word_of(stack, on.expanded, sizeof on.expanded));
    CHECK(!has_word_of(stack, on.secret, on.secret_size));
    CHECK(!has_word_of(stack, drawn, drawn_size));
}

static void calls__leave_no_secret_on_the_stack(void)
{
    for_each(check_stack);
}
#endif

static const struct test_case tests[] = {
    TEST(heap_that_is_exhausted_at_any_call__fails_and_leaks_nothing),
    TEST(generator_that_fails__fails_what_draws_and_nothing_else),
    TEST(key_of_x25519__is_stored_with_the_bits_that_it_forces),
    TEST(peer_of_small_order__is_refused),
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
