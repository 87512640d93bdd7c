/* SPDX-License-Identifier: Apache-2.0 */
/* Password-authenticated key exchange, both sides in one program. */
#include "../../harness/harness.h"

extern const struct test_suite suite_jpake;
extern const struct test_suite suite_jpake_states;
extern const struct test_suite suite_pake_walks;
extern const struct test_suite suite_published;
extern const struct test_suite suite_spake2p;
extern const struct test_suite suite_spake2p_states;
extern const struct test_suite suite_sae;
extern const struct test_suite suite_sae_edges;
extern const struct test_suite suite_sae_keys;
extern const struct test_suite suite_sae_messages;
extern const struct test_suite suite_sae_states;

int main(void)
{
    const struct test_suite *const suites[] = {
        &suite_pake_walks, &suite_jpake,          &suite_jpake_states, &suite_published,
        &suite_spake2p,    &suite_spake2p_states, &suite_sae,          &suite_sae_messages,
        &suite_sae_states, &suite_sae_keys,       &suite_sae_edges};

    return test_initialise_and_run(suites, sizeof suites / sizeof suites[0]);
}
