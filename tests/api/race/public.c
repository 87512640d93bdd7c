/* SPDX-License-Identifier: Apache-2.0 */
/* Signatures, encryption with RSA, agreement. */
#include "../../harness/rsa_keys.h"
#include "race.h"

#define PKCS1 PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256)
#define OAEP PSA_ALG_RSA_OAEP(PSA_ALG_SHA_256)

static void sign_in_parts(struct worker *worker, psa_key_id_t key, psa_algorithm_t alg,
                          const uint8_t *message, size_t length, const uint8_t *expected,
                          size_t size)
{
    psa_sign_operation_t sign = PSA_SIGN_OPERATION_INIT;
    psa_verify_operation_t verify = PSA_VERIFY_OPERATION_INIT;
    uint8_t signature[128];
    size_t n;

    if (USE(worker, psa_sign_setup(&sign, key, alg)) &&
        GO_ON(worker, psa_sign_update(&sign, message, 1)) &&
        GO_ON(worker, psa_sign_update(&sign, message + 1, length - 1)) &&
        GO_ON(worker, psa_sign_finish(&sign, signature, sizeof signature, &n))) {
        HOLDS(worker, n == size && memcmp(signature, expected, n) == 0);
    }
    SUCCEEDS(worker, psa_sign_abort(&sign));
    if (USE(worker, psa_verify_setup(&verify, key, alg, expected, size)) &&
        GO_ON(worker, psa_verify_update(&verify, message, length)) &&
        GO_ON(worker, psa_verify_finish(&verify))) {
        worker->done++;
    }
    SUCCEEDS(worker, psa_verify_abort(&verify));
}

/* An algorithm that has one signature for each message, in one call. */
static void sign_whole(struct worker *worker, psa_key_id_t key, psa_algorithm_t alg,
                       const uint8_t *message, size_t length, const uint8_t *expected, size_t size)
{
    uint8_t signature[128];
    size_t n;

    if (USE(worker, psa_sign_message(key, alg, message, length, signature, sizeof signature, &n))) {
        HOLDS(worker, n == size && memcmp(signature, expected, n) == 0);
    }
    if (USE(worker, psa_verify_message(key, alg, message, length, expected, size))) {
        worker->done++;
    }
}

static void do_ecdsa(struct worker *worker, psa_key_id_t key)
{
    uint8_t signature[64];
    uint8_t point[65];
    size_t n;

    if (USE(worker, psa_sign_hash(key, DETERMINISTIC, p256_hash, 32, signature, 64, &n))) {
        HOLDS(worker, n == 64 && memcmp(signature, p256_signature, n) == 0);
    }
    USE(worker, psa_verify_hash(key, DETERMINISTIC, p256_hash, 32, p256_signature, 64));
    if (USE(worker, psa_export_public_key(key, point, sizeof point, &n))) {
        HOLDS(worker, n == 65 && memcmp(point, p256_public, n) == 0);
    }
    sign_in_parts(worker, key, DETERMINISTIC, p256_message, sizeof p256_message, p256_signature,
                  64);
}

RACE_KEYED(ecdsa, 4, P256_PAIR, 0, DETERMINISTIC, SIGNS, p256_private);

static void do_ed25519(struct worker *worker, psa_key_id_t key)
{
    sign_whole(worker, key, PSA_ALG_PURE_EDDSA, ed25519_message, sizeof ed25519_message,
               ed25519_signature, sizeof ed25519_signature);
}

RACE_KEYED(ed25519, 4, ED25519_PAIR, 0, PSA_ALG_PURE_EDDSA, SIGNS, ed25519_private);

static void do_ed25519ctx(struct worker *worker, psa_key_id_t key)
{
    uint8_t signature[64];
    size_t n;

    if (USE(worker, psa_sign_message_with_context(key, PSA_ALG_EDDSA_CTX, abc, 3, aes_text, 9,
                                                  signature, sizeof signature, &n)) &&
        USE(worker, psa_verify_message_with_context(key, PSA_ALG_EDDSA_CTX, abc, 3, aes_text, 9,
                                                    signature, n))) {
        worker->done++;
    }
}

RACE_KEYED(ed25519ctx, 4, ED25519_PAIR, 0, PSA_ALG_EDDSA_CTX, SIGNS, ed25519_private);

static void do_rsa_sign(struct worker *worker, psa_key_id_t key)
{
    sign_whole(worker, key, PKCS1, abc, sizeof abc, rsa1024_signature, sizeof rsa1024_signature);
}

RACE_KEYED(rsa_sign, 4, PSA_KEY_TYPE_RSA_KEY_PAIR, 0, PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256),
           SIGNS, rsa1024_pair);

static void do_rsa_crypt(struct worker *worker, psa_key_id_t key)
{
    uint8_t text[128];
    uint8_t back[128];
    size_t n;

    if (USE(worker, psa_asymmetric_encrypt(key, OAEP, abc, 3, NULL, 0, text, sizeof text, &n)) &&
        USE(worker, psa_asymmetric_decrypt(key, OAEP, text, n, NULL, 0, back, sizeof back, &n))) {
        HOLDS(worker, n == 3 && memcmp(back, abc, 3) == 0);
        worker->done++;
    }
}

RACE_KEYED(rsa_crypt, 4, PSA_KEY_TYPE_RSA_KEY_PAIR, 0, PSA_ALG_RSA_OAEP(PSA_ALG_SHA_256), CRYPTS,
           rsa1024_pair);

static void do_x25519(struct worker *worker, psa_key_id_t key)
{
    const psa_key_attributes_t attributes = race_secret();
    uint8_t secret[32];
    psa_key_id_t made;
    size_t n;

    if (USE(worker, psa_raw_key_agreement(PSA_ALG_ECDH, key, x25519_peer_public, 32, secret,
                                          sizeof secret, &n))) {
        HOLDS(worker, n == 32 && memcmp(secret, x25519_shared, n) == 0);
    }
    if (MAKE(worker,
             psa_key_agreement(key, x25519_peer_public, 32, PSA_ALG_ECDH, &attributes, &made))) {
        race_take(worker, made, x25519_shared, sizeof x25519_shared);
        worker->done++;
    }
}

RACE_KEYED(x25519, 4, X25519_PAIR, 0, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE, x25519_private);
