/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of keys in a storage that is not sealed, with anything in header and data.
 * Each is a key with the properties of the record, of the length for its type and size,
 * or rejected. Data of such a key, whatever they are, do no harm when it is used.
 */
#include "../../../core/keys/record.h"
#include "../../../ports/common/flash_model.h"
#include "../../../storage/bytes.h"
#include "../../../storage/store.h"
#include "../../harness/rsa_keys.h"
#include "../common/fuzz.h"

#define ID 5u
#define HEADER CORRAL_STORE_KEY_TAG_AT
#define MAX_DATA 700u
#define OUTPUT 300u
#define ECC(family) PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_##family)
#define ECC_PUBLIC(family) PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_##family)

static const psa_key_type_t types[] = {
    PSA_KEY_TYPE_RAW_DATA,
    PSA_KEY_TYPE_DERIVE,
    PSA_KEY_TYPE_HMAC,
    PSA_KEY_TYPE_AES,
    ECC(SECP_R1),
    ECC_PUBLIC(SECP_R1),
    ECC(MONTGOMERY),
    ECC_PUBLIC(MONTGOMERY),
    ECC(TWISTED_EDWARDS),
    ECC_PUBLIC(TWISTED_EDWARDS),
    PSA_KEY_TYPE_RSA_KEY_PAIR,
    PSA_KEY_TYPE_RSA_PUBLIC_KEY,
    PSA_KEY_TYPE_NONE,
    PSA_KEY_TYPE_CHACHA20,
};
static const uint16_t sizes[] = {0, 128, 192, 255, 256, 1024, 8, 520, 65528, 65535, 1};
static const psa_algorithm_t algs[] = {
    PSA_ALG_NONE,
    PSA_ALG_CTR,
    PSA_ALG_CCM,
    PSA_ALG_CMAC,
    PSA_ALG_KW,
    PSA_ALG_HMAC(PSA_ALG_SHA_256),
    PSA_ALG_HKDF(PSA_ALG_SHA_256),
    PSA_ALG_ECDSA(PSA_ALG_SHA_256),
    PSA_ALG_PURE_EDDSA,
    PSA_ALG_ECDH,
    PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256),
    PSA_ALG_RSA_OAEP(PSA_ALG_SHA_256),
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct image {
    size_t size;
    uint8_t bytes[HEADER + MAX_DATA];
};

/* Data of the length that a type wants, or of any. */
static size_t fill_data(struct fuzz_input *input, psa_key_type_t type, uint8_t *data)
{
    const unsigned choice = fuzz_byte(input);
    size_t size = choice < 128 ? 32 : choice < 160 ? 65 : choice < 192 ? 16 : choice;

    if (PSA_KEY_TYPE_IS_RSA(type) && choice < 200) {
        const bool is_pair = type == PSA_KEY_TYPE_RSA_KEY_PAIR;
        size = is_pair ? sizeof rsa1024_pair : sizeof rsa1024_public;
        memcpy(data, is_pair ? rsa1024_pair : rsa1024_public, size);
        for (unsigned changes = fuzz_below(input, 4); changes > 0; changes--) {
            fuzz_change(input, data, size);
        }
        return size;
    }
    for (size_t i = 0; i < size; i++) {
        data[i] = fuzz_byte(input);
    }
    return size;
}

/* The size that data of this length would be of. */
static uint16_t size_of(psa_key_type_t type, size_t length)
{
    if (PSA_KEY_TYPE_IS_RSA(type)) {
        return 1024;
    }
    if (!PSA_KEY_TYPE_IS_ECC(type)) {
        return (uint16_t)(8 * length);
    }
    return PSA_KEY_TYPE_ECC_GET_FAMILY(type) == PSA_ECC_FAMILY_SECP_R1 ? 256 : 255;
}

static struct image make_image(struct fuzz_input *input)
{
    const uint8_t rare = fuzz_byte(input);
    const psa_key_type_t type = types[fuzz_below(input, COUNT(types))];
    struct image image = {0, {2, CORRAL_STAGE_READY, 0}};

