/* SPDX-License-Identifier: Apache-2.0 */
#include "race.h"

#define TEXT_SIZE 40u

static void open_in_parts(struct worker *worker, psa_key_id_t key, psa_algorithm_t alg,
                          const uint8_t *nonce, const uint8_t *sealed)
{
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    uint8_t back[TEXT_SIZE + 16];
    size_t n = 0;
    size_t last = 0;

    if (USE(worker, psa_aead_decrypt_setup(&operation, key, alg)) &&
        GO_ON(worker, psa_aead_set_lengths(&operation, 3, TEXT_SIZE)) &&
        GO_ON(worker, psa_aead_set_nonce(&operation, nonce, 12)) &&
        GO_ON(worker, psa_aead_update_ad(&operation, abc, 3)) &&
        GO_ON(worker, psa_aead_update(&operation, sealed, TEXT_SIZE, back, sizeof back, &n)) &&
        GO_ON(worker, psa_aead_verify(&operation, back + n, sizeof back - n, &last,
                                      sealed + TEXT_SIZE, 16))) {
        HOLDS(worker, n + last == TEXT_SIZE && test_all(back, TEXT_SIZE, (uint8_t)worker->number));
        worker->done++;
    }
    SUCCEEDS(worker, psa_aead_abort(&operation));
}

static void seal(struct worker *worker, psa_key_id_t key, psa_algorithm_t alg)
{
    uint8_t text[TEXT_SIZE];
    uint8_t sealed[TEXT_SIZE + 16];
    uint8_t back[TEXT_SIZE];
    uint8_t nonce[12];
    psa_status_t status;
    size_t n;

    memset(text, (int)worker->number, sizeof text);
    SUCCEEDS(worker, psa_generate_random(nonce, sizeof nonce));
    if (!USE(worker, psa_aead_encrypt(key, alg, nonce, 12, abc, 3, text, sizeof text, sealed,
                                      sizeof sealed, &n))) {
        return;
    }
    HOLDS(worker, n == sizeof sealed);
    if (USE(worker, psa_aead_decrypt(key, alg, nonce, 12, abc, 3, sealed, sizeof sealed, back,
                                     sizeof back, &n))) {
        HOLDS(worker, n == sizeof back && memcmp(back, text, sizeof back) == 0);
    }
    open_in_parts(worker, key, alg, nonce, sealed);
    sealed[3] ^= 1;
    status =
        psa_aead_decrypt(key, alg, nonce, 12, abc, 3, sealed, sizeof sealed, back, sizeof back, &n);
    if (status != PSA_ERROR_INVALID_SIGNATURE) {
        HOLDS(worker, !USE(worker, status));
    }
}

static void do_ccm(struct worker *worker, psa_key_id_t key)
{
    seal(worker, key, PSA_ALG_CCM);
}

RACE_KEYED(ccm, 8, PSA_KEY_TYPE_AES, 0, PSA_ALG_CCM, CRYPTS, aes_key);

static void do_gcm(struct worker *worker, psa_key_id_t key)
{
    seal(worker, key, PSA_ALG_GCM);
}

RACE_KEYED(gcm, 8, PSA_KEY_TYPE_AES, 0, PSA_ALG_GCM, CRYPTS, aes256_key);

static void do_chacha(struct worker *worker, psa_key_id_t key)
{
    seal(worker, key, PSA_ALG_CHACHA20_POLY1305);
}

RACE_KEYED(chacha, 8, PSA_KEY_TYPE_CHACHA20, 0, PSA_ALG_CHACHA20_POLY1305, CRYPTS, aes256_key);
