/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Import of a private key: PrivWrite, encrypted and authenticated under the write key that chip and
 * host share (data sheet, "PrivWrite", "GenDig", "Nonce"). Both sides derive a secret for this one
 * transfer from that key, a random number of the chip and one of the host.
 */
#include <string.h>

#include <corral/devices.h>
#include <corral/dispatch/hash.h>
#include <corral/driver.h>
#include <corral/port.h>

#include <corral/drivers/atecc608/entry_points.h>

#include "p256.h"
#include "slots.h"

#define OPCODE_READ 0x02
#define OPCODE_GENDIG 0x15
#define OPCODE_NONCE 0x16
#define OPCODE_PRIVWRITE 0x46
#define CONFIG_BLOCK 0x80 /* configuration zone, 32 bytes */
#define NONCE_RANDOM 0x00
#define GENDIG_DATA 0x02      /* a key of the data zone */
#define PRIVWRITE_SEALED 0x40 /* the data is encrypted, a MAC follows it */
#define SECRET_SIZE 32u       /* of everything that SHA-256 gives */
#define HOST_NONCE_SIZE 20u
#define PADDED_SIZE (4 + ATECC608_SCALAR_SIZE) /* PrivWrite wants zeros before the scalar */
#define MESSAGE_SIZE 96u

/* The values of one transfer. Wiped at its end. */
struct transfer {
    uint8_t write_key_slot;
    uint8_t serial[3];           /* SN[8], SN[0], SN[1] */
    uint8_t secret[SECRET_SIZE]; /* the write key; then what is derived from it */
    uint8_t nonce[SECRET_SIZE];
    uint8_t host_nonce[HOST_NONCE_SIZE];
    uint8_t scalar[ATECC608_SCALAR_SIZE]; /* a copy: the checked value may not change */
    uint8_t message[MESSAGE_SIZE];        /* to be hashed */
};

static psa_status_t hash(const uint8_t *input, size_t length, uint8_t digest[SECRET_SIZE])
{
    size_t digest_length;

    return corral_dispatch_hash_compute(PSA_ALG_SHA_256, input, length, digest, SECRET_SIZE,
                                        &digest_length);
}

/*
 * Hash what the chip hashes for GenDig and PrivWrite: the secret, the command, the serial number,
 * zeros, and at the end the last `length` of 96 bytes.
 */
static psa_status_t bind(struct transfer *transfer, uint8_t opcode, uint8_t mode, uint8_t slot,
                         const uint8_t *last, size_t length, uint8_t digest[SECRET_SIZE])
{
    uint8_t *message = transfer->message;

    memset(message, 0, MESSAGE_SIZE);
    memcpy(message, transfer->secret, SECRET_SIZE);
    message[SECRET_SIZE] = opcode;
    message[SECRET_SIZE + 1] = mode;
    message[SECRET_SIZE + 2] = slot;
    memcpy(message + SECRET_SIZE + 4, transfer->serial, sizeof transfer->serial);
    memcpy(message + MESSAGE_SIZE - length, last, length);
    return hash(message, MESSAGE_SIZE, digest);
}

static void mix(uint8_t *data, const uint8_t *mask, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        data[i] ^= mask[i];
    }
}

/* Let the chip draw its number, and work out what it makes of that and of ours. */
static psa_status_t exchange_nonces(struct atecc608_session *session, struct transfer *transfer)
{
    uint8_t *message = transfer->message;

    memcpy(atecc608_input(session), transfer->host_nonce, HOST_NONCE_SIZE);
    psa_status_t status = atecc608_execute(session, ATECC608_COMMAND(OPCODE_NONCE, NONCE_RANDOM, 0),
                                           HOST_NONCE_SIZE, SECRET_SIZE);
    if (status != PSA_SUCCESS) {
        return status;
    }
    memcpy(message, atecc608_output(session), SECRET_SIZE);
    memcpy(message + SECRET_SIZE, transfer->host_nonce, HOST_NONCE_SIZE);
    message[SECRET_SIZE + HOST_NONCE_SIZE] = OPCODE_NONCE;
    message[SECRET_SIZE + HOST_NONCE_SIZE + 1] = NONCE_RANDOM;
    message[SECRET_SIZE + HOST_NONCE_SIZE + 2] = 0;
    return hash(message, SECRET_SIZE + HOST_NONCE_SIZE + 3, transfer->nonce);
}

