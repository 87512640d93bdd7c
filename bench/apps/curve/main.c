/* SPDX-License-Identifier: Apache-2.0 */
/* Signs, verifies and agrees on P-256: the cost of a handshake, backend by backend. */
#include "../steps/ecdsa.h"

#define SECRET_SIZE PSA_RAW_KEY_AGREEMENT_OUTPUT_SIZE(ECDSA_PAIR, ECDSA_BITS)

static psa_status_t agree(psa_key_location_t location, const struct bench_signed *peer)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t secret[SECRET_SIZE];
    psa_key_id_t key;
    size_t length;

    bench_place(&attributes, location);
    psa_set_key_type(&attributes, ECDSA_PAIR);
    psa_set_key_bits(&attributes, ECDSA_BITS);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_DERIVE);
    psa_set_key_algorithm(&attributes, PSA_ALG_ECDH);
    psa_status_t status = psa_generate_key(&attributes, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    return psa_raw_key_agreement(PSA_ALG_ECDH, key, peer->point, peer->point_length, secret,
                                 sizeof secret, &length);
}

int main(void)
{
    struct bench_signed made;
    psa_status_t status = psa_crypto_init();

    if (status == PSA_SUCCESS) {
        status = bench_sign(BENCH_LOCATION, &made);
    }
    if (status == PSA_SUCCESS) {
        status = bench_verify(BENCH_LOCATION, &made);
    }
    if (status == PSA_SUCCESS) {
        status = agree(BENCH_LOCATION, &made);
    }
    return bench_end(status);
}
