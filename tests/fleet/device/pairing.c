/* SPDX-License-Identifier: Apache-2.0 */
/* Pairing: the secret that an independent library derives, too, and failures that leave none. */
#include "../../../fleet/device/pairing.h"

#include <string.h>

#include "../../../fleet/device/device.h"
#include "../../persistent/device.h"
#include "material.h"
#include "network.h"
#include "vectors.h"

static const struct corral_flash_geometry geometry = {4096, 4, 8, false};
static const struct fleet_settings settings = {
    {"valve", FLEET_ED25519, FLEET_X25519, 0, 0}, 4, false, NULL, NULL, NULL, NULL, 0};
static const struct fleet_settings on_p256 = {
    {"valve", FLEET_P256, FLEET_P256, 0, 0}, 4, false, NULL, NULL, NULL, NULL, 0};
static const struct fleet_settings without_agreement = {
    {"valve", FLEET_P256, FLEET_NO_KEY, 0, 0}, 4, false, NULL, NULL, NULL, NULL, 0};
static struct fleet_device device;
static struct fleet_pairing pairing;
static bool is_paired;

static bool is_late; /* no commander waits for results any more */

static void server(const struct network_message *sent)
{
    const struct network_answer answer = {.type = FLEET_COAP_ACK,
                                          .code =
                                              is_late ? FLEET_COAP_NOT_FOUND : FLEET_COAP_CHANGED,
                                          .id = network_read(sent).head.id};

    network_answer(20, sent, &answer);
}

static void begin(const struct fleet_settings *of)
{
    fleet_pairing_forget(&pairing);
    NEED(fleet_device_start(&device, of));
    device.is_registered = true;
    is_late = false;
    network_reset(0, server);
}

/* A device whose keys are the published ones. */
static void install(void)
{
    uint8_t record[18] = {1, 0};

    device_fresh(&geometry);
    material_key(FLEET_KEYS, PSA_ECC_FAMILY_TWISTED_EDWARDS, PSA_ALG_PURE_EDDSA,
                 vector_ed25519_secret);
    material_key(FLEET_KEYS + 1u, PSA_ECC_FAMILY_MONTGOMERY, PSA_ALG_ECDH, vector_x25519_secret);
    memcpy(record + 2, vector_ed25519_identity, FLEET_IDENTITY_SIZE);
    NEED(psa_its_set(FLEET_ENTRIES, sizeof record, record, 0));
    NEED(psa_its_set(FLEET_ENTRIES + 1, 8, "\0\0\0\0\0\0\0\1", 0));
    begin(&settings);
}

/* Of the command that offers: the published one, or another, from which another key comes. */
static const uint8_t *offered_by = vector_command_hash;

static bool is_taken(const char *name, const uint8_t *data, size_t length, psa_status_t *status)
{
    struct fleet_command command = {.kind = FLEET_DATA, .length = (uint8_t)length};

    strcpy(command.name, name);
    memcpy(command.data, data, length);
    memcpy(command.hash, offered_by, sizeof command.hash);
    return fleet_pairing_take(&device, &pairing, &command, &is_paired, status);
}

static psa_status_t take(const char *name, const uint8_t *data, size_t length)
{
    psa_status_t status = PSA_ERROR_GENERIC_ERROR;

    CHECK(is_taken(name, data, length, &status));
    return status;
}

static psa_status_t offer(void)
{
    return take("cf1-pair", vector_pairing_offer, sizeof vector_pairing_offer);
}

static psa_status_t confirm(void)
{
    return take("cf1-paired", vector_pairing_answer, sizeof vector_pairing_answer);
}

/* Pair, with a key that is not the one of the published pairing. */
static void pair_otherwise(void)
{
    offered_by = vector_earlier_hash;
    EXPECT(PSA_SUCCESS, offer());
    offered_by = vector_command_hash;
    EXPECT(PSA_SUCCESS, take("cf1-paired", vector_earlier_answer, sizeof vector_earlier_answer));
}

/* The result that was told last: its status, and its value. */
static const uint8_t *told(void)
{
    const struct fleet_coap_message message = network_read(&network_sent[network_sent_count - 1]);

    /* [h'a10127', {6: h'8 bytes'}, h'a2 01 status 02 value', signature] */
    for (const uint8_t *at = message.payload; at < message.payload + 24; at++) {
        if (at[0] == 0xa2 && at[1] == 0x01 && at[3] == 0x02) {
            return at + 2;
        }
    }
    return (const uint8_t *)"";
}

/* Which key is there: none, that of pair_otherwise(), or that of the published pairing. */
enum kept { NONE, OTHER, PUBLISHED };

static psa_status_t verify(const uint8_t *mac)
{
    return psa_mac_verify(fleet_identity_pairing(&device.identity), PSA_ALG_HMAC(PSA_ALG_SHA_256),
                          vector_command, sizeof vector_command, mac, sizeof vector_pairing_mac);
}

static enum kept kept(void)
{
    const psa_status_t status = verify(vector_pairing_mac);

