/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages that no client of ours sends: any function, words, pointers and lengths. Sanitizers
 * judge what the trusted side reads; the rest is looked at here.
 */
#include <string.h>

#include "../../wall/trusted/run.h"
#include "../../wall/trusted/serve.h"
#include "../harness/material.h"
#include "arena.h"

#define ROUNDS 20000u

static uint32_t state = 2463534242u;

/* xorshift32 (Marsaglia). */
static uint32_t any(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static uint32_t below(uint32_t bound)
{
    return any() % bound;
}

/* Returned handles and identifiers of keys, which are sent again. */
static uint32_t seen[64];

static uint32_t any_word(void)
{
    static const uint32_t known[] = {
        PSA_ALG_SHA_256,
        PSA_ALG_HMAC(PSA_ALG_SHA_256),
        PSA_ALG_CBC_PKCS7,
        PSA_ALG_SHAKE128,
        PSA_ALG_HKDF(PSA_ALG_SHA_256),
        PSA_ALG_PBKDF2_HMAC(PSA_ALG_SHA_256),
        PSA_ALG_ECDSA(PSA_ALG_SHA_256),
        PSA_ALG_ECDH,
        PSA_ALG_KW,
        PSA_KEY_DERIVATION_INPUT_SECRET,
        PSA_KEY_DERIVATION_INPUT_PASSWORD,
        PSA_KEY_DERIVATION_INPUT_SALT,
        PSA_KEY_DERIVATION_INPUT_COST,
    };

    switch (below(5)) {
    case 0:
        return seen[below(64)];
    case 1:
        return known[below(sizeof known / sizeof known[0])];
    case 2:
        return below(0x300);
    case 3:
        return any();
    default:
        return 0;
    }
}

static size_t any_length(void)
{
    switch (below(8)) {
    case 0:
        return 0;
    case 1:
        return (size_t)any() << below(32);
    case 2:
        return sizeof(psa_key_attributes_t);
    default:
        return below(130);
    }
}

static uintptr_t any_place(void)
{
    const uintptr_t inside = (uintptr_t)ARENA->buffers + below(ARENA_BUFFERS);

    switch (below(16)) {
    case 0:
        return (uintptr_t)ARENA - below(64);
    case 1:
        return (uintptr_t)(ARENA + 1) - below(64);
    case 2:
        return UINTPTR_MAX - below(256);
    default:
        return inside;
    }
}

/* Attributes with which a key can be created, wherever a structure may be read. */
static void scatter_attributes(void)
{
    psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_HMAC, below(2) * 256, PSA_ALG_HMAC(PSA_ALG_SHA_256),
                        PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_EXPORT);

    if (below(4) == 0) {
        attributes.algorithm = any_word();
        attributes.type = (psa_key_type_t)any_word();
    }
    memcpy(ARENA->buffers + below(ARENA_BUFFERS - sizeof attributes), &attributes,
           sizeof attributes);
    memcpy(ARENA->buffers, &attributes, sizeof attributes);
}

static void make_message(struct corral_wall_call *call)
{
    for (size_t i = 0; i < CORRAL_WALL_WORDS; i++) {
        call->reply.words[i] = any_word();
    }
    for (size_t i = 0; i < CORRAL_WALL_INPUTS; i++) {
        call->inputs[i].data = below(3) == 0 ? ARENA->buffers : (const void *)any_place();
        call->inputs[i].length = any_length();
    }
    for (size_t i = 0; i < CORRAL_WALL_OUTPUTS; i++) {
        call->outputs[i].data = (void *)any_place();
        call->outputs[i].size = any_length();
    }
    call->function = below(CORRAL_WALL_FUNCTIONS + 1);
}

static void messages__whatever_they_say__reach_nothing_else(void)
{
    struct corral_wall_call *const call = &ARENA->call;
    unsigned succeeded = 0;

    for (unsigned round = 0; round < ROUNDS; round++) {
        const corral_owner_t client = 2 + below(2);
        arena_enter(client);
        scatter_attributes();
        make_message(call);
        test_context("messages since the first", round);
        const bool gives = call->function < CORRAL_WALL_FUNCTIONS &&
                           corral_wall_shapes[call->function].outputs > 0;
        succeeded += corral_wall_serve(client, call) == PSA_SUCCESS && gives;
        for (size_t i = 0; i < 2; i++) {
            seen[below(64)] = call->reply.words[i];
        }
        if (!CHECK(arena_is_kept())) {
            break;
        }
        if (below(200) == 0) {
            arena_leave();
        }
    }
    test_context(NULL, 0);
    /* Not all of this went no further than the first check. */
    CHECK(succeeded > ROUNDS / 400);
    arena_leave();
}

static const struct test_case tests[] = {
    TEST(messages__whatever_they_say__reach_nothing_else),
};

TEST_SUITE(any_message, tests);
