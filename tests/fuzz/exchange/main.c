/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Agreement and encapsulation: public keys and ciphertexts as they should be, changed, cut, or any
 * bytes. Whatever comes from outside, it is a shared secret of the right size or an error, the same
 * by every way that leads to it.
 */
#include "../common/fuzz.h"

#define LARGEST 1100u
#define SECRET 32u

static const struct scheme {
    psa_key_type_t type;
    size_t bits;
    psa_algorithm_t alg;
    size_t private_size;
    size_t message_size; /* of the other side's message: public key, or ciphertext */
} schemes[] = {
    {PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256, PSA_ALG_ECDH, 32, 65},
    {PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_MONTGOMERY), 255, PSA_ALG_ECDH, 32, 32},
    {PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256, PSA_ALG_ECIES_SEC1, 32, 65},
    {PSA_KEY_TYPE_ML_KEM_KEY_PAIR, 512, PSA_ALG_ML_KEM, 64, 768},
};
#define SCHEMES (sizeof schemes / sizeof schemes[0])

static psa_key_id_t keys[SCHEMES][2];

static psa_key_id_t pair_of(const struct scheme *scheme, uint8_t seed)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t data[64];
    psa_key_id_t key;

    memset(data, seed, sizeof data);
    psa_set_key_type(&attributes, scheme->type);
    psa_set_key_bits(&attributes, scheme->bits);
    psa_set_key_algorithm(&attributes, scheme->alg);
    psa_set_key_usage_flags(&attributes,
                            PSA_KEY_USAGE_DERIVE | PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    FUZZ_CHECK(psa_import_key(&attributes, data, scheme->private_size, &key) == PSA_SUCCESS);
    return key;
}

static psa_key_attributes_t secret_attributes(void)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_DERIVE);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_EXPORT);
    return attributes;
}

/* Export and destroy a secret that was made; nothing was made unless `status` says so. */
static void take(psa_status_t status, psa_key_id_t key, uint8_t secret[SECRET])
{
    size_t n;

    FUZZ_CHECK((status == PSA_SUCCESS) == (key != PSA_KEY_ID_NULL));
    if (status == PSA_SUCCESS) {
        FUZZ_CHECK(psa_export_key(key, secret, SECRET, &n) == PSA_SUCCESS && n == SECRET);
        FUZZ_CHECK(psa_destroy_key(key) == PSA_SUCCESS);
    }
}

/* Turns a message into a key on one side. */
static psa_status_t receive(unsigned scheme, psa_key_id_t pair, const uint8_t *message,
                            size_t length, uint8_t secret[SECRET])
{
    const psa_key_attributes_t attributes = secret_attributes();
    const psa_algorithm_t alg = schemes[scheme].alg;
    psa_key_id_t key = 1;
    psa_status_t status;

    if (alg == PSA_ALG_ECDH) {
        status = psa_key_agreement(pair, message, length, alg, &attributes, &key);
    } else {
        status = psa_decapsulate(pair, alg, message, length, &attributes, &key);
    }
    take(status, key, secret);
    return status;
}

/* Agreement into a buffer of any room: as the one into a key, or too small. */
static void receive_raw(struct fuzz_input *input, psa_key_id_t pair, const uint8_t *message,
                        size_t length, psa_status_t wanted, const uint8_t *secret)
{
    const size_t room = fuzz_below(input, 40);
    uint8_t *output = fuzz_room(room);
    size_t n = 7;

    const psa_status_t status =
        psa_raw_key_agreement(PSA_ALG_ECDH, pair, message, length, output, room, &n);
    FUZZ_CHECK(status == (room < SECRET ? PSA_ERROR_BUFFER_TOO_SMALL : wanted));
    FUZZ_CHECK(n == (status == PSA_SUCCESS ? SECRET : 0));
    for (size_t i = 0; status != PSA_SUCCESS && i < room; i++) {
        FUZZ_CHECK(output[i] == 0);
    }
    FUZZ_CHECK(memcmp(output, secret, n) == 0);
    free(output);
}

/* The message of the other side, and its secret if it is known already. */
static bool honest_message(unsigned scheme, uint8_t *message, uint8_t secret[SECRET])
{
    const psa_key_attributes_t attributes = secret_attributes();
    const psa_algorithm_t alg = schemes[scheme].alg;
    psa_key_id_t key = 1;
    size_t n;

    if (alg == PSA_ALG_ECDH) {
        FUZZ_CHECK(psa_export_public_key(keys[scheme][1], message, LARGEST, &n) == PSA_SUCCESS);
    } else {
        const psa_status_t status =
            psa_encapsulate(keys[scheme][0], alg, &attributes, &key, message, LARGEST, &n);
        FUZZ_CHECK(status == PSA_SUCCESS);
        take(status, key, secret);
    }
    FUZZ_CHECK(n == schemes[scheme].message_size);
    return alg != PSA_ALG_ECDH;
}

