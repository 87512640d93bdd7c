/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An emulated board has no source of noise. It takes what the host has: by default the generator of
 * the host's kernel, or the file that the option `entropy` names (tests, repeatable measurements).
 */
#include <corral/port.h>
#include <psa/crypto.h>

#include "../semihosting/options.h"
#include "../semihosting/semihosting.h"

static int source = SEMIHOSTING_NO_FILE;

static bool open_source(void)
{
    if (source == SEMIHOSTING_NO_FILE) {
        const char *path = option_value("entropy");
        source = semihosting_open(path != NULL ? path : "/dev/urandom", SEMIHOSTING_READ);
    }
    return source != SEMIHOSTING_NO_FILE;
}

psa_status_t corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits)
{
    *estimate_bits = 0;
    if (!open_source() || semihosting_read(source, output, size) != size) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    *estimate_bits = 8 * size;
    return PSA_SUCCESS;
}