    const size_t size = fill_data(input, type, image.bytes + HEADER);
    const size_t public_size = rare % 4 == 1 && size > 33 ? size - 32 : 0;
    image.bytes[3] = (uint8_t)public_size;
    corral_put(image.bytes + 4, type, 2);
    corral_put(image.bytes + 6,
               rare % 8 < 6 ? size_of(type, size) : sizes[fuzz_below(input, COUNT(sizes))], 2);
    corral_put(image.bytes + 8, 0x13707u, 4); /* all usages that there are */
    corral_put(image.bytes + 12, algs[fuzz_below(input, COUNT(algs))], 4);
    corral_put(image.bytes + 16, PSA_KEY_LIFETIME_PERSISTENT, 4);
    corral_put(image.bytes + 20, (uint32_t)(size - (uint8_t)public_size), 2);
    corral_put(image.bytes + 22, ID, 4);
    image.size = HEADER + size;
    for (unsigned changes = rare >= 128 ? fuzz_below(input, 4) : 0; changes > 0; changes--) {
        fuzz_change(input, image.bytes, HEADER);
    }
    if (rare >= 240) {
        image.size -= fuzz_byte(input) % image.size;
    }
    return image;
}

/* Reads the header as documented, and returns whether it can be a key at all. */
static bool is_key(const struct image *image, psa_key_attributes_t *attributes)
{
    const uint8_t *bytes = image->bytes;
    const size_t length = corral_take(bytes + 20, 2);

    psa_set_key_id(attributes, (psa_key_id_t)corral_take(bytes + 22, 4));
    attributes->lifetime = (psa_key_lifetime_t)corral_take(bytes + 16, 4);
    psa_set_key_type(attributes, (psa_key_type_t)corral_take(bytes + 4, 2));
    psa_set_key_bits(attributes, corral_take(bytes + 6, 2));
    attributes->usage = (psa_key_usage_t)corral_take(bytes + 8, 4);
    psa_set_key_algorithm(attributes, (psa_algorithm_t)corral_take(bytes + 12, 4));
    return image->size >= HEADER && bytes[0] == 2 && bytes[1] == CORRAL_STAGE_READY &&
           bytes[2] == 0 && length > 0 && image->size - HEADER == length + bytes[3] &&
           psa_get_key_id(attributes) == ID && psa_get_key_type(attributes) != PSA_KEY_TYPE_NONE &&
           (attributes->lifetime & 0xff) != 0 && attributes->lifetime >> 8 == 0;
}

/* Whether the key has the length of its type and size; of RSA keys it depends on the key. */
static bool has_its_length(const struct image *image, const psa_key_attributes_t *attributes)
{
    const psa_key_type_t type = psa_get_key_type(attributes);
    const size_t bits = psa_get_key_bits(attributes);
    const size_t length = corral_take(image->bytes + 20, 2);
    const size_t public_length = image->bytes[3];

    if (PSA_KEY_TYPE_IS_RSA(type)) {
        return bits == 1024 && public_length == 0 &&
               length <= PSA_EXPORT_KEY_OUTPUT_SIZE(type, bits);
    }
    if (public_length != 0 && (!PSA_KEY_TYPE_IS_ECC_KEY_PAIR(type) ||
                               public_length != PSA_EXPORT_PUBLIC_KEY_OUTPUT_SIZE(type, bits))) {
        return false;
    }
    return (bits % 8 == 0 || bits == 255) && length == PSA_EXPORT_KEY_OUTPUT_SIZE(type, bits);
}

static void use_symmetric(psa_algorithm_t alg, uint8_t *output)
{
    psa_mac_operation_t mac = PSA_MAC_OPERATION_INIT;
    size_t n;

    (void)psa_cipher_encrypt(ID, alg, output, 20, output, OUTPUT, &n);
    (void)psa_aead_encrypt(ID, alg, output, 12, NULL, 0, output, 20, output, OUTPUT, &n);
    (void)psa_mac_compute(ID, alg, output, 20, output, OUTPUT, &n);
    if (psa_mac_sign_setup(&mac, ID, alg) == PSA_SUCCESS) {
        (void)psa_mac_update(&mac, output, 20);
        (void)psa_mac_sign_finish(&mac, output, OUTPUT, &n);
    }
    (void)psa_mac_abort(&mac);
    (void)psa_wrap_key(ID, alg, ID, output, OUTPUT, &n);
}

static void use_asymmetric(psa_algorithm_t alg, uint8_t *output)
{
    uint8_t point[65] = {4};
    size_t n;

    (void)psa_sign_hash(ID, alg, output, 32, output, OUTPUT, &n);
    (void)psa_sign_message(ID, alg, output, 20, output, OUTPUT, &n);
    (void)psa_verify_hash(ID, alg, output, 32, output, 64);
    (void)psa_verify_message(ID, alg, output, 20, output, 128);
    (void)psa_asymmetric_encrypt(ID, alg, output, 20, NULL, 0, output, OUTPUT, &n);
    (void)psa_asymmetric_decrypt(ID, alg, output, 128, NULL, 0, output, OUTPUT, &n);
    (void)psa_export_public_key(ID, output, OUTPUT, &n);
    (void)psa_raw_key_agreement(alg, ID, output, n, output, OUTPUT, &n);
    (void)psa_raw_key_agreement(alg, ID, point, 32, output, OUTPUT, &n);
}

