/* SPDX-License-Identifier: Apache-2.0 */
#include "image.h"

#include <string.h>

#include <corral/port.h>
#include <psa/crypto.h>

#include "../storage/bytes.h"
#include "record.h"

#define HEADER_SIZE 32u
#define HASH_SIZE 32u
#define NUMBER_SIZE 32u
#define MAGIC 0x96f3b83du
/* Position-independent, to be loaded into memory. */
#define KNOWN_FLAGS 0x00000021u

/* Entries behind the code: an area's magic and its size, then type, size and data of each. */
#define ENTRY_SIZE 4u
#define AREA_MAGIC 0x6907u
#define TYPE_ECDSA 0x22u
/* A sequence of two integers, each with a byte for its sign. */
#define SIGNATURE_MAX_SIZE 72u

enum {
    AT_HEADER_SIZE = 8,
    AT_PROTECTED_SIZE = 10,
    AT_SIZE = 12,
    AT_FLAGS = 16,
    AT_MAJOR = 20,
    AT_MINOR = 21,
    AT_PATCH = 22,
    AT_BUILD = 24
};

/* Room in the slot from the end of the signed data on. */
static uint32_t room_behind(const struct corral_update_image *image)
{
    return corral_update_slot_size() - image->header_size - image->size - image->protected_size;
}

static psa_status_t read_header(unsigned slot, uint8_t header[HEADER_SIZE],
                                struct corral_update_image *image)
{
    const uint32_t room = corral_update_slot_size();

    image->offset = corral_update_slot(slot);
    const psa_status_t status = corral_port_update_read(image->offset, header, HEADER_SIZE);
    if (status != PSA_SUCCESS) {
        return status;
    }
    image->header_size = (uint16_t)corral_take(header + AT_HEADER_SIZE, 2);
    image->protected_size = (uint16_t)corral_take(header + AT_PROTECTED_SIZE, 2);
    image->size = (uint32_t)corral_take(header + AT_SIZE, 4);
    image->version.major = header[AT_MAJOR];
    image->version.minor = header[AT_MINOR];
    image->version.patch = (uint16_t)corral_take(header + AT_PATCH, 2);
    image->version.build = (uint32_t)corral_take(header + AT_BUILD, 4);
    if (corral_take(header, 4) != MAGIC || image->header_size < HEADER_SIZE ||
        (corral_take(header + AT_FLAGS, 4) & ~(uint64_t)KNOWN_FLAGS) != 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const uint32_t around = (uint32_t)image->header_size + image->protected_size;
    return around <= room && image->size <= room - around ? PSA_SUCCESS
                                                          : PSA_ERROR_INVALID_ARGUMENT;
}

psa_status_t corral_image_read(unsigned slot, struct corral_update_image *image)
{
    uint8_t header[HEADER_SIZE];

    return read_header(slot, header, image);
}

/*
 * The hash of all that is signed. The header is not read again: its sizes are those in use. With
 * memory the code is copied there, and the copy is hashed.
 */
static psa_status_t hash_image(const struct corral_update_image *image,
                               const uint8_t header[HEADER_SIZE], uint8_t *memory,
                               uint8_t hash[HASH_SIZE])
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    const uint32_t code = image->header_size;
    const uint32_t code_end = code + image->size;
    const uint32_t end = code_end + image->protected_size;
    uint32_t at = HEADER_SIZE;
    uint8_t piece[64];
    size_t length;

    psa_status_t status = psa_hash_setup(&operation, PSA_ALG_SHA_256);
    if (status == PSA_SUCCESS) {
        status = psa_hash_update(&operation, header, HEADER_SIZE);
    }
    while (status == PSA_SUCCESS && at < end) {
        const bool is_code = at >= code && at < code_end;
        const uint32_t left = (at < code ? code : is_code ? code_end : end) - at;
        const size_t size = left < sizeof piece ? left : sizeof piece;
        uint8_t *const copy = is_code && memory != NULL ? memory + (at - code) : piece;
        status = corral_port_update_read(image->offset + at, copy, size);
        if (status == PSA_SUCCESS) {
            status = psa_hash_update(&operation, copy, size);
        }
        at += (uint32_t)size;
    }
    status = status == PSA_SUCCESS ? psa_hash_finish(&operation, hash, HASH_SIZE, &length) : status;
    (void)psa_hash_abort(&operation);
    return status;
}

