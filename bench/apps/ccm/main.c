/* SPDX-License-Identifier: Apache-2.0 */
#include "../steps/ccm.h"

int main(void)
{
    psa_status_t status = psa_crypto_init();

    if (status == PSA_SUCCESS) {
        status = bench_ccm(BENCH_LOCATION);
    }
    return bench_end(status);
}
