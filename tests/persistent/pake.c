/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key exchanges by password with a persistent key that is destroyed in between. Its identifier is
 * free again: another key under it is not the key that the operation was set up with.
 */
#include "device.h"

#define KEY 5u
#define SAE PSA_ALG_WPA3_SAE_FIXED(PSA_ALG_SHA_256)
#define SPAKE2P PSA_ALG_SPAKE2P_HMAC(PSA_ALG_SHA_256)
#define PAIR PSA_KEY_TYPE_SPAKE2P_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define PUBLIC PSA_KEY_TYPE_SPAKE2P_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1)
#define P256 PSA_PAKE_PRIMITIVE(PSA_PAKE_PRIMITIVE_TYPE_ECC, (uint32_t)PSA_ECC_FAMILY_SECP_R1, 256u)
#define PAIR_SIZE 64u
#define PUBLIC_SIZE 97u

static const struct corral_flash_geometry geometry = {4096, 4, 8, false};

/* The side with the stored key, the other one, and the last message. */
struct exchange {
    psa_pake_operation_t own;
    psa_pake_operation_t other;
    uint8_t message[128];
    size_t length;
};

/* A key that is stored in the place of the one that was destroyed. */
struct usurper {
    psa_key_type_t type;
    psa_algorithm_t alg;
    psa_key_usage_t usage;
    const uint8_t *data;
    size_t length;
};

static void store(const struct usurper *key)
{
    const psa_key_attributes_t attributes =
        device_attributes(KEY, key->type, 0, key->alg, key->usage);
    psa_key_id_t id;

    NEED(psa_import_key(&attributes, key->data, key->length, &id));
    CHECK(id == KEY);
}

static psa_pake_operation_t begin(psa_algorithm_t alg, psa_key_id_t key, psa_pake_role_t role,
                                  uint8_t mine, uint8_t peers)
{
    psa_pake_cipher_suite_t suite = psa_pake_cipher_suite_init();
    psa_pake_operation_t operation = psa_pake_operation_init();
    const uint8_t user[6] = {mine};
    const uint8_t peer[6] = {peers};

    psa_pake_cs_set_algorithm(&suite, alg);
    psa_pake_cs_set_primitive(&suite, P256);
    psa_pake_cs_set_key_confirmation(&suite, PSA_PAKE_CONFIRMED_KEY);
    NEED(psa_pake_setup(&operation, key, &suite));
    if (role != PSA_PAKE_ROLE_NONE) {
        NEED(psa_pake_set_role(&operation, role));
    }
    NEED(psa_pake_set_user(&operation, user, sizeof user));
    NEED(psa_pake_set_peer(&operation, peer, sizeof peer));
    return operation;
}

static psa_status_t give(struct exchange *exchange, psa_pake_operation_t *operation,
                         psa_pake_step_t step)
{
    return psa_pake_output(operation, step, exchange->message, sizeof exchange->message,
                           &exchange->length);
}

static psa_status_t take(const struct exchange *exchange, psa_pake_operation_t *operation,
                         psa_pake_step_t step)
{
    return psa_pake_input(operation, step, exchange->message, exchange->length);
}

static psa_status_t end(struct exchange *exchange)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_DERIVE, 0, PSA_ALG_NONE, PSA_KEY_USAGE_EXPORT);
    psa_key_id_t made;

    const psa_status_t status = psa_pake_get_shared_key(&exchange->own, &attributes, &made);
    CHECK((made == PSA_KEY_ID_NULL) == (status != PSA_SUCCESS));
    return status == PSA_SUCCESS ? psa_destroy_key(made) : status;
}

/* The calls of WPA3-SAE on our side, each with the other side's steps before it. */
#define SAE_CALLS 8u

