/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An emulated board has no source of noise. It takes what the host has: by default the generator of
 * the host's kernel, or the file that the option `entropy` names (tests, repeatable measurements).
 * Here, so that a port has it under the name of the source that it is there.
 */
#ifndef HOST_ENTROPY_H
#define HOST_ENTROPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <psa/crypto.h>

#include "options.h"
#include "semihosting.h"

static int host_entropy_file = SEMIHOSTING_NO_FILE;

static bool host_entropy_open(void)
{
    if (host_entropy_file == SEMIHOSTING_NO_FILE) {
        const char *path = option_value("entropy");
        host_entropy_file =
            semihosting_open(path != NULL ? path : "/dev/urandom", SEMIHOSTING_READ);
    }
    return host_entropy_file != SEMIHOSTING_NO_FILE;
}

/* The contract is that of corral_port_entropy() in corral/port.h. */
static psa_status_t host_entropy(uint8_t *output, size_t size, size_t *estimate_bits)
{
    *estimate_bits = 0;
    if (!host_entropy_open() || semihosting_read(host_entropy_file, output, size) != size) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    *estimate_bits = 8 * size;
    return PSA_SUCCESS;
}

#endif
