/* SPDX-License-Identifier: Apache-2.0 */
/* Handing over: the old key's statement, when it is sent, and that it is kept until it arrives. */
#include "../../../fleet/device/handover.h"

#include <string.h>

#include "../../../fleet/device/device.h"
#include "../../persistent/device.h"
#include "material.h"
#include "network.h"
#include "vectors.h"

#define SUCCESSOR_PLACE 1u

static const struct corral_flash_geometry geometry = {4096, 3, 8, false};
static const struct fleet_profile successor_profile = {"valve", FLEET_ED25519, FLEET_X25519, 0, 0};
static struct fleet_settings settings = {
    {"thermometer", FLEET_ED25519, FLEET_NO_KEY, 0, 0}, 4, false, NULL, NULL, NULL, NULL, 0};
static struct fleet_device device;
static struct material_predecessor old;

/* The tests' server answers hand-overs (0: not at all) and registrations with these codes. */
static uint8_t handover_code;
static uint8_t registration_code;
static unsigned handovers;
static unsigned registrations;
static uint64_t number; /* of the latest hand-over */

static void answer_with(const struct network_message *sent, uint8_t code, uint16_t option,
                        const void *value, size_t length)
{
    const struct network_answer made = {FLEET_COAP_ACK, code,  network_read(sent).head.id,
                                        option,         value, length};

    network_answer(20, sent, &made);
}

/* Sends challenges, and answers signed messages with the codes above. */
static void server(const struct network_message *sent)
{
    const struct fleet_coap_message message = network_read(sent);
    struct fleet_coap_option_value echo;

    REQUIRE(sent->peer == FLEET_BROKER && message.head.code == FLEET_COAP_POST);
    if (!fleet_coap_find(&message, FLEET_COAP_ECHO, &echo)) {
        CHECK(message.payload_length == 0);
        answer_with(sent, FLEET_COAP_UNAUTHORIZED, FLEET_COAP_ECHO, vector_registration_nonce,
                    sizeof vector_registration_nonce);
        return;
    }
    const uint64_t said =
        material_handover(&old, &device.identity, message.payload, message.payload_length);
    if (said == 0) {
        registrations++;
        answer_with(sent, registration_code, FLEET_COAP_LOCATION_PATH, "data", 4);
        return;
    }
    CHECK(registrations == 0); /* the successor is unknown before the hand-over */
    handovers++;
    number = said;
    if (handover_code != 0) {
        answer_with(sent, handover_code, 0, NULL, 0);
    }
}

static void meet_server(uint8_t of_handover, uint8_t of_registration)
{
    network_reset(fleet_port_now() + 3600u * 1000u, server);
    handover_code = of_handover;
    registration_code = of_registration;
    handovers = 0;
    registrations = 0;
}

static bool is_kept(void)
{
    return fleet_handover_find(&device.identity) == PSA_SUCCESS;
}

/* A device that has handed over, but has not sent it yet. */
static void install(void)
{
    device_fresh(&geometry);
    NEED(fleet_device_start(&device, &settings));
    material_remember(&device.identity, &old);
    NEED(fleet_device_hand_over(&device));
    CHECK(memcmp(device.identity.id, old.id, sizeof old.id) != 0);
    CHECK(fleet_number_read(device.sequence.next.bytes) == FLEET_SEQUENCE_FIRST);
}

