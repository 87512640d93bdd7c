/* SPDX-License-Identifier: Apache-2.0 */
#include "zoo.h"

void show_random(const struct place *local)
{
    uint8_t bytes[32];
    struct item item;

    item_begin(&item, "RANDOM", "random bytes", local);
    if (item_ok(&item, "psa_generate_random", psa_generate_random(bytes, sizeof bytes))) {
        item_text("check", "none");
        item_bytes("random", bytes, sizeof bytes);
    }
    item_end(&item);
}
