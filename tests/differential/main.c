/* SPDX-License-Identifier: Apache-2.0 */
/* The library as a server of single commands; tests/differential/subject.py is its client. */
#include <string.h>

#include "../../core/keys/pool.h"
#include "wire.h"

static const struct wire_command *command_of(const char *name)
{
    for (size_t i = 0; i < wire_command_count; i++) {
        if (strcmp(wire_commands[i]->name, name) == 0) {
            return wire_commands[i];
        }
    }
    wire_fail(name);
}

static void carry_out(const char *name)
{
    command_of(name)->carry_out();
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