static void handover__of_the_example__is_byte_for_byte_the_published_one(void)
{
    static const struct fleet_profile profile = {"thermometer", FLEET_P256, FLEET_NO_KEY, 0, 0};
    struct fleet_identity identity = {&profile, 0, {0}};
    struct fleet_identity successor = {&successor_profile, SUCCESSOR_PLACE, {0}};
    uint8_t *output = test_buffer(FLEET_HANDOVER_SIZE);
    size_t length;

    device_fresh(&geometry);
    material_key(FLEET_KEYS, PSA_ECC_FAMILY_SECP_R1, FLEET_ECDSA, vector_p256_secret);
    material_key(FLEET_KEYS + 2, PSA_ECC_FAMILY_TWISTED_EDWARDS, PSA_ALG_PURE_EDDSA,
                 vector_ed25519_secret);
    material_key(FLEET_KEYS + 3, PSA_ECC_FAMILY_MONTGOMERY, PSA_ALG_ECDH, vector_x25519_secret);
    memcpy(identity.id, vector_p256_identity, sizeof identity.id);
    memcpy(successor.id, vector_ed25519_identity, sizeof successor.id);
    static const struct fleet_number number_65540 = {{0, 0, 0, 0, 0, 1, 0, 4}};
    NEED(fleet_handover_write(&identity, &successor, &number_65540, output, &length));
    CHECK_BYTES(output, length, vector_handover, sizeof vector_handover);
    test_free_buffers();
}

static void handover__before_its_successor_registers__is_sent_and_then_forgotten(void)
{
    install();
    CHECK(is_kept());
    meet_server(FLEET_COAP_CHANGED, FLEET_COAP_CREATED);
    EXPECT(PSA_SUCCESS, fleet_device_register(&device));
    CHECK(handovers == 1 && number == FLEET_SEQUENCE_FIRST && registrations == 1);
    CHECK(network_sent_count == 4 && device.is_registered && !is_kept());
    meet_server(FLEET_COAP_CHANGED, FLEET_COAP_CREATED);
    EXPECT(PSA_SUCCESS, fleet_device_register(&device));
    CHECK(handovers == 0 && registrations == 1);
}

static void handover__that_nobody_answers__is_sent_after_the_next_start(void)
{
    static const uint8_t busy = FLEET_COAP_CODE(5, 3);

    install();
    meet_server(0, FLEET_COAP_CREATED);
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, fleet_device_register(&device));
    CHECK(handovers > 1 && registrations == 0 && is_kept());
    device_restart();
    NEED(fleet_device_start(&device, &settings));
    meet_server(busy, FLEET_COAP_CREATED);
    EXPECT(PSA_ERROR_NOT_PERMITTED, fleet_device_register(&device));
    EXPECT(PSA_ERROR_BAD_STATE, fleet_device_register(&device));
    CHECK(handovers == 1 && registrations == 0 && is_kept());
    meet_server(FLEET_COAP_CHANGED, FLEET_COAP_CREATED);
    EXPECT(PSA_SUCCESS, fleet_device_register(&device));
    CHECK(handovers == 1 && registrations == 1 && !is_kept());
}

/* Already accepted, because the answer was lost, or signed by a device that is not enrolled. */
static void handover__that_is_refused__is_kept_until_the_successor_is_let_in(void)
{
    static const uint8_t refusal = FLEET_COAP_CODE(4, 3);

    install();
    meet_server(refusal, refusal);
    EXPECT(PSA_ERROR_NOT_PERMITTED, fleet_device_register(&device));
    CHECK(handovers == 1 && registrations == 1 && is_kept());
    meet_server(FLEET_COAP_CONFLICT, FLEET_COAP_CREATED);
    EXPECT(PSA_SUCCESS, fleet_device_register(&device));
    CHECK(handovers == 1 && registrations == 1 && !is_kept());
}

/* As an earlier program with larger messages may have stored it. */
static void handover__that_no_message_holds__keeps_no_successor_away(void)
{
    static const uint8_t refusal = FLEET_COAP_CODE(4, 3);
    static const uint8_t stored[FLEET_MESSAGE_SIZE] = {0};

    install();
    NEED(psa_its_set(FLEET_ENTRIES + fleet_identity_handover(&device.identity), sizeof stored,
                     stored, PSA_STORAGE_FLAG_NONE));
    meet_server(FLEET_COAP_CHANGED, refusal);
    EXPECT(PSA_ERROR_NOT_PERMITTED, fleet_device_register(&device));
    CHECK(handovers == 0 && registrations == 1 && is_kept());
    meet_server(FLEET_COAP_CHANGED, FLEET_COAP_CREATED);
    EXPECT(PSA_SUCCESS, fleet_device_register(&device));
    CHECK(handovers == 0 && registrations == 1 && device.is_registered && !is_kept());
}

