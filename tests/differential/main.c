/* SPDX-License-Identifier: Apache-2.0 */
/* The library as a server of single commands; tests/differential/subject.py is its client. */
#include <stdio.h>

#include "../../core/keys/pool.h"
#include "wire.h"

static void carry_out(const char *name)
{
    if (!keys_command(name) && !plain_command(name) && !sealed_command(name) &&
        !asymmetric_command(name) && !derivation_command(name)) {
        wire_fail(name);
    }
    if (wire_has_more()) {
        wire_fail("a word too many");
    }
    if (corral_holds() != 0) {
        wire_fail("a key is held after the call");
    }
}

int main(void)
{
    if (psa_crypto_init() != PSA_SUCCESS) {
        wire_fail("no initialisation");
    }
    while (wire_read()) {
        carry_out(wire_word());
    }
    return 0;
}
