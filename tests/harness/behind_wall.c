/* SPDX-License-Identifier: Apache-2.0 */
/* Where core and entropy source are in another image: they do not fail, and are not looked into. */
#include "entropy.h"
#include "harness.h"

/* For harness.c; the first is of core/keys/pool.h. */
unsigned corral_holds(void);
unsigned test_operations_left(void);

#define PLACES TEST_SHARE(CORRAL_WALL_OPERATIONS)

static void skip(void)
{
    test_skip("the entropy source is in the trusted side's image");
}

void test_entropy_mode(enum test_entropy wanted)
{
    if (wanted != TEST_ENTROPY_GOOD) {
        skip();
    }
}

void test_entropy_seed(uint64_t seed)
{
    (void)seed;
}

unsigned test_entropy_calls(void)
{
    skip();
    return 0;
}

/* The answer of the core; a key that is held cannot be destroyed, which is seen from here, too. */
unsigned corral_holds(void)
{
    return 0;
}

/*
 * An operation has its place until it has ended, whatever became of the variable with its handle.
 * Places in which no hash can begin are taken; those that were before belong to an earlier test.
 */
unsigned test_operations_left(void)
{
    static psa_hash_operation_t fillers[PLACES];
    static unsigned before;
    unsigned free = 0;

    while (free < PLACES && psa_hash_setup(&fillers[free], PSA_ALG_SHA_256) == PSA_SUCCESS) {
        free++;
    }
    for (unsigned i = 0; i < free; i++) {
        (void)psa_hash_abort(&fillers[i]);
    }
    const unsigned more = PLACES - free - before;
    before += more;
    return more;
}
