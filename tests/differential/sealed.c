/* SPDX-License-Identifier: Apache-2.0 */
/* Ciphers and AEADs: whole and in pieces, with outputs that overlap their inputs. */
#include <string.h>

#include "wire.h"

#define OUTPUT_MAX_SIZE 16384u
/* Bytes that a call may return beyond the length of its piece. */
#define MORE 32u

static uint8_t output[OUTPUT_MAX_SIZE];
static size_t output_length;

static bool is_encryption(void)
{
    return strcmp(wire_word(), "e") == 0;
}

static void keep(const uint8_t *data, size_t length)
{
    if (length > sizeof output - output_length) {
        wire_fail("an output is too long");
    }
    memcpy(output + output_length, data, length);
    output_length += length;
}

/* Keep what a call with this status wrote, and look around it. */
static psa_status_t leave(struct room *room, const size_t *length, psa_status_t status)
{
    keep(room->output, *length);
    room_close(room);
    return status;
}

static void answer_output(psa_status_t status)
{
    wire_put(output, output_length);
    wire_answer(status);
}

WIRE_COMMAND(cipher1)
{
    const bool is_encrypt = is_encryption();
    const psa_key_id_t key = wire_number();
    const psa_algorithm_t alg = wire_number();
    const struct bytes input = wire_bytes();
    const char *const offset = wire_word();
    const size_t size = wire_number();
    struct room room;
    size_t length = 0;

    output_length = 0;
    room_open(&room, offset, input, size);
    const psa_status_t status =
        is_encrypt
            ? psa_cipher_encrypt(key, alg, room.input, input.length, room.output, size, &length)
            : psa_cipher_decrypt(key, alg, room.input, input.length, room.output, size, &length);
    answer_output(leave(&room, &length, status));
}

static psa_status_t cipher_piece(psa_cipher_operation_t *operation, const char *offset)
{
    const struct bytes piece = wire_bytes();
    const size_t size = piece.length + MORE;
    struct room room;
    size_t length = 0;

    room_open(&room, offset, piece, size);
    return leave(
        &room, &length,
        psa_cipher_update(operation, room.input, piece.length, room.output, size, &length));
}

WIRE_COMMAND(cipher)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    const bool is_encrypt = is_encryption();
    const psa_key_id_t key = wire_number();
    const psa_algorithm_t alg = wire_number();
    const struct bytes iv = wire_bytes();
    uint8_t last[MORE];
    size_t length = 0;

    output_length = 0;
    psa_status_t status = is_encrypt ? psa_cipher_encrypt_setup(&operation, key, alg)
                                     : psa_cipher_decrypt_setup(&operation, key, alg);
    if (status == PSA_SUCCESS && iv.length > 0) {
        status = psa_cipher_set_iv(&operation, iv.data, iv.length);
    }
    while (wire_has_more()) {
        const char *const offset = wire_word();
        const psa_status_t done = cipher_piece(&operation, offset);
        status = status == PSA_SUCCESS ? done : status;
    }
    if (status == PSA_SUCCESS) {
        status = psa_cipher_finish(&operation, last, sizeof last, &length);
        keep(last, length);
    }
    psa_cipher_abort(&operation);
    answer_output(status);
}

WIRE_COMMAND(aead1)
{
    const bool is_encrypt = is_encryption();
    const psa_key_id_t key = wire_number();
    const psa_algorithm_t alg = wire_number();
    const struct bytes nonce = wire_bytes();
    const struct bytes ad = wire_bytes();
    const struct bytes text = wire_bytes();
    const char *const offset = wire_word();
    const size_t size = wire_number();
    struct room room;
    size_t length = 0;

    output_length = 0;
    room_open(&room, offset, text, size);
    psa_status_t status = (is_encrypt ? psa_aead_encrypt : psa_aead_decrypt)(
        key, alg, nonce.data, nonce.length, ad.data, ad.length, room.input, text.length,
        room.output, size, &length);
    answer_output(leave(&room, &length, status));
}

static psa_status_t aead_piece(psa_aead_operation_t *operation, const char *offset)
{
    const struct bytes piece = wire_bytes();
    const size_t size = piece.length + MORE;
    struct room room;
    size_t length = 0;

    room_open(&room, offset, piece, size);
    return leave(&room, &length,
                 psa_aead_update(operation, room.input, piece.length, room.output, size, &length));
}

static psa_status_t aead_begin(psa_aead_operation_t *operation, bool is_encrypt)
{
    const psa_key_id_t key = wire_number();
    const psa_algorithm_t alg = wire_number();
    const struct bytes nonce = wire_bytes();
    const struct bytes ad[2] = {wire_bytes(), wire_bytes()};
    const size_t text_length = wire_number();

    psa_status_t status = is_encrypt ? psa_aead_encrypt_setup(operation, key, alg)
                                     : psa_aead_decrypt_setup(operation, key, alg);
    if (status == PSA_SUCCESS) {
        status = psa_aead_set_lengths(operation, ad[0].length + ad[1].length, text_length);
    }
    if (status == PSA_SUCCESS) {
        status = psa_aead_set_nonce(operation, nonce.data, nonce.length);
    }
    for (unsigned i = 0; i < 2 && status == PSA_SUCCESS; i++) {
        status = psa_aead_update_ad(operation, ad[i].data, ad[i].length);
    }
    return status;
}

static psa_status_t aead_end(psa_aead_operation_t *operation, bool is_encrypt, struct bytes tag)
{
    uint8_t text[MORE];
    uint8_t made[MORE];
    size_t length = 0;
    size_t tag_length = 0;
    psa_status_t status;

    if (is_encrypt) {
        status =
            psa_aead_finish(operation, text, sizeof text, &length, made, sizeof made, &tag_length);
    } else {
        status = psa_aead_verify(operation, text, sizeof text, &length, tag.data, tag.length);
    }
    keep(text, length);
    keep(made, tag_length);
    return status;
}

/* e|d, tag or -, key, alg, nonce, two parts of additional data, length, (offset, piece)... */
WIRE_COMMAND(aead)
{
    psa_aead_operation_t operation = PSA_AEAD_OPERATION_INIT;
    const bool is_encrypt = is_encryption();
    const struct bytes tag = wire_bytes();

    output_length = 0;
    psa_status_t status = aead_begin(&operation, is_encrypt);
    while (wire_has_more()) {
        const char *const offset = wire_word();
        const psa_status_t done = aead_piece(&operation, offset);
        status = status == PSA_SUCCESS ? done : status;
    }
    if (status == PSA_SUCCESS) {
        status = aead_end(&operation, is_encrypt, tag);
    }
    psa_aead_abort(&operation);
    answer_output(status);
}