static void handover__while_one_is_under_way__changes_nothing_and_a_reset_forgets_it(void)
{
    uint8_t id[FLEET_IDENTITY_SIZE];

    install();
    memcpy(id, device.identity.id, sizeof id);
    EXPECT(PSA_ERROR_BAD_STATE, fleet_device_hand_over(&device));
    CHECK(memcmp(id, device.identity.id, sizeof id) == 0 && is_kept());
    meet_server(FLEET_COAP_CODE(5, 3), FLEET_COAP_CREATED);
    EXPECT(PSA_ERROR_NOT_PERMITTED, fleet_device_register(&device));
    EXPECT(PSA_ERROR_BAD_STATE, fleet_device_hand_over(&device));
    EXPECT(PSA_ERROR_BAD_STATE, fleet_device_register(&device)); /* also patience is as it was */
    CHECK(handovers == 1);
    EXPECT(PSA_SUCCESS, fleet_device_reset(&device));
    CHECK(!is_kept());
    meet_server(FLEET_COAP_CHANGED, FLEET_COAP_CREATED);
    EXPECT(PSA_SUCCESS, fleet_device_register(&device));
    CHECK(handovers == 0 && registrations == 1);
    EXPECT(PSA_SUCCESS, fleet_device_hand_over(&device));
    CHECK(is_kept());
}

static void handover__by_a_member_or_without_keys__is_refused(void)
{
    psa_key_id_t key;

    install();
    meet_server(FLEET_COAP_CHANGED, FLEET_COAP_CREATED);
    NEED(fleet_device_register(&device));
    key = fleet_identity_key(&device.identity);
    settings.group_size = 2;
    EXPECT(PSA_ERROR_NOT_PERMITTED, fleet_device_hand_over(&device));
    settings.group_size = 0;
    CHECK(key == fleet_identity_key(&device.identity));
    NEED(psa_destroy_key(key));
    EXPECT(PSA_ERROR_DATA_CORRUPT, fleet_device_hand_over(&device));
    CHECK(key == fleet_identity_key(&device.identity));
}

/* Power fails at each step of the flash while it is delivered. */
static void handover__cut_while_it_is_delivered__is_kept_unless_it_arrived(void)
{
    static struct device_storage before;
    bool was_cut = true;
    unsigned kept = 0;
    uint32_t step;

    install();
    device_save(&before);
    for (step = 1; was_cut; step++) {
        device_restore(&before);
        device_restart();
        NEED(fleet_device_start(&device, &settings));
        meet_server(FLEET_COAP_CHANGED, FLEET_COAP_CREATED);
        flash_model_cut(step, FLASH_MODEL_NOTHING);
        (void)fleet_device_register(&device);
        was_cut = flash_model_power_on();
        device_restart();
        NEED(fleet_device_start(&device, &settings));
        CHECK(is_kept() || (handovers == 1 && registrations == 1));
        kept += is_kept();
    }
    CHECK(step > 3 && kept > 0 && !is_kept());
}

static const struct test_case tests[] = {
    TEST(handover__of_the_example__is_byte_for_byte_the_published_one),
    TEST(handover__before_its_successor_registers__is_sent_and_then_forgotten),
    TEST(handover__that_nobody_answers__is_sent_after_the_next_start),
    TEST(handover__that_is_refused__is_kept_until_the_successor_is_let_in),
    TEST(handover__that_no_message_holds__keeps_no_successor_away),
    TEST(handover__while_one_is_under_way__changes_nothing_and_a_reset_forgets_it),
    TEST(handover__by_a_member_or_without_keys__is_refused),
    TEST(handover__cut_while_it_is_delivered__is_kept_unless_it_arrived),
};
TEST_SUITE(handover, tests);
