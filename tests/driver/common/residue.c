/* SPDX-License-Identifier: Apache-2.0 */
#include "residue.h"

#include "../../harness/harness.h"
#include "../../harness/scan.h"

/* Where the stack is not looked at. */
__attribute__((weak)) void residue_run(void (*test)(const struct subject_row *row),
                                       const struct subject_row *row)
{
    if (subject_has_residue_run) {
        test_skip("tests/driver/residue runs this here, and sees more");
    }
    test(row);
}

__attribute__((weak)) unsigned residue_number(void)
{
    return 0;
}

__attribute__((weak)) void residue_public(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
}

void residue_of_agreement(psa_key_id_t key, const uint8_t *secret, const uint8_t *shared,
                          size_t size)
{
    CHECK(!test_stack_holds(secret, size));
    CHECK(!test_stack_holds(shared, size));
    CHECK(test_memory_holds(secret, size));
    NEED(psa_destroy_key(key));
    CHECK(!test_memory_holds(secret, size));
    CHECK(!test_memory_holds(shared, size));
}
