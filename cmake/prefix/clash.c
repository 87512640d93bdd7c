/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warns at the start of a program in which Mbed TLS has another implementation of PSA Crypto, as
 * Debian's libmbedcrypto does. Of two functions of one name each caller gets the first that the
 * system finds, with keys and structures of the other.
 */
#define _GNU_SOURCE /* dladdr() */
#include <dlfcn.h>
#include <stdio.h>

__attribute__((constructor)) static void warn_of_another_implementation(void)
{
    Dl_info found;
    /* Ours has no function of this name. */
    void *const other = dlsym(RTLD_DEFAULT, "mbedtls_psa_crypto_free");

    if (other != NULL && dladdr(other, &found) != 0) {
        fprintf(stderr,
                "corral: %s has psa_ functions, too, and calls may reach either: "
                "link one of the two (docs/INTEGRATING.md)\n",
                found.dli_fname);
    }
}