/* Find the one signature in the area behind the signed data. */
static psa_status_t find_signature(const struct corral_update_image *image,
                                   uint8_t signature[SIGNATURE_MAX_SIZE], size_t *length)
{
    const uint32_t room = room_behind(image);
    uint32_t at = image->offset + corral_update_slot_size() - room;
    uint8_t head[ENTRY_SIZE];

    *length = 0;
    psa_status_t status = room < ENTRY_SIZE ? PSA_ERROR_INVALID_ARGUMENT
                                            : corral_port_update_read(at, head, ENTRY_SIZE);
    if (status != PSA_SUCCESS) {
        return status;
    }
    uint32_t left = (uint32_t)corral_take(head + 2, 2);
    if (corral_take(head, 2) != AREA_MAGIC || left < ENTRY_SIZE || left > room) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    at += ENTRY_SIZE;
    left -= ENTRY_SIZE;
    while (left > 0) {
        status = left < ENTRY_SIZE ? PSA_ERROR_INVALID_ARGUMENT
                                   : corral_port_update_read(at, head, ENTRY_SIZE);
        if (status != PSA_SUCCESS) {
            return status;
        }
        const uint32_t size = (uint32_t)corral_take(head + 2, 2);
        at += ENTRY_SIZE;
        left -= ENTRY_SIZE;
        if (size > left) {
            return PSA_ERROR_INVALID_ARGUMENT;
        }
        if (corral_take(head, 2) == TYPE_ECDSA) {
            if (*length != 0 || size == 0 || size > SIGNATURE_MAX_SIZE) {
                return PSA_ERROR_INVALID_ARGUMENT;
            }
            *length = size;
            status = corral_port_update_read(at, signature, size);
            if (status != PSA_SUCCESS) {
                return status;
            }
        }
        at += size;
        left -= size;
    }
    return *length != 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE;
}

/* Take an integer from DER. Returns the bytes that it takes up, 0 if there is none. */
static size_t take_number(const uint8_t *der, size_t size, uint8_t number[NUMBER_SIZE])
{
    if (size < 3 || der[0] != 0x02 || der[1] == 0 || der[1] > size - 2u) {
        return 0;
    }
    size_t length = der[1];
    const size_t taken = length + 2u;
    der += 2;
    if (length == NUMBER_SIZE + 1u && der[0] == 0) {
        der++;
        length--;
    }
    if (length > NUMBER_SIZE) {
        return 0;
    }
    memset(number, 0, NUMBER_SIZE - length);
    memcpy(number + NUMBER_SIZE - length, der, length);
    return taken;
}

/* Imgtool writes signatures in DER, and PSA Crypto verifies r and s. */
static bool take_signature(const uint8_t *der, size_t size, uint8_t raw[2 * NUMBER_SIZE])
{
    if (size < 2 || der[0] != 0x30 || der[1] != size - 2u) {
        return false;
    }
    const size_t r = take_number(der + 2, size - 2u, raw);
    if (r == 0) {
        return false;
    }
    const size_t s = take_number(der + 2 + r, size - 2u - r, raw + NUMBER_SIZE);
    return s != 0 && r + s == size - 2u;
}

static psa_status_t verify_hash(const uint8_t hash[HASH_SIZE], const uint8_t raw[2 * NUMBER_SIZE])
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    uint8_t data[CORRAL_UPDATE_KEY_SIZE];
    psa_key_id_t key;

    psa_set_key_type(&attributes, PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1));
    psa_set_key_bits(&attributes, 256);
    psa_set_key_algorithm(&attributes, PSA_ALG_ECDSA(PSA_ALG_SHA_256));
    psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_VERIFY_HASH);
    psa_status_t status = corral_port_update_key(data);
    if (status == PSA_SUCCESS) {
        status = psa_import_key(&attributes, data, sizeof data, &key);
    }
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = psa_verify_hash(key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash, HASH_SIZE, raw,
                             2u * NUMBER_SIZE);
    const psa_status_t destroyed = psa_destroy_key(key);
    return status != PSA_SUCCESS ? status : destroyed;
}

psa_status_t corral_image_load(unsigned slot, uint8_t *memory, size_t size,
                               struct corral_update_image *image)
{
    uint8_t signature[SIGNATURE_MAX_SIZE];
    uint8_t raw[2 * NUMBER_SIZE];
    uint8_t header[HEADER_SIZE];
    uint8_t hash[HASH_SIZE];
    size_t length;

    psa_status_t status = read_header(slot, header, image);
    if (status == PSA_SUCCESS && memory != NULL && image->size > size) {
        status = PSA_ERROR_BUFFER_TOO_SMALL;
    }
    if (status == PSA_SUCCESS) {
        status = find_signature(image, signature, &length);
    }
    if (status == PSA_SUCCESS && !take_signature(signature, length, raw)) {
        status = PSA_ERROR_INVALID_SIGNATURE;
    }
    if (status == PSA_SUCCESS) {
        status = hash_image(image, header, memory, hash);
    }
    return status == PSA_SUCCESS ? verify_hash(hash, raw) : status;
}

static uint64_t rank_of(const psa_fwu_image_version_t *version)
{
    return (uint64_t)version->major << 56 | (uint64_t)version->minor << 48 |
           (uint64_t)version->patch << 32 | version->build;
}

psa_status_t corral_image_verify_candidate(unsigned active, uint8_t *memory, size_t size)
{
    struct corral_update_image candidate;
    struct corral_update_image old;

    psa_status_t status = corral_image_load(active ^ 1u, memory, size, &candidate);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = corral_image_read(active, &old);
    if (status == PSA_ERROR_INVALID_ARGUMENT) {
        return PSA_SUCCESS; /* no image there that could be newer */
    }
    if (status == PSA_SUCCESS && rank_of(&candidate.version) < rank_of(&old.version)) {
        return PSA_ERROR_NOT_PERMITTED;
    }
    return status;
}
