/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws random bytes, each time after reseeding, from sources that the run makes bad. A line for
 * the initialisation and for each draw: the status, and the sources that are out.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <corral/entropy.h>
#include <psa/crypto.h>

#define DRAWS 80u
#define SIZE 24u

static bool is_all(const uint8_t *data, uint8_t value)
{
    bool is_same = true;

    for (size_t i = 0; i < SIZE; i++) {
        is_same = is_same && data[i] == value;
    }
    return is_same;
}

int main(void)
{
    uint8_t before[SIZE] = {0};
    uint8_t output[SIZE];

    printf("init %d %u\n", (int)psa_crypto_init(), (unsigned)corral_entropy_failed());
    for (unsigned i = 0; i < DRAWS; i++) {
        memset(output, 0xa5, sizeof output);
        const psa_status_t status = psa_generate_random(output, sizeof output);
        printf("draw %d %u\n", (int)status, (unsigned)corral_entropy_failed());
        /* Nothing is given out with a failure; otherwise something, and never the same. */
        if (status == PSA_SUCCESS ? is_all(output, 0xa5) || memcmp(output, before, SIZE) == 0
                                  : !is_all(output, status == PSA_ERROR_BAD_STATE ? 0xa5 : 0)) {
            printf("FAIL\n");
            return 1;
        }
        memcpy(before, output, sizeof before);
    }
    return 0;
}