    if (status == PSA_SUCCESS) {
        EXPECT(PSA_ERROR_INVALID_SIGNATURE, verify(vector_earlier_mac));
        return PUBLISHED;
    }
    if (status == PSA_ERROR_INVALID_HANDLE) {
        return NONE;
    }
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, status);
    EXPECT(PSA_SUCCESS, verify(vector_earlier_mac));
    return OTHER;
}

/* Whether the key of the published pairing is there. false: there is none at all. */
static bool has_key(void)
{
    const enum kept key = kept();

    CHECK(key != OTHER);
    return key == PUBLISHED;
}

static void pairing__of_the_example__confirms_and_keeps_what_another_library_derives(void)
{
    uint8_t exported[64];
    size_t length;

    install();
    EXPECT(PSA_SUCCESS, offer());
    CHECK(!is_paired && !has_key());
    CHECK_BYTES(told(), 4, (const uint8_t *)"\x00\x02\x58\x20", 4);
    CHECK_BYTES(told() + 4, 32, vector_pairing_confirmation, sizeof vector_pairing_confirmation);
    EXPECT(PSA_SUCCESS, confirm());
    CHECK(is_paired && has_key());
    CHECK_BYTES(told(), 3, (const uint8_t *)"\x00\x02\xf6", 3);
    EXPECT(PSA_ERROR_NOT_PERMITTED, psa_export_key(fleet_identity_pairing(&device.identity),
                                                   exported, sizeof exported, &length));
    device_restart();
    begin(&settings);
    CHECK(has_key());
}

static void offer__of_what_is_no_key__is_refused_and_nothing_is_left(void)
{
    /* Points of small order on Curve25519: 0, 1, and one of order 8 (RFC 7748, 6.1, and its
     * references); the secret would be known to everybody. */
    static const uint8_t small[3][32] = {
        {0}, {1}, {0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3,
                   0xfa, 0xf1, 0x9f, 0xc4, 0x6a, 0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32,
                   0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00}};
    uint8_t point[65] = {4, 1};

    install();
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++) {
        EXPECT(PSA_ERROR_INVALID_ARGUMENT, take("cf1-pair", small[i], sizeof small[i]));
        CHECK(told()[0] == FLEET_WRONG_ARGUMENT);
        EXPECT(PSA_ERROR_BAD_STATE, confirm());
        CHECK(told()[0] == FLEET_FAILED);
    }
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, take("cf1-pair", vector_pairing_offer, 31));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, take("cf1-pair", point, 0));
    device_fresh(&geometry);
    begin(&on_p256);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, take("cf1-pair", point, sizeof point)); /* not on it */
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, offer());                               /* X25519's */
    device_fresh(&geometry);
    begin(&without_agreement);
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, offer());
    CHECK(told()[0] == FLEET_WRONG_ARGUMENT);
    EXPECT(PSA_ERROR_BAD_STATE, confirm());
    CHECK(!has_key());
}

static void confirmation__that_is_wrong__ends_the_pairing(void)
{
    uint8_t wrong[32];

    install();
    memcpy(wrong, vector_pairing_answer, sizeof wrong);
    wrong[31] ^= 1;
    EXPECT(PSA_SUCCESS, offer());
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, take("cf1-paired", wrong, sizeof wrong));
    CHECK(told()[0] == FLEET_WRONG_ARGUMENT);
    EXPECT(PSA_ERROR_BAD_STATE, confirm()); /* each offer has one attempt */
    EXPECT(PSA_SUCCESS, offer());
    EXPECT(PSA_ERROR_INVALID_SIGNATURE,
           take("cf1-paired", vector_pairing_answer, sizeof vector_pairing_answer - 1));
    EXPECT(PSA_ERROR_BAD_STATE, confirm());
    EXPECT(PSA_SUCCESS, offer()); /* its own confirmation, reflected */
    EXPECT(PSA_ERROR_INVALID_SIGNATURE, take("cf1-paired", vector_pairing_confirmation, 32));
    CHECK(!is_paired && !has_key());
}

static void confirmation__of_an_offer_that_is_gone__pairs_nobody(void)
{
    install();
    EXPECT(PSA_ERROR_BAD_STATE, confirm());
    EXPECT(PSA_SUCCESS, offer());
    EXPECT(PSA_ERROR_INVALID_ARGUMENT, take("cf1-pair", vector_pairing_offer, 31));
    EXPECT(PSA_ERROR_BAD_STATE, confirm()); /* another offer took its place */
    EXPECT(PSA_SUCCESS, offer());
    NEED(fleet_device_reset(&device));
    EXPECT(PSA_ERROR_BAD_STATE, confirm()); /* it was made to another identity */
    install();
    EXPECT(PSA_SUCCESS, offer());
    EXPECT(PSA_SUCCESS, confirm());
    EXPECT(PSA_ERROR_BAD_STATE, confirm()); /* once more */
    CHECK(!is_paired && has_key());
}

static void command__of_the_application__is_left_to_it(void)
{
    static const char *const names[] = {"cf1-pairs", "cf1-paire", "cf1-x", "interval", ""};
    psa_status_t status = PSA_ERROR_GENERIC_ERROR;

    install();
    EXPECT(PSA_SUCCESS, offer());
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        CHECK(!is_taken(names[i], vector_pairing_answer, 32, &status) && !is_paired);
    }
    EXPECT(PSA_ERROR_GENERIC_ERROR, status); /* not written */
    CHECK(network_sent_count == 1);
    EXPECT(PSA_SUCCESS, confirm());
    CHECK(is_paired);
}

