/* SPDX-License-Identifier: Apache-2.0 */
/* Clients that outlive a reset of the trusted side: their earlier handles name nothing. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <corral/driver.h>

#include "../../core/common/initialised.h"
#include "../../wall/trusted/serve.h"
#include "../harness/material.h"
#include "arena.h"

#define HMAC PSA_ALG_HMAC(PSA_ALG_SHA_256)

/* A client's handles and identifiers. */
struct names {
    psa_hash_operation_t operation;
    psa_key_id_t key;
};

/* Numbers that the test chooses, while there are some: each byte is `forced`. */
static const uint8_t *forced;
static psa_status_t random_status;

psa_status_t __wrap_corral_random(uint8_t *output, size_t size);
psa_status_t __real_corral_random(uint8_t *output, size_t size);

psa_status_t __wrap_corral_random(uint8_t *output, size_t size)
{
    if (forced == NULL) {
        return __real_corral_random(output, size);
    }
    memset(output, *forced, size);
    return random_status;
}

static psa_status_t begin_from(uint8_t number)
{
    forced = &number;
    const psa_status_t status = corral_wall_begin();
    forced = NULL;
    return status;
}

static struct names make_names(void)
{
    const psa_key_attributes_t attributes =
        test_attributes(PSA_KEY_TYPE_HMAC, 0, HMAC, PSA_KEY_USAGE_VERIFY_MESSAGE);
    struct names names = {.operation = PSA_HASH_OPERATION_INIT};

    call_as(2);
    NEED(psa_hash_setup(&names.operation, PSA_ALG_SHA_256));
    NEED(psa_import_key(&attributes, hmac_key, sizeof hmac_key, &names.key));
    return names;
}

/*
 * The client's names from an earlier life of the trusted side, whose numbers began at `number`, or
 * without it where they begin now. That life is a copy of this process.
 */
static struct names names_of_earlier_life(const uint8_t *number)
{
    struct names names = {.operation = PSA_HASH_OPERATION_INIT};
    int ends[2];
    int status = -1;

    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        if (number != NULL && begin_from(*number) != PSA_SUCCESS) {
            _exit(1);
        }
        names = make_names();
        _exit(write(ends[1], &names, sizeof names) == (ssize_t)sizeof names ? 0 : 1);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    CHECK(read(ends[0], &names, sizeof names) == (ssize_t)sizeof names);
    close(ends[0]);
    close(ends[1]);
    CHECK(names.operation.handle != 0 && names.key != PSA_KEY_ID_NULL);
    return names;
}

static void check_serves(struct names *names)
{
    EXPECT(PSA_SUCCESS, psa_hash_update(&names->operation, abc, sizeof abc));
    EXPECT(PSA_SUCCESS, psa_hash_verify(&names->operation, sha256_abc, sizeof sha256_abc));
    EXPECT(PSA_SUCCESS, psa_mac_verify(names->key, HMAC, hmac_message, sizeof hmac_message,
                                       hmac_tag, sizeof hmac_tag));
}

static void names__of_an_earlier_life__name_nothing_of_the_next(void)
{
    const uint8_t before = 0x21;
    struct names old = names_of_earlier_life(&before);

    NEED(begin_from(0x43));
    struct names now = make_names();
    EXPECT(PSA_ERROR_BAD_STATE, psa_hash_update(&old.operation, abc, sizeof abc));
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           psa_mac_verify(old.key, HMAC, hmac_message, sizeof hmac_message, hmac_tag,
                          sizeof hmac_tag));
    EXPECT(PSA_ERROR_INVALID_HANDLE, psa_destroy_key(old.key));
    EXPECT(PSA_SUCCESS, psa_hash_abort(&old.operation));
    check_serves(&now);
    arena_leave();
}

/* Why a transport whose clients outlive this side begins at random. */
static void names__of_a_life_that_began_as_the_next__come_again(void)
{
    const struct names old = names_of_earlier_life(NULL);
    const struct names now = make_names();

    CHECK(old.operation.handle == now.operation.handle && old.key == now.key);
    arena_leave();
}

static void begin__at_the_last_number__goes_round_to_handles_that_serve(void)
{
    NEED(begin_from(0xff));
    struct names now = make_names();
    CHECK(now.operation.handle >> 8 == 1);
    check_serves(&now);
    arena_leave();
}

static void begin__without_random_numbers__changes_nothing(void)
{
    const struct names old = names_of_earlier_life(NULL);

    random_status = PSA_ERROR_INSUFFICIENT_ENTROPY;
    EXPECT(PSA_ERROR_INSUFFICIENT_ENTROPY, begin_from(0x65));
    random_status = PSA_SUCCESS;
    const struct names now = make_names();
    CHECK(old.operation.handle == now.operation.handle && old.key == now.key);
    arena_leave();
}

/* The contract of a driver's init: before any other of its functions. */
static void begin__before_anything_else__initialises_the_library(void)
{
    const bool was_initialised = corral_initialised;

    corral_initialised = false;
    NEED(begin_from(0x21));
    CHECK(was_initialised && corral_initialised);
    arena_leave();
}

static const struct test_case tests[] = {
    TEST(names__of_an_earlier_life__name_nothing_of_the_next),
    TEST(names__of_a_life_that_began_as_the_next__come_again),
    TEST(begin__at_the_last_number__goes_round_to_handles_that_serve),
    TEST(begin__without_random_numbers__changes_nothing),
    TEST(begin__before_anything_else__initialises_the_library),
};

TEST_SUITE(resets, tests);