static psa_status_t call_sae(struct exchange *exchange, unsigned call)
{
    static const uint8_t count[2] = {1};

    switch (call) {
    case 0:
        return give(exchange, &exchange->own, PSA_PAKE_STEP_COMMIT);
    case 1:
        NEED(take(exchange, &exchange->other, PSA_PAKE_STEP_COMMIT));
        NEED(give(exchange, &exchange->other, PSA_PAKE_STEP_COMMIT));
        return take(exchange, &exchange->own, PSA_PAKE_STEP_COMMIT);
    case 2:
        NEED(psa_pake_input(&exchange->other, PSA_PAKE_STEP_SALT, NULL, 0));
        return psa_pake_input(&exchange->own, PSA_PAKE_STEP_SALT, NULL, 0);
    case 3:
        return psa_pake_input(&exchange->own, PSA_PAKE_STEP_CONFIRM_COUNT, count, sizeof count);
    case 4:
        return give(exchange, &exchange->own, PSA_PAKE_STEP_CONFIRM);
    case 5:
        NEED(take(exchange, &exchange->other, PSA_PAKE_STEP_CONFIRM));
        NEED(psa_pake_input(&exchange->other, PSA_PAKE_STEP_CONFIRM_COUNT, count, sizeof count));
        NEED(give(exchange, &exchange->other, PSA_PAKE_STEP_CONFIRM));
        return take(exchange, &exchange->own, PSA_PAKE_STEP_CONFIRM);
    case 6:
        return give(exchange, &exchange->own, PSA_PAKE_STEP_KEY_ID);
    default:
        return end(exchange);
    }
}

/* Those of SPAKE2+ on the side of the client. */
#define SPAKE2P_CALLS 5u

static psa_status_t call_spake2p(struct exchange *exchange, unsigned call)
{
    switch (call) {
    case 0:
        return give(exchange, &exchange->own, PSA_PAKE_STEP_KEY_SHARE);
    case 1:
        NEED(take(exchange, &exchange->other, PSA_PAKE_STEP_KEY_SHARE));
        NEED(give(exchange, &exchange->other, PSA_PAKE_STEP_KEY_SHARE));
        return take(exchange, &exchange->own, PSA_PAKE_STEP_KEY_SHARE);
    case 2:
        NEED(give(exchange, &exchange->other, PSA_PAKE_STEP_CONFIRM));
        return take(exchange, &exchange->own, PSA_PAKE_STEP_CONFIRM);
    case 3:
        return give(exchange, &exchange->own, PSA_PAKE_STEP_CONFIRM);
    default:
        return end(exchange);
    }
}

/* Go through the calls; before one of them the key is destroyed and, unless NULL, replaced. */
static void interrupt(struct exchange *exchange, psa_status_t (*run)(struct exchange *, unsigned),
                      unsigned at, const struct usurper *usurper)
{
    for (unsigned call = 0; call < at; call++) {
        NEED(run(exchange, call));
    }
    NEED(psa_destroy_key(KEY));
    if (usurper != NULL) {
        store(usurper);
    }
    EXPECT(PSA_ERROR_BAD_STATE, run(exchange, at));
    EXPECT(PSA_ERROR_BAD_STATE, give(exchange, &exchange->own, PSA_PAKE_STEP_CONFIRM));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&exchange->own));
    EXPECT(PSA_SUCCESS, psa_pake_abort(&exchange->other));
    test_destroy_keys();
}

static const uint8_t secret[PAIR_SIZE] = {0x31, 0x32, 0x33, [32] = 0x41, 0x42, 0x43};

static const struct usurper password = {PSA_KEY_TYPE_PASSWORD, SAE, PSA_KEY_USAGE_DERIVE, secret,
                                        16};
static const struct usurper pair = {PAIR, SPAKE2P, PSA_KEY_USAGE_DERIVE, secret, PAIR_SIZE};

static struct exchange sae_exchange(void)
{
    struct exchange exchange = {.length = 0};

    device_fresh(&geometry);
    store(&password);
    const psa_key_id_t other =
        test_import(PSA_KEY_TYPE_PASSWORD, SAE, PSA_KEY_USAGE_DERIVE, secret, password.length);
    exchange.own = begin(SAE, KEY, PSA_PAKE_ROLE_NONE, 'c', 's');
    exchange.other = begin(SAE, other, PSA_PAKE_ROLE_NONE, 's', 'c');
    return exchange;
}

/* The public key is that of the pair, and knows as much of the password as a server does. */
static struct exchange spake2p_exchange(uint8_t public_key[PUBLIC_SIZE])
{
    struct exchange exchange = {.length = 0};
    size_t length;