static void call_honest(struct fuzz_input *input, unsigned scheme)
{
    uint8_t message[LARGEST];
    uint8_t ours[SECRET];
    uint8_t theirs[SECRET];
    const size_t size = schemes[scheme].message_size;
    size_t n;

    if (!honest_message(scheme, message, theirs)) {
        uint8_t back[65];
        FUZZ_CHECK(psa_export_public_key(keys[scheme][0], back, sizeof back, &n) == PSA_SUCCESS);
        FUZZ_CHECK(receive(scheme, keys[scheme][1], back, n, theirs) == PSA_SUCCESS);
        receive_raw(input, keys[scheme][1], back, n, PSA_SUCCESS, theirs);
    }
    FUZZ_CHECK(receive(scheme, keys[scheme][0], message, size, ours) == PSA_SUCCESS);
    FUZZ_CHECK(memcmp(ours, theirs, SECRET) == 0);
}

/* Bytes of the right length with some changed, or of another length. */
static uint8_t *hostile_message(struct fuzz_input *input, unsigned scheme, size_t *size)
{
    uint8_t honest[LARGEST];
    uint8_t secret[SECRET];

    if (fuzz_below(input, 3) == 0) {
        return fuzz_bytes(input, 80, size);
    }
    (void)honest_message(scheme, honest, secret);
    *size = schemes[scheme].message_size;
    for (unsigned changes = 1 + fuzz_below(input, 4); changes > 0; changes--) {
        const size_t at = fuzz_place(input, *size);
        honest[at] = fuzz_byte(input);
    }
    if (fuzz_below(input, 8) == 0) {
        *size -= fuzz_byte(input) % *size;
    }
    uint8_t *message = fuzz_room(*size);
    memcpy(message, honest, *size);
    return message;
}

static void call_hostile(struct fuzz_input *input, unsigned scheme)
{
    uint8_t secret[SECRET] = {0};
    uint8_t again[SECRET] = {0};
    size_t size;
    uint8_t *message = hostile_message(input, scheme, &size);

    const psa_status_t status = receive(scheme, keys[scheme][0], message, size, secret);
    FUZZ_CHECK(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_ARGUMENT);
    FUZZ_CHECK(size == schemes[scheme].message_size || status == PSA_ERROR_INVALID_ARGUMENT);
    FUZZ_CHECK(receive(scheme, keys[scheme][0], message, size, again) == status);
    FUZZ_CHECK(memcmp(secret, again, SECRET) == 0);
    if (schemes[scheme].alg == PSA_ALG_ECDH) {
        receive_raw(input, keys[scheme][0], message, size, status, secret);
    }
    free(message);
}

/* A public key from outside: a key with which a message can be made, or an error. */
static void call_public(struct fuzz_input *input, unsigned scheme)
{
    const struct scheme *what = &schemes[scheme];
    const psa_key_attributes_t wanted = secret_attributes();
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t data[LARGEST];
    uint8_t secret[SECRET];
    psa_key_id_t public_key;
    psa_key_id_t key = 1;
    size_t n;

    FUZZ_CHECK(psa_export_public_key(keys[scheme][0], data, sizeof data, &n) == PSA_SUCCESS);
    fuzz_change(input, data, n);
    n -= fuzz_below(input, 8) == 0 ? fuzz_byte(input) % n : 0;
    uint8_t *exact = fuzz_room(n);
    memcpy(exact, data, n);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(what->type));
    psa_set_key_algorithm(&attributes, what->alg);
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_ENCRYPT);
    if (psa_import_key(&attributes, exact, n, &public_key) == PSA_SUCCESS) {
        const psa_status_t status =
            what->alg == PSA_ALG_ECDH
                ? PSA_ERROR_INVALID_ARGUMENT
                : psa_encapsulate(public_key, what->alg, &wanted, &key, data, sizeof data, &n);
        FUZZ_CHECK(status == PSA_SUCCESS || status == PSA_ERROR_INVALID_ARGUMENT);
        if (what->alg != PSA_ALG_ECDH) {
            take(status, key, secret);
        }
        FUZZ_CHECK(psa_destroy_key(public_key) == PSA_SUCCESS);
    }
    free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};

    for (unsigned i = 0; i < SCHEMES; i++) {
        for (unsigned side = 0; side < 2 && (side == 0 || schemes[i].alg == PSA_ALG_ECDH); side++) {
            keys[i][side] =
                keys[i][side] != 0 ? keys[i][side] : pair_of(&schemes[i], (uint8_t)(17 + side));
        }
    }
    for (unsigned calls = 0; input.size > 0 && calls < 8; calls++) {
        const unsigned choice = fuzz_byte(&input);
        const unsigned scheme = choice % SCHEMES;
        if (choice < 32) {
            call_honest(&input, scheme);
        } else if (choice < 64) {
            call_public(&input, scheme);
        } else {
            call_hostile(&input, scheme);
        }
        FUZZ_CHECK(corral_holds() == 0);
    }
    return 0;
}
