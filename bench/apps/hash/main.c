/* SPDX-License-Identifier: Apache-2.0 */
#include "../steps/steps.h"

int main(void)
{
    uint8_t hash[PSA_HASH_LENGTH(PSA_ALG_SHA_256)];
    size_t length;
    psa_status_t status = psa_crypto_init();

    if (status == PSA_SUCCESS) {
        status =
            psa_hash_compute(PSA_ALG_SHA_256, bench_bytes, TEXT_SIZE, hash, sizeof hash, &length);
    }
    return bench_end(status);
}
