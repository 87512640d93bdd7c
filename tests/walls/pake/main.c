/* SPDX-License-Identifier: Apache-2.0 */
/* Password-authenticated key exchange on the client's side of a wall. */
#include "../local/local.h"

extern const struct test_suite suite_jpake, suite_jpake_states, suite_published, suite_spake2p,
    suite_spake2p_states, suite_sae, suite_sae_messages, suite_sae_states, suite_sae_keys,
    suite_pake_walks;

int main(void)
{
    const struct test_suite *const suites[] = {
        &suite_jpake,          &suite_jpake_states, &suite_published,    &suite_spake2p,
        &suite_spake2p_states, &suite_sae,          &suite_sae_messages, &suite_sae_states,
        &suite_sae_keys,       &suite_pake_walks,
    };

    return local_run(suites, sizeof suites / sizeof suites[0]);
}
