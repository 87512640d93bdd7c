/* SPDX-License-Identifier: Apache-2.0 */
#include "../steps/cbc.h"
#include "../steps/ecdsa.h"
#include "../steps/hmac.h"
#include <corral/locations.h>

int main(void)
{
    static const psa_key_location_t places[] = {PSA_KEY_LOCATION_LOCAL_STORAGE, CORRAL_LOCATION_SE0,
                                                CORRAL_LOCATION_SE1};
    psa_status_t status = psa_crypto_init();

    for (unsigned i = 0; status == PSA_SUCCESS && i < sizeof places / sizeof places[0]; i++) {
        status = bench_hmac(places[i]);
        if (status == PSA_SUCCESS) {
            status = bench_cbc(places[i]);
        }
        if (status == PSA_SUCCESS) {
            status = bench_ecdsa(places[i]);
        }
    }
    return bench_end(status);
}
