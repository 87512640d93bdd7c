/* SPDX-License-Identifier: Apache-2.0 */
/* CBOR and SenML against published encodings. */
#include <string.h>

#include <corral/cbor.h>

#include "../../../fleet/device/senml.h"
#include "../../harness/harness.h"

static void heads__of_rfc_8949_appendix_a__are_written(void)
{
    static const struct {
        uint64_t value;
        const char *encoding;
        size_t length;
    } rows[] = {
        {0, "\x00", 1},
        {23, "\x17", 1},
        {24, "\x18\x18", 2},
        {100, "\x18\x64", 2},
        {1000, "\x19\x03\xe8", 3},
        {1000000, "\x1a\x00\x0f\x42\x40", 5},
        {1000000000000u, "\x1b\x00\x00\x00\xe8\xd4\xa5\x10\x00", 9},
        {UINT64_MAX, "\x1b\xff\xff\xff\xff\xff\xff\xff\xff", 9},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct corral_cbor writer;
        uint8_t *bytes = test_buffer(rows[i].length);
        test_context("row", i);
        corral_cbor_begin(&writer, bytes, rows[i].length);
        corral_cbor_long(&writer, rows[i].value);
        CHECK(!writer.is_full);
        CHECK_BYTES(bytes, writer.length, (const uint8_t *)rows[i].encoding, rows[i].length);
    }
    test_context(NULL, 0);
}

static void integers__of_rfc_8949_appendix_a__are_written(void)
{
    static const uint8_t wanted[] = {0x20, 0x29, 0x38, 0x63, 0x39, 0x03, 0xe7, 0x0a, 0x3a,
                                     0x7f, 0xff, 0xff, 0xff, 0x1a, 0x7f, 0xff, 0xff, 0xff};
    struct corral_cbor writer;
    uint8_t *bytes = test_buffer(sizeof wanted);

    corral_cbor_begin(&writer, bytes, sizeof wanted);
    corral_cbor_int(&writer, -1);
    corral_cbor_int(&writer, -10);
    corral_cbor_int(&writer, -100);
    corral_cbor_int(&writer, -1000);
    corral_cbor_int(&writer, 10);
    corral_cbor_int(&writer, INT32_MIN);
    corral_cbor_int(&writer, INT32_MAX);
    CHECK(!writer.is_full);
    CHECK_BYTES(bytes, writer.length, wanted, sizeof wanted);
}

static void writer__without_room__writes_nothing_more_and_says_so(void)
{
    for (size_t size = 0; size < 6; size++) {
        struct corral_cbor writer;
        uint8_t *bytes = test_buffer(size);
        corral_cbor_begin(&writer, bytes, size);
        corral_cbor_text(&writer, "IETF"); /* 6449455446 */
        corral_cbor_null(&writer);
        CHECK(writer.is_full);
        CHECK(writer.length <= size);
    }
}

static void records__of_every_kind__are_written_as_rfc_8428_has_them(void)
{
    static const struct fleet_record records[] = {
        {"t", "K", 1795000000u, 27315, -2, FLEET_NUMBER},
        {"open", NULL, 0, 1, 0, FLEET_TRUTH},
        {"n", "count", 0, -5, 0, FLEET_NUMBER},
    };
    /* 273.15 as a decimal fraction is the example of RFC 8949, 3.4.4. */
    static const uint8_t wanted[] = "\x83"
                                    "\xa4\x00\x61t\x01\x61K\x02\xc4\x82\x21\x19\x6a\xb3"
                                    "\x06\x1a\x6a\xfd\x86\xc0"
                                    "\xa2\x00\x64open\x04\xf5"
                                    "\xa3\x00\x61n\x01\x65"
                                    "count\x02\x24";
    struct corral_cbor writer;
    uint8_t bytes[100];

    corral_cbor_begin(&writer, bytes, sizeof bytes);
    fleet_senml_write(&writer, records, 3);
    CHECK_BYTES(bytes, writer.length, wanted, sizeof wanted - 1);
}

static const struct test_case tests[] = {
    TEST(heads__of_rfc_8949_appendix_a__are_written),
    TEST(integers__of_rfc_8949_appendix_a__are_written),
    TEST(writer__without_room__writes_nothing_more_and_says_so),
    TEST(records__of_every_kind__are_written_as_rfc_8428_has_them),
};
TEST_SUITE(encoding, tests);
