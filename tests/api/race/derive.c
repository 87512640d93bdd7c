/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that come of other keys: derivation, wrapping, copies. */
#include "race.h"

/* RFC 5869, A.1: salt, info, and the beginning of the output; the secret is 22 bytes of 0x0b. */
static const uint8_t salt[13] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const uint8_t info[10] = {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9};
static const uint8_t okm[26] = {0x3c, 0xb2, 0x5f, 0x25, 0xfa, 0xac, 0xd5, 0x7a, 0x90,
                                0x43, 0x4f, 0x64, 0xd0, 0x36, 0x2f, 0x2a, 0x2d, 0x2d,
                                0x0a, 0x90, 0xcf, 0x1a, 0x5a, 0x4c, 0x5d, 0xb0};

/* RFC 3394, 4.1: the data and their wrapped form under the key 00 01 ... 0f. */
static const uint8_t plain[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                  0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
static const uint8_t wrapped[24] = {0x1f, 0xa6, 0x8b, 0x0a, 0x81, 0x12, 0xb4, 0x47,
                                    0xae, 0xf3, 0x4b, 0xd8, 0xfb, 0x5a, 0x7b, 0x82,
                                    0x9d, 0x3e, 0x86, 0x23, 0x71, 0xd2, 0xcf, 0xe5};

static const uint8_t kek[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const uint8_t ikm[22] = {11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11,
                                11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11};

static psa_key_attributes_t raw_attributes(size_t bits)
{
    return test_attributes(PSA_KEY_TYPE_RAW_DATA, bits, PSA_ALG_NONE,
                           PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_COPY);
}

static void do_hkdf(struct worker *worker, psa_key_id_t key)
{
    const psa_key_attributes_t attributes = raw_attributes(128);
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;
    uint8_t output[10];
    psa_key_id_t made;

    SUCCEEDS(worker, psa_key_derivation_setup(&operation, HKDF_256));
    SUCCEEDS(worker, psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_SALT, salt,
                                                    sizeof salt));
    if (USE(worker,
            psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET, key)) &&
        GO_ON(worker, psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO,
                                                     info, sizeof info)) &&
        GO_ON(worker, psa_key_derivation_output_bytes(&operation, output, sizeof output))) {
        HOLDS(worker, memcmp(output, okm, sizeof output) == 0);
        const psa_status_t status = psa_key_derivation_output_key(&attributes, &operation, &made);
        if (END(worker, status)) {
            race_take(worker, made, okm + sizeof output, 16);
            worker->done++;
        }
    }
    SUCCEEDS(worker, psa_key_derivation_abort(&operation));
}

RACE_KEYED(hkdf, 12, PSA_KEY_TYPE_DERIVE, 0, HKDF_256, PSA_KEY_USAGE_DERIVE, ikm);

static void do_kw(struct worker *worker, psa_key_id_t key)
{
    const psa_key_attributes_t attributes = raw_attributes(0);
    uint8_t output[sizeof wrapped];
    psa_key_id_t made;
    size_t n;

    if (!MAKE(worker,
              psa_unwrap_key(&attributes, key, PSA_ALG_KW, wrapped, sizeof wrapped, &made))) {
        return;
    }
    if (USE(worker, psa_wrap_key(key, PSA_ALG_KW, made, output, sizeof output, &n))) {
        HOLDS(worker, n == sizeof wrapped && memcmp(output, wrapped, n) == 0);
        worker->done++;
    }
    race_take(worker, made, plain, sizeof plain);
}

RACE_KEYED(kw, 12, PSA_KEY_TYPE_AES, 0, PSA_ALG_KW, PSA_KEY_USAGE_WRAP | PSA_KEY_USAGE_UNWRAP, kek);

static const uint8_t raw[] = {'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B',
                              'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B',
                              'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B',
                              'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B', 'B'};

/* Possible content of such a key from race_import(): one of two, of different lengths. */
static bool is_raw_content(const uint8_t *data, size_t length)
{
    return (length == 16 && test_all(data, length, 'A')) ||
           (length == 48 && test_all(data, length, 'B'));
}

static void do_raw(struct worker *worker, psa_key_id_t key)
{
    psa_key_attributes_t found;
    psa_key_attributes_t attributes = raw_attributes(0);
    uint8_t data[48];
    psa_key_id_t made;
    size_t n;

    if (USE(worker, psa_export_key(key, data, sizeof data, &n))) {
        HOLDS(worker, is_raw_content(data, n));
    }
    if (USE(worker, psa_get_key_attributes(key, &found))) {
        HOLDS(worker, psa_get_key_id(&found) == key &&
                          psa_get_key_type(&found) == PSA_KEY_TYPE_RAW_DATA &&
                          (psa_get_key_bits(&found) == 128 || psa_get_key_bits(&found) == 384));
    }
    USE(worker, psa_purge_key(key));
    if (MAKE(worker, psa_copy_key(key, &attributes, &made))) {
        SUCCEEDS(worker, psa_export_key(made, data, sizeof data, &n));
        HOLDS(worker, is_raw_content(data, n));
        SUCCEEDS(worker, psa_get_key_attributes(made, &found));
        HOLDS(worker, psa_get_key_bits(&found) == 8 * n);
        SUCCEEDS(worker, psa_destroy_key(made));
        worker->done++;
    }
}

RACE_KEYED(raw, 24, PSA_KEY_TYPE_RAW_DATA, 0, PSA_ALG_NONE,
           PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_COPY, raw);
