/* SPDX-License-Identifier: Apache-2.0 */
/* The device's tokens with the numbers of several clients, and a secret for each client. */
#include <string.h>

#include <corral/builtin_keys.h>
#include <corral/port.h>
#include <psa/initial_attestation.h>

#include "../../wall/trusted/serve.h"
#include "../attestation/suite.h"
#include "../harness/deriving.h"
#include "arena.h"

static void token__of_each_client__says_who_asked(void)
{
    call_as(2);
    attestation_say_token(32);
    call_as(0x7fffffff);
    attestation_say_token(32);
    arena_leave();
}

static void token__of_a_client_without_such_a_number__is_refused(void)
{
    uint8_t challenge[32] = {1};
    uint8_t *const token = test_buffer(512);
    size_t length = 9;

    call_as(0x80000000);
    EXPECT(PSA_ERROR_GENERIC_ERROR,
           psa_initial_attest_get_token(challenge, 32, token, 512, &length));
    CHECK(length == 0);
    EXPECT(PSA_SUCCESS, corral_wall_forget(0x80000000));
    arena_leave();
}

static void hardware_key__of_two_clients__is_two_secrets(void)
{
    uint8_t mine[32];
    uint8_t other[32];

    call_as(2);
    attestation_say_derived(mine);
    call_as(3);
    attestation_say_derived(other);
    CHECK(memcmp(mine, other, sizeof mine) != 0);
    EXPECT(PSA_SUCCESS, corral_wall_forget(3));
    call_as(2);
    attestation_say_derived(other);
    CHECK(memcmp(mine, other, sizeof mine) == 0);
    arena_leave();
}

/* A derivation looks its key up again; it must be the one that it began with. */
static void hardware_key__with_another_caller_in_between__is_as_before(void)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    uint8_t alone[32];
    uint8_t between[32];
    uint8_t other[32];

    call_as(2);
    attestation_say_derived(alone);
    NEED(psa_key_derivation_setup(&operation, DERIVING_ALG));
    NEED(psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET,
                                      CORRAL_KEY_HARDWARE));
    call_as(3);
    attestation_say_derived(other);
    call_as(2);
    NEED(psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO,
                                        (const uint8_t *)"test", 4));
    NEED(psa_key_derivation_output_bytes(&operation, between, sizeof between));
    NEED(psa_key_derivation_abort(&operation));
    CHECK(memcmp(alone, between, sizeof alone) == 0);
    arena_leave();
}

/* The port of a device whose keys cannot be had. */
static bool has_no_keys;

psa_status_t __real_corral_port_attestation_key(uint8_t key[32]);
psa_status_t __wrap_corral_port_attestation_key(uint8_t key[32]);
psa_status_t __wrap_corral_port_attestation_key(uint8_t key[32])
{
    const psa_status_t status = __real_corral_port_attestation_key(key);

    return has_no_keys ? PSA_ERROR_STORAGE_FAILURE : status;
}

psa_status_t __real_corral_port_device_key(uint8_t key[CORRAL_DEVICE_KEY_SIZE]);
psa_status_t __wrap_corral_port_device_key(uint8_t key[CORRAL_DEVICE_KEY_SIZE]);
psa_status_t __wrap_corral_port_device_key(uint8_t key[CORRAL_DEVICE_KEY_SIZE])
{
    const psa_status_t status = __real_corral_port_device_key(key);

    return has_no_keys ? PSA_ERROR_STORAGE_FAILURE : status;
}

/* No slot keeps them between calls. */
static void keys__that_the_port_does_not_have__are_asked_for_again(void)
{
    uint8_t challenge[32] = {1};
    uint8_t *const token = test_buffer(512);
    psa_key_attributes_t attributes = psa_key_attributes_init();
    uint8_t derived[32];
    size_t length = 9;

    has_no_keys = true;
    memset(token, 0x77, 512);
    EXPECT(PSA_ERROR_STORAGE_FAILURE,
           psa_initial_attest_get_token(challenge, 32, token, 512, &length));
    CHECK(length == 0 && test_all(token, 512, 0));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_get_key_attributes(CORRAL_KEY_HARDWARE, &attributes));
    has_no_keys = false;
    attestation_say_token(32);
    attestation_say_derived(derived);
}

static const struct test_case tests[] = {
    TEST(keys__that_the_port_does_not_have__are_asked_for_again),
    TEST(token__of_each_client__says_who_asked),
    TEST(token__of_a_client_without_such_a_number__is_refused),
    TEST(hardware_key__of_two_clients__is_two_secrets),
    TEST(hardware_key__with_another_caller_in_between__is_as_before),
};

TEST_SUITE(callers, tests);
