/* SPDX-License-Identifier: Apache-2.0 */
/* JWS and SenML in JSON against published examples and those of the protocol. */
#include <string.h>

#include "../../../fleet/device/jws.h"
#include "../../../fleet/device/senml_json.h"
#include "../../persistent/device.h"
#include "material.h"
#include "vectors.h"

static const struct corral_flash_geometry geometry = {4096, 3, 8, false};
static const struct fleet_profile thermometer = {"thermometer", FLEET_P256, FLEET_NO_KEY, 0, 0};
static const struct fleet_profile valve = {"valve", FLEET_ED25519, FLEET_NO_KEY, 0, 0};
static struct fleet_identity identity;

static void install(const struct fleet_profile *profile)
{
    device_fresh(&geometry);
    identity.profile = profile;
    if (profile == &valve) {
        material_key(FLEET_KEYS, PSA_ECC_FAMILY_TWISTED_EDWARDS, PSA_ALG_PURE_EDDSA,
                     vector_ed25519_secret);
        memcpy(identity.id, vector_ed25519_identity, sizeof identity.id);
    } else {
        material_key(FLEET_KEYS, PSA_ECC_FAMILY_SECP_R1, FLEET_ECDSA, vector_p256_secret);
        memcpy(identity.id, vector_p256_identity, sizeof identity.id);
    }
}

static void check_text(const char *wanted, const uint8_t *data, size_t length)
{
    struct corral_cbor writer;
    uint8_t *bytes = test_buffer(strlen(wanted));

    corral_cbor_begin(&writer, bytes, strlen(wanted));
    fleet_base64url_write(&writer, data, length);
    CHECK(!writer.is_full);
    CHECK_BYTES(bytes, writer.length, (const uint8_t *)wanted, strlen(wanted));
}

static void base64__of_rfc_4648_section_10__is_written_without_padding(void)
{
    static const char *const rows[] = {"", "Zg", "Zm8", "Zm9v", "Zm9vYg", "Zm9vYmE", "Zm9vYmFy"};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("row", i);
        check_text(rows[i], (const uint8_t *)"foobar", i);
    }
    check_text("-_8", (const uint8_t *)"\xfb\xff", 2);
}

static void jws__of_rfc_8037_appendix_a_4__is_byte_for_byte_the_published_one(void)
{
    static uint8_t header[] = "{\"alg\":\"EdDSA\"}";
    static const char payload[] = "Example of Ed25519 signing";
    static const char wanted[] =
        "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-"
        "09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
    const struct corral_cbor under = {header, sizeof header - 1, sizeof header - 1, false};
    uint8_t output[sizeof wanted - 1];
    size_t length;

    install(&valve); /* its key is that of the appendix, which is the first of RFC 8032 */
    NEED(fleet_jws_sign_under(&identity, &under, (const uint8_t *)payload, sizeof payload - 1,
                              output, sizeof output, &length));
    CHECK_BYTES(output, length, (const uint8_t *)wanted, sizeof wanted - 1);
}

static void check_reading(const struct fleet_profile *profile, const struct fleet_object *object,
                          const uint8_t *wanted, size_t wanted_length)
{
    uint8_t output[600];
    size_t length;

    install(profile);
    NEED(fleet_jws_sign(&identity, object, output, sizeof output, &length));
    CHECK_BYTES(output, length, wanted, wanted_length);
    for (size_t size = wanted_length < 120 ? 0 : wanted_length - 120; size <= wanted_length;
         size++) {
        uint8_t *small = test_buffer(size);
        const psa_status_t status = fleet_jws_sign(&identity, object, small, size, &length);
        CHECK(size == wanted_length ? status == PSA_SUCCESS && length == wanted_length
                                    : status == PSA_ERROR_BUFFER_TOO_SMALL && length == 0);
        test_free_buffers();
    }
}