    device_fresh(&geometry);
    store(&pair);
    NEED(psa_export_public_key(KEY, public_key, PUBLIC_SIZE, &length));
    const psa_key_id_t other =
        test_import(PUBLIC, SPAKE2P, PSA_KEY_USAGE_DERIVE, public_key, length);
    exchange.own = begin(SPAKE2P, KEY, PSA_PAKE_ROLE_CLIENT, 'c', 's');
    exchange.other = begin(SPAKE2P, other, PSA_PAKE_ROLE_SERVER, 's', 'c');
    return exchange;
}

static void exchange__key_that_stays__comes_to_its_end(void)
{
    uint8_t public_key[PUBLIC_SIZE];

    struct exchange exchange = sae_exchange();
    for (unsigned call = 0; call < SAE_CALLS; call++) {
        EXPECT(PSA_SUCCESS, call_sae(&exchange, call));
    }
    EXPECT(PSA_SUCCESS, psa_pake_abort(&exchange.other));
    exchange = spake2p_exchange(public_key);
    for (unsigned call = 0; call < SPAKE2P_CALLS; call++) {
        EXPECT(PSA_SUCCESS, call_spake2p(&exchange, call));
    }
    EXPECT(PSA_SUCCESS, psa_pake_abort(&exchange.other));
}

static void wpa3_sae__another_key_under_the_identifier__is_bad_state(void)
{
    const struct usurper usurpers[] = {
        password, /* the same once more */
        {PSA_KEY_TYPE_DERIVE, SAE, PSA_KEY_USAGE_DERIVE, secret, 16},
        {PAIR, SPAKE2P, PSA_KEY_USAGE_DERIVE, secret, PAIR_SIZE},
        {PSA_KEY_TYPE_PASSWORD, PSA_ALG_WPA3_SAE_H2E(PSA_ALG_SHA_256), PSA_KEY_USAGE_DERIVE, secret,
         16},
        {PSA_KEY_TYPE_PASSWORD, SAE, PSA_KEY_USAGE_EXPORT, secret, 16}};

    for (size_t i = 0; i <= sizeof usurpers / sizeof usurpers[0]; i++) {
        const struct usurper *const usurper = i == 0 ? NULL : &usurpers[i - 1];

        for (unsigned call = 0; call < SAE_CALLS; call++) {
            struct exchange exchange = sae_exchange();

            test_context("usurper and call", SAE_CALLS * i + call);
            interrupt(&exchange, call_sae, call, usurper);
        }
    }
}

static void spake2p__another_key_under_the_identifier__is_bad_state(void)
{
    uint8_t public_key[PUBLIC_SIZE];
    const struct usurper usurpers[] = {
        pair, /* the same once more */
        {PSA_KEY_TYPE_PASSWORD, SPAKE2P, PSA_KEY_USAGE_DERIVE, secret, 16},
        {PUBLIC, SPAKE2P, PSA_KEY_USAGE_DERIVE, public_key, PUBLIC_SIZE}, /* a client's it is not */
        {PAIR, PSA_ALG_SPAKE2P_HMAC(PSA_ALG_SHA_512), PSA_KEY_USAGE_DERIVE, secret, PAIR_SIZE},
        {PAIR, SPAKE2P, 0, secret, PAIR_SIZE}};

    for (size_t i = 0; i <= sizeof usurpers / sizeof usurpers[0]; i++) {
        const struct usurper *const usurper = i == 0 ? NULL : &usurpers[i - 1];

        for (unsigned call = 0; call < SPAKE2P_CALLS; call++) {
            struct exchange exchange = spake2p_exchange(public_key);

            test_context("usurper and call", SPAKE2P_CALLS * i + call);
            interrupt(&exchange, call_spake2p, call, usurper);
        }
    }
}

static const struct test_case tests[] = {
    TEST(exchange__key_that_stays__comes_to_its_end),
    TEST(wpa3_sae__another_key_under_the_identifier__is_bad_state),
    TEST(spake2p__another_key_under_the_identifier__is_bad_state),
};
TEST_SUITE(pake, tests);
