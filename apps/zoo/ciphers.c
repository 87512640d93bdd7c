/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each piece of ciphertext goes to the result and straight into a decryption with the
 * same key. The hash of the decrypted text must equal that of the input.
 */
#include <string.h>

#include "zoo.h"

#define KEY_MAX_SIZE 32
#define ENCRYPTED_PIECE_SIZE PSA_CIPHER_UPDATE_OUTPUT_MAX_SIZE(PIECE_SIZE)
#define DECRYPTED_PIECE_SIZE PSA_CIPHER_UPDATE_OUTPUT_MAX_SIZE(ENCRYPTED_PIECE_SIZE)

struct cipher {
    const char *mechanism;
    const char *title;
    const char *openssl_name;
    psa_algorithm_t alg;
    size_t key_size;
};

static const struct cipher ciphers[] = {
    {"CBC_NO_PADDING_AES_128", "AES-128-CBC, PKCS#7", "aes-128-cbc", PSA_ALG_CBC_PKCS7, 16},
    {"CBC_NO_PADDING_AES_256", "AES-256-CBC, PKCS#7", "aes-256-cbc", PSA_ALG_CBC_PKCS7, 32},
    {"CTR_AES_128", "AES-128-CTR", "aes-128-ctr", PSA_ALG_CTR, 16},
};

/* Encryption, decryption of its output, and the hash of the decrypted text. */
struct round_trip {
    psa_cipher_operation_t encryption;
    psa_cipher_operation_t decryption;
    psa_hash_operation_t hash;
};

static bool begin(struct item *item, struct round_trip *trip, psa_key_id_t key, psa_algorithm_t alg)
{
    uint8_t iv[PSA_CIPHER_IV_MAX_SIZE];
    size_t length;

    trip->encryption = psa_cipher_operation_init();
    trip->decryption = psa_cipher_operation_init();
    trip->hash = psa_hash_operation_init();
    if (!input_begin(item) ||
        !item_ok(item, "psa_hash_setup", psa_hash_setup(&trip->hash, PSA_ALG_SHA_256)) ||
        !item_ok(item, "psa_cipher_encrypt_setup",
                 psa_cipher_encrypt_setup(&trip->encryption, key, alg)) ||
        !item_ok(item, "psa_cipher_decrypt_setup",
                 psa_cipher_decrypt_setup(&trip->decryption, key, alg)) ||
        !item_ok(item, "psa_cipher_generate_iv",
                 psa_cipher_generate_iv(&trip->encryption, iv, sizeof iv, &length)) ||
        !item_ok(item, "psa_cipher_set_iv", psa_cipher_set_iv(&trip->decryption, iv, length))) {
        return false;
    }
    item_bytes("iv", iv, length);
    return true;
}

/* Print a piece of ciphertext and send it back through the decryption. */
static bool take(struct item *item, struct round_trip *trip, const uint8_t *encrypted,
                 size_t encrypted_length)
{
    uint8_t decrypted[DECRYPTED_PIECE_SIZE];
    size_t length;

    item_bytes_add(encrypted, encrypted_length);
    return item_ok(item, "psa_cipher_update",
                   psa_cipher_update(&trip->decryption, encrypted, encrypted_length, decrypted,
                                     sizeof decrypted, &length)) &&
           item_ok(item, "psa_hash_update", psa_hash_update(&trip->hash, decrypted, length));
}

static void encrypt_input(struct item *item, struct round_trip *trip)
{
    uint8_t encrypted[ENCRYPTED_PIECE_SIZE];
    uint8_t piece[PIECE_SIZE];
    size_t length;

    while (input_next(item, piece, &length) &&
           item_ok(item, "psa_cipher_update",
                   psa_cipher_update(&trip->encryption, piece, length, encrypted, sizeof encrypted,
                                     &length)) &&
           take(item, trip, encrypted, length)) {
    }
    if (item->status == PSA_SUCCESS &&
        item_ok(item, "psa_cipher_finish",
                psa_cipher_finish(&trip->encryption, encrypted, sizeof encrypted, &length))) {
        take(item, trip, encrypted, length);
    }
}

/* The end of the decryption, and whether the input came back. */
static void end(struct item *item, struct round_trip *trip)
{
    uint8_t last[PSA_CIPHER_FINISH_OUTPUT_MAX_SIZE];
    uint8_t digest[DIGEST_SIZE];
    size_t length;

    if (item->status == PSA_SUCCESS &&
        item_ok(item, "psa_cipher_finish",
                psa_cipher_finish(&trip->decryption, last, sizeof last, &length)) &&
        item_ok(item, "psa_hash_update", psa_hash_update(&trip->hash, last, length)) &&
        hash_input(item, PSA_ALG_SHA_256, digest, sizeof digest, &length)) {
        item_ok(item, "psa_hash_verify", psa_hash_verify(&trip->hash, digest, length));
    }
}

static void encrypt(struct item *item, const struct cipher *cipher, psa_key_id_t key)
{
    struct round_trip trip;

    if (begin(item, &trip, key, cipher->alg)) {
        item_bytes_begin("ciphertext");
        encrypt_input(item, &trip);
        item_bytes_end();
        end(item, &trip);
    }
    psa_cipher_abort(&trip.encryption);
    psa_cipher_abort(&trip.decryption);
    psa_hash_abort(&trip.hash);
}

static void show(const struct place *place, const struct cipher *cipher)
{
    const psa_key_attributes_t attributes =
        attributes_at(place, PSA_KEY_TYPE_AES, 8 * cipher->key_size, cipher->alg,
                      PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    uint8_t key_data[KEY_MAX_SIZE];
    struct item item;
    psa_key_id_t key;

    item_begin(&item, cipher->mechanism, cipher->title, place);
    if (import_random(&item, &attributes, key_data, cipher->key_size, &key)) {
        item_text("check", "cipher");
        item_text("cipher", cipher->openssl_name);
        item_bytes("key", key_data, cipher->key_size);
        encrypt(&item, cipher, key);
        destroy(&item, key);
    }
    item_end(&item);
}

void show_ciphers(const struct place *place)
{
    for (size_t i = 0; i < sizeof ciphers / sizeof ciphers[0]; i++) {
        show(place, &ciphers[i]);
    }
}