static void command__whose_result_is_late__is_still_one_of_pairing(void)
{
    install();
    is_late = true;
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, offer());
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, confirm());
    CHECK(is_paired && has_key());
    EXPECT(PSA_ERROR_BAD_STATE, confirm());
    CHECK(!is_paired && network_sent_count == 3);
}

static void reset__destroys_the_pairing(void)
{
    install();
    EXPECT(PSA_SUCCESS, offer());
    EXPECT(PSA_SUCCESS, confirm());
    NEED(fleet_device_reset(&device));
    for (psa_key_id_t place = 0; place < 2; place++) {
        psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
        EXPECT(PSA_ERROR_INVALID_HANDLE,
               psa_get_key_attributes(FLEET_KEYS + 4u + place, &attributes));
    }
}

/* Tests whether an operation that could derive a secret is still active. */
static bool has_derived(void)
{
    size_t capacity;
    const psa_status_t status = psa_key_derivation_get_capacity(&pairing.operation, &capacity);

    CHECK(status == PSA_SUCCESS || status == PSA_ERROR_BAD_STATE);
    CHECK((status == PSA_SUCCESS) == pairing.is_offered);
    return status == PSA_SUCCESS;
}

static void derivation__of_an_identity_that_is_gone__is_in_memory_no_more(void)
{
    install();
    EXPECT(PSA_SUCCESS, offer());
    CHECK(has_derived());
    NEED(fleet_device_reset(&device));
    CHECK(!has_derived());
    EXPECT(PSA_SUCCESS, offer());
    NEED(fleet_device_hand_over(&device));
    CHECK(!has_derived());
    EXPECT(PSA_SUCCESS, offer());
    EXPECT(PSA_ERROR_BAD_STATE, fleet_device_hand_over(&device)); /* the identity stays */
    CHECK(has_derived());
}

static void pairing__once_more__keeps_the_key_of_the_last(void)
{
    install();
    pair_otherwise();
    CHECK(is_paired && kept() == OTHER);
    EXPECT(PSA_SUCCESS, offer());
    CHECK(kept() == OTHER); /* until the other side has confirmed */
    EXPECT(PSA_SUCCESS, confirm());
    CHECK(is_paired && kept() == PUBLISHED);
}

/* Offer and confirm; whether it was told that the device is paired. */
static bool is_told_done(void)
{
    if (offer() != PSA_SUCCESS) {
        return false;
    }
    const unsigned before = network_sent_count;
    (void)confirm();
    return network_sent_count > before && told()[0] == FLEET_DONE;
}

/* Power fails at each step of the flash, in a first pairing and in a second one. */
static void pairing__whenever_power_fails__is_whole_or_not_there(void)
{
    unsigned ended[PUBLISHED + 1] = {0};
    unsigned cuts = 0;

    for (unsigned tear = 0; tear < 2u * FLASH_MODEL_TEARS; tear++) {
        const bool is_second = tear >= FLASH_MODEL_TEARS;
        for (uint32_t step = 1;; step++) {
            install();
            if (is_second) {
                pair_otherwise();
            }
            flash_model_cut(step, (enum flash_model_tear)(tear % FLASH_MODEL_TEARS));
            const bool is_done = is_told_done();
            const bool was_cut = flash_model_power_on();
            device_restart();
            begin(&settings);
            const enum kept key = kept();
            CHECK(key != OTHER || is_second);
            CHECK(key == PUBLISHED || !is_done); /* the reported result is true */
            CHECK(is_done || was_cut);
            ended[key]++;
            EXPECT(PSA_ERROR_BAD_STATE, confirm()); /* no half of it outlives power */
            EXPECT(PSA_SUCCESS, offer());
            EXPECT(PSA_SUCCESS, confirm());
            CHECK(has_key());
            if (!was_cut) {
                break;
            }
            cuts++;
        }
    }
    CHECK(ended[NONE] > 3 && ended[OTHER] > 0 && ended[PUBLISHED] >= 2u * FLASH_MODEL_TEARS);
    CHECK(cuts > ended[NONE]);
}

static const struct test_case tests[] = {
    TEST(pairing__of_the_example__confirms_and_keeps_what_another_library_derives),
    TEST(offer__of_what_is_no_key__is_refused_and_nothing_is_left),
    TEST(confirmation__that_is_wrong__ends_the_pairing),
    TEST(confirmation__of_an_offer_that_is_gone__pairs_nobody),
    TEST(command__of_the_application__is_left_to_it),
    TEST(command__whose_result_is_late__is_still_one_of_pairing),
    TEST(reset__destroys_the_pairing),
    TEST(derivation__of_an_identity_that_is_gone__is_in_memory_no_more),
    TEST(pairing__once_more__keeps_the_key_of_the_last),
    TEST(pairing__whenever_power_fails__is_whole_or_not_there),
};
TEST_SUITE(pairing, tests);
