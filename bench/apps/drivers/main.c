/* SPDX-License-Identifier: Apache-2.0 */
/* Uses mechanisms that one driver supports, or a driver for each. */
#include "../steps/cbc.h"
#include "../steps/hmac.h"

static psa_status_t hash(psa_algorithm_t alg)
{
    uint8_t digest[PSA_HASH_LENGTH(PSA_ALG_SHA_512)];
    size_t length;

    return psa_hash_compute(alg, bench_bytes, TEXT_SIZE, digest, sizeof digest, &length);
}

int main(void)
{
    psa_status_t status = psa_crypto_init();

    if (status == PSA_SUCCESS) {
        status = hash(PSA_ALG_SHA_256);
    }
    if (status == PSA_SUCCESS) {
        status = hash(PSA_ALG_SHA_512);
    }
    if (status == PSA_SUCCESS) {
        status = bench_hmac(PSA_KEY_LOCATION_LOCAL_STORAGE);
    }
    if (status == PSA_SUCCESS) {
        status = bench_cbc(PSA_KEY_LOCATION_LOCAL_STORAGE);
    }
    return bench_end(status);
}
