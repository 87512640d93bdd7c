/* SPDX-License-Identifier: Apache-2.0 */
#include "race.h"

#define ML_KEM_CIPHERTEXT 1088u

static const uint8_t seed[64] = {1, 2, 3, 4, 5, 6, 7, 8};

static void encapsulate(struct worker *worker, psa_key_id_t key, psa_algorithm_t alg)
{
    const psa_key_attributes_t attributes = race_secret();
    uint8_t ciphertext[ML_KEM_CIPHERTEXT];
    uint8_t secret[32];
    psa_key_id_t sent;
    psa_key_id_t received;
    size_t length;
    size_t n;

    if (!MAKE(worker, psa_encapsulate(key, alg, &attributes, &sent, ciphertext, sizeof ciphertext,
                                      &length))) {
        return;
    }
    SUCCEEDS(worker, psa_export_key(sent, secret, sizeof secret, &n));
    SUCCEEDS(worker, psa_destroy_key(sent));
    if (MAKE(worker, psa_decapsulate(key, alg, ciphertext, length, &attributes, &received))) {
        race_take(worker, received, secret, n);
        worker->done++;
    }
}

static void do_ml_kem(struct worker *worker, psa_key_id_t key)
{
    encapsulate(worker, key, PSA_ALG_ML_KEM);
}

RACE_KEYED(ml_kem, 4, PSA_KEY_TYPE_ML_KEM_KEY_PAIR, 768, PSA_ALG_ML_KEM, CRYPTS, seed);

static void do_ecies(struct worker *worker, psa_key_id_t key)
{
    encapsulate(worker, key, PSA_ALG_ECIES_SEC1);
}

RACE_KEYED(ecies, 4, P256_PAIR, 0, PSA_ALG_ECIES_SEC1, CRYPTS, p256_private);