static void readings__of_both_algorithms__are_byte_for_byte_the_published_ones(void)
{
    struct fleet_object object = {.payload = vector_jws_pack,
                                  .payload_length = sizeof vector_jws_pack,
                                  .number = {{0, 0, 0, 0, 0, 1, 0, 8}},
                                  .is_reading = true};

    check_reading(&thermometer, &object, vector_jws, sizeof vector_jws);
    object.payload = vector_jws_ed25519_pack;
    object.payload_length = sizeof vector_jws_ed25519_pack;
    object.number = (struct fleet_number){{0, 0, 0, 0, 0, 0, 0, 2}};
    check_reading(&valve, &object, vector_jws_ed25519, sizeof vector_jws_ed25519);
}

static void check_pack(const struct fleet_record *records, uint8_t count,
                       const struct fleet_moment *moment, const uint8_t *wanted, size_t length)
{
    struct corral_cbor writer;
    uint8_t *bytes = test_buffer(length);

    corral_cbor_begin(&writer, bytes, length);
    fleet_senml_json_write(&writer, records, count, moment);
    CHECK(!writer.is_full);
    CHECK_BYTES(bytes, writer.length, wanted, length);
    corral_cbor_begin(&writer, NULL, 1000);
    fleet_senml_json_write(&writer, records, count, NULL);
    CHECK(moment != NULL ? writer.length + FLEET_JSON_MOMENT_SIZE(count) >= length
                         : writer.length == length);
}

static void pack__at_a_moment__is_as_published(void)
{
    static const struct fleet_record records[] = {
        {"t", "Cel", 0, 235, -1, FLEET_NUMBER},
        {"t", "Cel", 1795000000u - 60, 234, -1, FLEET_NUMBER},
    };

    check_pack(records, 2,
               &(const struct fleet_moment){1795000000u, 3600, FLEET_CLOCK_SYNCHRONISED},
               vector_jws_pack, sizeof vector_jws_pack);
}

static void pack__of_the_longest_moment__is_as_long_as_is_said(void)
{
    static const struct fleet_record record = {"t", NULL, 300000000u, 1, 0, FLEET_NUMBER};
    static const char wanted[] = "[{\"n\":\"t\",\"v\":1,\"t\":-2115919103,\"bt\":2415919103,"
                                 "\"btsync\":4294967295}]";

    check_pack(&record, 1,
               &(const struct fleet_moment){2415919103u, UINT32_MAX, FLEET_CLOCK_SYNCHRONISED},
               (const uint8_t *)wanted, sizeof wanted - 1);
    CHECK(sizeof "[{\"n\":\"t\",\"v\":1,\"t\":300000000}]" - 1 + FLEET_JSON_MOMENT_SIZE(1u) ==
          sizeof wanted - 1);
}

static void records__of_every_kind__are_json(void)
{
    static const struct fleet_record records[] = {
        {"a", NULL, 1795000000u, INT32_MIN, 0, FLEET_NUMBER},
        {"b", NULL, 0, 1, 0, FLEET_TRUTH},
        {"c", "\"\\\n", 0, 0, INT8_MAX, FLEET_TRUTH},
        {"d", "%RH", 0, INT32_MAX, INT8_MIN, FLEET_NUMBER},
    };
    static const char wanted[] =
        "[{\"n\":\"a\",\"v\":-2147483648,\"t\":1795000000},{\"n\":\"b\",\"vb\":true},"
        "{\"n\":\"c\",\"u\":\"\\u0022\\u005c\\u000a\",\"vb\":false},"
        "{\"n\":\"d\",\"u\":\"%RH\",\"v\":2147483647e-128}]";

    check_pack(records, 4, NULL, (const uint8_t *)wanted, sizeof wanted - 1);
}

static const struct test_case tests[] = {
    TEST(base64__of_rfc_4648_section_10__is_written_without_padding),
    TEST(jws__of_rfc_8037_appendix_a_4__is_byte_for_byte_the_published_one),
    TEST(readings__of_both_algorithms__are_byte_for_byte_the_published_ones),
    TEST(pack__at_a_moment__is_as_published),
    TEST(pack__of_the_longest_moment__is_as_long_as_is_said),
    TEST(records__of_every_kind__are_json),
};
TEST_SUITE(jws, tests);
