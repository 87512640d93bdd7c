/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/rsa.h>

#include <string.h>

#define TAG_INTEGER 0x02
#define TAG_SEQUENCE 0x30

/* The rest of the data to be read. */
struct reader {
    const uint8_t *data;
    size_t length;
};

/* Take the length of a value, in the one form that DER allows: the shortest. */
static bool take_length(struct reader *reader, size_t *length)
{
    if (reader->length == 0) {
        return false;
    }
    const uint8_t first = *reader->data++;
    size_t bytes = first & 0x7fu;

    reader->length--;
    *length = first;
    if (first < 0x80) {
        return true;
    }
    if (bytes == 0 || bytes > 2 || bytes > reader->length) {
        return false;
    }
    const size_t shortest = bytes == 1 ? 0x80 : 0x100;
    reader->length -= bytes;
    for (*length = 0; bytes > 0; bytes--) {
        *length = *length << 8 | *reader->data++;
    }
    return *length >= shortest;
}

/* Take a value with its tag; it lies wholly within what is left. */
static bool take(struct reader *reader, uint8_t tag, struct reader *value)
{
    if (reader->length == 0 || *reader->data != tag) {
        return false;
    }
    reader->data++;
    reader->length--;
    if (!take_length(reader, &value->length) || value->length > reader->length) {
        return false;
    }
    value->data = reader->data;
    reader->data += value->length;
    reader->length -= value->length;
    return true;
}

/* Take an integer that is not negative; 0 has length 0. */
static bool take_number(struct reader *reader, struct corral_rsa_field *number)
{
    struct reader value;

    if (!take(reader, TAG_INTEGER, &value) || value.length == 0 || value.data[0] >= 0x80) {
        return false;
    }
    if (value.data[0] == 0) {
        if (value.length > 1 && value.data[1] < 0x80) {
            return false; /* a longer form than needed */
        }
        value.data++;
        value.length--;
    }
    number->data = value.data;
    number->length = value.length;
    return true;
}

static bool is_odd(const struct corral_rsa_field *number)
{
    return (number->data[number->length - 1] & 1) != 0;
}

/* The version of a pair: 0 for two primes, 1 for more. */
static psa_status_t read_version(struct reader *reader)
{
    struct corral_rsa_field version;

    if (!take_number(reader, &version)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (version.length == 0) {
        return PSA_SUCCESS;
    }
    return version.length == 1 && version.data[0] == 1 ? PSA_ERROR_NOT_SUPPORTED
                                                       : PSA_ERROR_INVALID_ARGUMENT;
}

static psa_status_t check_public(const struct corral_rsa_key *key)
{
    const struct corral_rsa_field *const exponent = &key->numbers[CORRAL_RSA_PUBLIC_EXPONENT];

    if (!is_odd(&key->numbers[CORRAL_RSA_MODULUS]) || !is_odd(exponent) ||
        (exponent->length == 1 && exponent->data[0] == 1)) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    return exponent->length <= CORRAL_RSA_PUBLIC_EXPONENT_MAX_SIZE ? PSA_SUCCESS
                                                                   : PSA_ERROR_NOT_SUPPORTED;
}

psa_status_t corral_rsa_read(psa_key_type_t type, const uint8_t *data, size_t length,
                             struct corral_rsa_key *key)
{
    const bool is_pair = type == PSA_KEY_TYPE_RSA_KEY_PAIR;
    const size_t count = is_pair ? CORRAL_RSA_NUMBERS : CORRAL_RSA_PRIVATE_EXPONENT;
    struct reader all = {data, length};
    struct reader sequence;

    memset(key, 0, sizeof *key);
    if (!take(&all, TAG_SEQUENCE, &sequence) || all.length != 0) {
        return PSA_ERROR_INVALID_ARGUMENT;
    }
    if (is_pair) {
        psa_status_t status = read_version(&sequence);
        if (status != PSA_SUCCESS) {
            return status;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!take_number(&sequence, &key->numbers[i]) || key->numbers[i].length == 0) {
            return PSA_ERROR_INVALID_ARGUMENT;
        }
    }
    return sequence.length == 0 ? check_public(key) : PSA_ERROR_INVALID_ARGUMENT;
}

psa_status_t corral_rsa_check(psa_key_type_t type, const uint8_t *data, size_t length)
{
    struct corral_rsa_key key;

    return corral_rsa_read(type, data, length, &key);
}

size_t corral_rsa_modulus_bits(const struct corral_rsa_key *key)
{
    const struct corral_rsa_field *const modulus = &key->numbers[CORRAL_RSA_MODULUS];
    size_t bits = modulus->length * 8;

    for (uint8_t top = modulus->data[0]; top < 0x80; top = (uint8_t)(top << 1)) {
        bits--;
    }
    return bits;
}

size_t corral_rsa_bits(psa_key_type_t type, const uint8_t *data, size_t length)
{
    struct corral_rsa_key key;

    return corral_rsa_read(type, data, length, &key) == PSA_SUCCESS ? corral_rsa_modulus_bits(&key)
                                                                    : 0;
}

/* Bytes of the tag and the length in front of a value. */
static size_t head_size(size_t length)
{
    return length < 0x80 ? 2 : length < 0x100 ? 3 : 4;
}

static uint8_t *put_head(uint8_t *to, uint8_t tag, size_t length)
{
    *to++ = tag;
    if (length >= 0x100) {
        *to++ = 0x82;
        *to++ = (uint8_t)(length >> 8);
    } else if (length >= 0x80) {
        *to++ = 0x81;
    }
    *to++ = (uint8_t)length;
    return to;
}

/* Bytes of a number's value: one more where the first bit would be taken for a sign. */
static size_t value_size(const struct corral_rsa_field *number)
{
    return number->length + (number->data[0] >= 0x80 ? 1u : 0u);
}

static uint8_t *put_number(uint8_t *to, const struct corral_rsa_field *number)
{
    to = put_head(to, TAG_INTEGER, value_size(number));
    if (number->data[0] >= 0x80) {
        *to++ = 0;
    }
    memcpy(to, number->data, number->length);
    return to + number->length;
}

/* Write a sequence of the first `count` numbers, the first `version_size` bytes being a version. */
static psa_status_t write_sequence(const struct corral_rsa_key *key, size_t count,
                                   size_t version_size, uint8_t *data, size_t size, size_t *length)
{
    static const uint8_t version[] = {TAG_INTEGER, 1, 0};
    size_t inner = version_size;

    for (size_t i = 0; i < count; i++) {
        const size_t n = value_size(&key->numbers[i]);
        inner += head_size(n) + n;
    }
    if (size < head_size(inner) + inner) {
        return PSA_ERROR_BUFFER_TOO_SMALL;
    }
    data = put_head(data, TAG_SEQUENCE, inner);
    memcpy(data, version, version_size);
    data += version_size;
    for (size_t i = 0; i < count; i++) {
        data = put_number(data, &key->numbers[i]);
    }
    *length = head_size(inner) + inner;
    return PSA_SUCCESS;
}

psa_status_t corral_rsa_write_public(const struct corral_rsa_key *key, uint8_t *data, size_t size,
                                     size_t *length)
{
    return write_sequence(key, CORRAL_RSA_PRIVATE_EXPONENT, 0, data, size, length);
}

psa_status_t corral_rsa_write_pair(const struct corral_rsa_key *key, uint8_t *data, size_t size,
                                   size_t *length)
{
    return write_sequence(key, CORRAL_RSA_NUMBERS, 3, data, size, length);
}