static void use_derivation(psa_algorithm_t alg, uint8_t *output)
{
    psa_key_derivation_operation_t operation = PSA_KEY_DERIVATION_OPERATION_INIT;

    if (psa_key_derivation_setup(&operation, alg) == PSA_SUCCESS) {
        (void)psa_key_derivation_input_key(&operation, PSA_KEY_DERIVATION_INPUT_SECRET, ID);
        (void)psa_key_derivation_input_bytes(&operation, PSA_KEY_DERIVATION_INPUT_INFO, output, 3);
        (void)psa_key_derivation_output_bytes(&operation, output, 20);
    }
    (void)psa_key_derivation_abort(&operation);
}

static void use(const struct image *image, const psa_key_attributes_t *attributes)
{
    const size_t length = corral_take(image->bytes + 20, 2);
    const psa_algorithm_t alg = psa_get_key_algorithm(attributes);
    psa_key_attributes_t copied = *attributes;
    uint8_t *data = fuzz_room(MAX_DATA);
    uint8_t *output = fuzz_room(OUTPUT);
    psa_key_id_t copy;
    size_t n;

    if (psa_export_key(ID, data, MAX_DATA, &n) == PSA_SUCCESS) {
        FUZZ_CHECK(n == length && memcmp(data, image->bytes + HEADER, n) == 0);
    }
    psa_set_key_lifetime(&copied, PSA_KEY_LIFETIME_VOLATILE);
    if (psa_copy_key(ID, &copied, &copy) == PSA_SUCCESS) {
        FUZZ_CHECK(psa_destroy_key(copy) == PSA_SUCCESS);
    }
    use_symmetric(alg, output);
    use_asymmetric(alg, output);
    use_derivation(alg, output);
    free(data);
    free(output);
}

static void check_record(const struct image *image)
{
    psa_key_attributes_t wanted = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_attributes_t found = PSA_KEY_ATTRIBUTES_INIT;
    const bool may_be_key = is_key(image, &wanted);

    const psa_status_t status = psa_get_key_attributes(ID, &found);
    FUZZ_CHECK(status == PSA_SUCCESS || status == PSA_ERROR_DATA_INVALID ||
               status == PSA_ERROR_DATA_CORRUPT);
    FUZZ_CHECK(status != PSA_SUCCESS || may_be_key);
    if (status == PSA_SUCCESS) {
        FUZZ_CHECK(found.id == wanted.id && found.type == wanted.type &&
                   found.bits == wanted.bits && found.usage == wanted.usage &&
                   found.algorithm == wanted.algorithm && found.lifetime == wanted.lifetime);
        FUZZ_CHECK(has_its_length(image, &found));
        use(image, &found);
    }
    FUZZ_CHECK(corral_holds() == 0);
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key;
    FUZZ_CHECK(status == PSA_SUCCESS || psa_copy_key(ID, &attributes, &key) == status);
    psa_set_key_type(&attributes, PSA_KEY_TYPE_RAW_DATA);
    psa_set_key_id(&attributes, ID);
    FUZZ_CHECK(psa_import_key(&attributes, image->bytes, 1, &key) == PSA_ERROR_ALREADY_EXISTS);
    FUZZ_CHECK(psa_purge_key(ID) == status);
    const psa_status_t gone = psa_destroy_key(ID);
    FUZZ_CHECK(gone == status || (gone == PSA_ERROR_NOT_PERMITTED &&
                                  (found.lifetime & 0xff) == PSA_KEY_PERSISTENCE_READ_ONLY));
    FUZZ_CHECK(gone == PSA_ERROR_NOT_PERMITTED ||
               psa_get_key_attributes(ID, &found) == PSA_ERROR_INVALID_HANDLE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct corral_flash_geometry geometry = {2048, 3, 8, false};
    struct fuzz_input input = {data, size};

    flash_model_reset(&geometry);
    corral_store_unmount();
    const struct image image = make_image(&input);
    FUZZ_CHECK(corral_store_set(CORRAL_SPACE_KEYS, ID, 0, image.bytes, image.size) == PSA_SUCCESS);
    check_record(&image);
    (void)psa_purge_key(ID);
    FUZZ_CHECK(corral_holds() == 0 && flash_model_violations() == 0);
    return 0;
}
