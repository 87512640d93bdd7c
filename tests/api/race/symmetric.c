/* SPDX-License-Identifier: Apache-2.0 */
/* MACs and ciphers: known answers and the way there and back. */
#include "race.h"

#define TEXT_SIZE 40u

/* SP 800-38B, example 2 of AES-128: the first block of the text. */
static const uint8_t cmac_tag[16] = {0x07, 0x0a, 0x16, 0xb4, 0x6b, 0x4d, 0x41, 0x44,
                                     0xf7, 0x9b, 0xdd, 0x9d, 0xd0, 0x4a, 0x28, 0x7c};
/* SP 800-38A, F.5.1: the counter, and the first block of the text. */
static const uint8_t ctr_start[16] = {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
                                      0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};
static const uint8_t ctr_text[16] = {0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26,
                                     0x1b, 0xef, 0x68, 0x64, 0x99, 0x0d, 0xb6, 0xce};

static void mac_in_parts(struct worker *worker, psa_key_id_t key, psa_algorithm_t alg,
                         const uint8_t *message, size_t size, const uint8_t *tag, size_t tag_size)
{
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;

    if (USE(worker, psa_mac_verify_setup(&operation, key, alg)) &&
        GO_ON(worker, psa_mac_update(&operation, message, 5)) &&
        GO_ON(worker, psa_mac_update(&operation, message + 5, size - 5)) &&
        GO_ON(worker, psa_mac_verify_finish(&operation, tag, tag_size))) {
        worker->done++;
    }
    SUCCEEDS(worker, psa_mac_abort(&operation));
}

static void mac(struct worker *worker, psa_key_id_t key, psa_algorithm_t alg,
                const uint8_t *message, size_t size, const uint8_t *tag, size_t tag_size)
{
    uint8_t got[64];
    size_t n;

    if (USE(worker, psa_mac_compute(key, alg, message, size, got, sizeof got, &n))) {
        HOLDS(worker, n == tag_size && memcmp(got, tag, n) == 0);
    }
    USE(worker, psa_mac_verify(key, alg, message, size, tag, tag_size));
    mac_in_parts(worker, key, alg, message, size, tag, tag_size);
}

static void do_hmac(struct worker *worker, psa_key_id_t key)
{
    mac(worker, key, HMAC_256, hmac_message, sizeof hmac_message, hmac_tag, sizeof hmac_tag);
}

RACE_KEYED(hmac, 12, PSA_KEY_TYPE_HMAC, 0, HMAC_256, SIGNS, hmac_key);

static void do_cmac(struct worker *worker, psa_key_id_t key)
{
    mac(worker, key, PSA_ALG_CMAC, aes_text, 16, cmac_tag, sizeof cmac_tag);
}

RACE_KEYED(cmac, 12, PSA_KEY_TYPE_AES, 0, PSA_ALG_CMAC, SIGNS, aes_key);

/* Encrypt in one call with an IV of its own, decrypt in parts. */
static void there_and_back(struct worker *worker, psa_key_id_t key, psa_algorithm_t alg)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t text[16 + TEXT_SIZE + 16];
    uint8_t back[TEXT_SIZE + 32];
    size_t size = 0;
    size_t n = 0;
    size_t last = 0;

    memset(back, (int)worker->number, TEXT_SIZE);
    if (!USE(worker, psa_cipher_encrypt(key, alg, back, TEXT_SIZE, text, sizeof text, &size))) {
        return;
    }
    if (USE(worker, psa_cipher_decrypt_setup(&operation, key, alg)) &&
        GO_ON(worker, psa_cipher_set_iv(&operation, text, 16)) &&
        GO_ON(worker, psa_cipher_update(&operation, text + 16, size - 16, back, sizeof back, &n)) &&
        GO_ON(worker, psa_cipher_finish(&operation, back + n, sizeof back - n, &last))) {
        HOLDS(worker, n + last == TEXT_SIZE && test_all(back, TEXT_SIZE, (uint8_t)worker->number));
        worker->done++;
    }
    SUCCEEDS(worker, psa_cipher_abort(&operation));
}

/* The output of the parts for a text with a known result. */
static void known_text(struct worker *worker, psa_key_id_t key, psa_algorithm_t alg,
                       const uint8_t *iv, const uint8_t *expected)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t got[32];
    size_t n;

    if (USE(worker, psa_cipher_encrypt_setup(&operation, key, alg)) &&
        GO_ON(worker, psa_cipher_set_iv(&operation, iv, 16)) &&
        GO_ON(worker, psa_cipher_update(&operation, aes_text, 16, got, sizeof got, &n))) {
        HOLDS(worker, n == 16 && memcmp(got, expected, 16) == 0);
    }
    SUCCEEDS(worker, psa_cipher_abort(&operation));
}

static void do_ctr(struct worker *worker, psa_key_id_t key)
{
    known_text(worker, key, PSA_ALG_CTR, ctr_start, ctr_text);
    there_and_back(worker, key, PSA_ALG_CTR);
}

RACE_KEYED(ctr, 12, PSA_KEY_TYPE_AES, 0, PSA_ALG_CTR, CRYPTS, aes_key);

static void do_cbc(struct worker *worker, psa_key_id_t key)
{
    there_and_back(worker, key, PSA_ALG_CBC_PKCS7);
}

RACE_KEYED(cbc, 12, PSA_KEY_TYPE_AES, 0, PSA_ALG_CBC_PKCS7, CRYPTS, aes_key);
