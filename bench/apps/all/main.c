/* SPDX-License-Identifier: Apache-2.0 */
#include "../steps/cbc.h"
#include "../steps/ecdsa.h"
#include "../steps/hmac.h"

int main(void)
{
    psa_status_t status = psa_crypto_init();

    if (status == PSA_SUCCESS) {
        status = bench_hmac(PSA_KEY_LOCATION_LOCAL_STORAGE);
    }
    if (status == PSA_SUCCESS) {
        status = bench_cbc(PSA_KEY_LOCATION_LOCAL_STORAGE);
    }
    if (status == PSA_SUCCESS) {
        status = bench_ecdsa(PSA_KEY_LOCATION_LOCAL_STORAGE);
    }
    return bench_end(status);
}
