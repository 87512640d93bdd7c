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
#define SIGNED_AREA_MAGIC 0x6908u
#define AREA_MAGIC 0x6907u
#define TYPE_ECDSA 0x22u
#define TYPE_COUNTER 0x50u
#define COUNTER_SIZE 4u
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

/* Bytes of an image, read from one end to the other. */
struct bytes {
    psa_hash_operation_t *hash; /* gets each byte as it was read, or NULL */
    uint32_t at;
    uint32_t left;
};

static psa_status_t read_bytes(struct bytes *bytes, uint8_t *data, size_t size)
{
    if (size > bytes->left) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    const psa_status_t status = corral_port_update_read(bytes->at, data, size);
    bytes->at += (uint32_t)size;
    bytes->left -= (uint32_t)size;
    return status == PSA_SUCCESS && bytes->hash != NULL ? psa_hash_update(bytes->hash, data, size)
                                                        : status;
}

/* Read bytes to `memory`, or without memory (NULL) only for the hash. */
static psa_status_t pass_bytes(struct bytes *bytes, uint8_t *memory, uint32_t size)
{
    psa_status_t status = PSA_SUCCESS;
    uint8_t piece[64];

    for (uint32_t done = 0; done < size && status == PSA_SUCCESS; done += sizeof piece) {
        const uint32_t left = size - done;
        status = read_bytes(bytes, memory != NULL ? memory + done : piece,
                            left < sizeof piece ? left : sizeof piece);
    }
    return status;
}

/* Read the head of an area. Its entries are the bytes that are left then. */
static psa_status_t open_area(struct bytes *bytes, uint16_t magic)
{
    uint8_t head[ENTRY_SIZE];

    const psa_status_t status = read_bytes(bytes, head, ENTRY_SIZE);
    if (status != PSA_SUCCESS) {
        return status;
    }
    const uint32_t size = (uint32_t)corral_take(head + 2, 2);
    if (corral_take(head, 2) != magic || size < ENTRY_SIZE || size - ENTRY_SIZE > bytes->left) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    bytes->left = size - ENTRY_SIZE;
    return PSA_SUCCESS;
}

/* Read the head of an entry, whose data is in the area. */
static psa_status_t open_entry(struct bytes *bytes, uint32_t *type, uint32_t *size)
{
    uint8_t head[ENTRY_SIZE] = {0};

    const psa_status_t status = read_bytes(bytes, head, ENTRY_SIZE);
    *type = (uint32_t)corral_take(head, 2);
    *size = (uint32_t)corral_take(head + 2, 2);
    return status == PSA_SUCCESS && *size > bytes->left ? PSA_ERROR_INVALID_ARGUMENT : status;
}

/* Read the security counter from the signed area, 0 if there is none. */
static psa_status_t read_counter(struct bytes *bytes, uint32_t *counter)
{
    psa_status_t status = open_area(bytes, SIGNED_AREA_MAGIC);
    uint8_t value[COUNTER_SIZE];
    bool is_found = false;
    uint32_t type, size;

    while (status == PSA_SUCCESS && bytes->left > 0) {
        status = open_entry(bytes, &type, &size);
        if (status == PSA_SUCCESS && type == TYPE_COUNTER) {
            if (is_found || size != COUNTER_SIZE) {
                return PSA_ERROR_INVALID_ARGUMENT;
            }
            is_found = true;
            status = read_bytes(bytes, value, COUNTER_SIZE);
            *counter = (uint32_t)corral_take(value, COUNTER_SIZE);
        } else if (status == PSA_SUCCESS) {
            status = pass_bytes(bytes, NULL, size);
        }
    }
    return status;
}

/*
 * The hash of all that is signed. No byte is read twice: header, counter and copy are those in the
 * hash.
 */
static psa_status_t hash_image(struct corral_update_image *image, const uint8_t header[HEADER_SIZE],
                               uint8_t *memory, uint8_t hash[HASH_SIZE])
{
    psa_hash_operation_t operation = PSA_HASH_OPERATION_INIT;
    const uint32_t padding = image->header_size - HEADER_SIZE;
    struct bytes bytes = {&operation, image->offset + HEADER_SIZE,
                          padding + image->size + image->protected_size};
    size_t length;

    psa_status_t status = psa_hash_setup(&operation, PSA_ALG_SHA_256);
    if (status == PSA_SUCCESS) {
        status = psa_hash_update(&operation, header, HEADER_SIZE);
    }
    if (status == PSA_SUCCESS) {
        status = pass_bytes(&bytes, NULL, padding);
    }
    if (status == PSA_SUCCESS) {
        status = pass_bytes(&bytes, memory, image->size);
    }
    image->security_counter = 0;
    if (status == PSA_SUCCESS && image->protected_size > 0) {
        status = read_counter(&bytes, &image->security_counter);
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
    struct bytes bytes = {NULL, image->offset + corral_update_slot_size() - room, room};
    uint32_t type, size;

    *length = 0;
    psa_status_t status = open_area(&bytes, AREA_MAGIC);
    while (status == PSA_SUCCESS && bytes.left > 0) {
        status = open_entry(&bytes, &type, &size);
        if (status == PSA_SUCCESS && type == TYPE_ECDSA) {
            if (*length != 0 || size == 0 || size > SIGNATURE_MAX_SIZE) {
                return PSA_ERROR_INVALID_ARGUMENT;
            }
            *length = size;
            status = read_bytes(&bytes, signature, size);
        } else if (status == PSA_SUCCESS) {
            bytes.at += size;
            bytes.left -= size;
        }
    }
    if (status != PSA_SUCCESS) {
        return status;
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

static psa_status_t check_counter(const struct corral_update_image *image)
{
    uint32_t least;

    const psa_status_t status = corral_port_update_counter_read(&least);
    return status == PSA_SUCCESS && image->security_counter < least ? PSA_ERROR_NOT_PERMITTED
                                                                    : status;
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
    if (status == PSA_SUCCESS) {
        status = verify_hash(hash, raw);
    }
    return status == PSA_SUCCESS && CORRAL_UPDATE_COUNTER ? check_counter(image) : status;
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
