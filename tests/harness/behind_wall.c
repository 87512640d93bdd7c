/* SPDX-License-Identifier: Apache-2.0 */
/* Where core and entropy source are in another image: they do not fail, and are not looked into. */
#include "entropy.h"
#include "harness.h"

unsigned corral_holds(void); /* of core/keys/pool.h */

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

/* What the core would say; a key that is held cannot be destroyed, which is seen from here, too. */
unsigned corral_holds(void)
{
    return 0;
}