/* Make the secret of this transfer out of the write key, here and in the chip's TempKey. */
static psa_status_t derive_secret(struct atecc608_session *session, struct transfer *transfer)
{
    const uint8_t slot = transfer->write_key_slot;

    psa_status_t status =
        atecc608_execute(session, ATECC608_COMMAND(OPCODE_READ, CONFIG_BLOCK, 0), 0, 32);
    if (status != PSA_SUCCESS) {
        return status;
    }
    transfer->serial[0] = atecc608_output(session)[12];
    transfer->serial[1] = atecc608_output(session)[0];
    transfer->serial[2] = atecc608_output(session)[1];
    status = exchange_nonces(session, transfer);
    if (status == PSA_SUCCESS) {
        status =
            atecc608_execute(session, ATECC608_COMMAND(OPCODE_GENDIG, GENDIG_DATA, slot), 0, 0);
    }
    if (status == PSA_SUCCESS) {
        status = bind(transfer, OPCODE_GENDIG, GENDIG_DATA, slot, transfer->nonce, SECRET_SIZE,
                      transfer->secret);
    }
    return status;
}

/* Encrypt the key, add the MAC, and have it written. The nonce is spent and makes room. */
static psa_status_t send_sealed(struct atecc608_session *session, struct transfer *transfer)
{
    uint8_t *sealed = atecc608_input(session);
    uint8_t *mask = transfer->nonce;

    memset(sealed, 0, 4);
    memcpy(sealed + 4, transfer->scalar, ATECC608_SCALAR_SIZE);
    psa_status_t status = bind(transfer, OPCODE_PRIVWRITE, PRIVWRITE_SEALED, session->slot, sealed,
                               PADDED_SIZE, sealed + PADDED_SIZE);
    if (status == PSA_SUCCESS) {
        status = hash(transfer->secret, SECRET_SIZE, mask); /* covers the last four bytes */
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    mix(sealed, transfer->secret, SECRET_SIZE);
    mix(sealed + SECRET_SIZE, mask, PADDED_SIZE - SECRET_SIZE);
    return atecc608_execute(session,
                            ATECC608_COMMAND(OPCODE_PRIVWRITE, PRIVWRITE_SEALED, session->slot),
                            PADDED_SIZE + SECRET_SIZE, 0);
}

/* All that can fail before the chip is asked. */
static psa_status_t prepare(const struct atecc608_device *device, struct transfer *transfer)
{
    transfer->write_key_slot = atecc608_write_key_slot(device);
    if (transfer->write_key_slot == ATECC608_SLOT_COUNT) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    psa_status_t status = corral_port_element_key(device->location, transfer->secret);
    /* Random: else a false chip could make us use one key stream for two keys. */
    return status == PSA_SUCCESS ? corral_random(transfer->host_nonce, HOST_NONCE_SIZE) : status;
}

static bool take_scalar(struct transfer *transfer, const uint8_t *data, size_t length)
{
    if (length != sizeof transfer->scalar) {
        return false;
    }
    memcpy(transfer->scalar, data, length);
    return atecc608_is_scalar(transfer->scalar);
}

/*
 * Write a P-256 private key (32 bytes, big-endian) into the allocated slot, encrypted under the
 * write key that the board declares and corral_port_element_key() knows. *bits: 256.
 *   PSA_ERROR_NOT_SUPPORTED         the board declares no write key for this chip
 *   PSA_ERROR_INVALID_ARGUMENT      not a private key of the curve; nothing was sent
 *   PSA_ERROR_INSUFFICIENT_ENTROPY  also when corral_random() fails
 *   PSA_ERROR_NOT_PERMITTED         the chip refused: its write key is another one, or it lost its
 *                                   state on the way
 *   statuses of corral_port_element_key()
 */
psa_status_t atecc608_import_private_key(const psa_key_attributes_t *attributes,
                                         const uint8_t *data, size_t data_length,
                                         uint8_t *key_buffer, size_t key_buffer_size,
                                         size_t *key_buffer_length, size_t *bits)
{
    const size_t index = corral_atecc608_device_index(attributes);
    struct atecc608_session session;
    struct transfer transfer;

    (void)key_buffer_size;
    psa_status_t status = prepare(&corral_atecc608_devices[index], &transfer);
    if (status == PSA_SUCCESS && !take_scalar(&transfer, data, data_length)) {
        status = PSA_ERROR_INVALID_ARGUMENT;
    }
    if (status != PSA_SUCCESS) {
        corral_wipe(&transfer, sizeof transfer);
        return status;
    }
    status = atecc608_open_key(&session, index, key_buffer);
    if (status == PSA_SUCCESS) {
        status = derive_secret(&session, &transfer);
    }
    if (status == PSA_SUCCESS) {
        key_buffer[0] |= ATECC608_KEY_WRITTEN; /* from now on, also if the answer is lost */
        status = send_sealed(&session, &transfer);
    }
    if (status == PSA_SUCCESS) {
        key_buffer[0] |= ATECC608_KEY_CREATED;
        *key_buffer_length = sizeof(struct atecc608_key);
        *bits = 8 * ATECC608_SCALAR_SIZE;
    }
    corral_wipe(&transfer, sizeof transfer);
    return atecc608_close(&session, status);
}
