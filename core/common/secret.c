/* SPDX-License-Identifier: Apache-2.0 */
#include "secret.h"

#include <corral/driver.h>

void corral_secret_write(uint8_t *output, size_t size, const uint8_t *text, size_t room,
                         size_t length)
{
    const size_t both = size < room ? size : room;

    for (size_t i = 0; i < both; i++) {
        output[i] = (uint8_t)(text[i] & corral_secret_less(i, length));
    }
    if (size > both) {
        corral_wipe(output + both, size - both);
    }
}
