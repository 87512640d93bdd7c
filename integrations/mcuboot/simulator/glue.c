/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that MCUboot's simulator expects of a crypto library, and the source of entropy. */
#include <corral/port.h>
#include <stdlib.h>
#include <sys/random.h>

psa_status_t corral_port_entropy(uint8_t *output, size_t size, size_t *estimate_bits)
{
    const ssize_t got = getrandom(output, size, 0);

    if (got < 0 || (size_t)got != size) {
        return PSA_ERROR_INSUFFICIENT_ENTROPY;
    }
    *estimate_bits = 8 * size;
    return PSA_SUCCESS;
}

/* Nothing to enable: Corral has its own generator. */
void mbedtls_test_enable_insecure_external_rng(void);

void mbedtls_test_enable_insecure_external_rng(void)
{
}

#ifdef CORRAL_WITHOUT_MBEDTLS
/* Corral does not allocate memory. */
int mbedtls_platform_set_calloc_free(void *(*calloc_function)(size_t, size_t),
                                     void (*free_function)(void *));

int mbedtls_platform_set_calloc_free(void *(*calloc_function)(size_t, size_t),
                                     void (*free_function)(void *))
{
    (void)calloc_function;
    (void)free_function;
    return 0;
}
#endif
