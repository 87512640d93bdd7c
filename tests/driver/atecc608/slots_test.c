/* SPDX-License-Identifier: Apache-2.0 */
/* Owners of slots: exhaustion, destruction, attached keys, several chips, exchanged chips. */
#include "rig.h"

#include <slots.h>

static struct atecc608_state *state_of(size_t index)
{
    struct atecc608_session session;
    struct atecc608_state *state;

    atecc608_open_device(&session, &corral_atecc608_devices[index]);
    state = atecc608_state(&session);
    NEED(atecc608_close(&session, PSA_SUCCESS));
    return state;
}

static void export_point(size_t index, const uint8_t *context, uint8_t point[65])
{
    const psa_key_attributes_t attributes = attributes_of(index, P256_PAIR, 256);
    size_t length = 0;

    NEED(atecc608_export_public_key(&attributes, context, CONTEXT_SIZE, point, 65, &length));
}

/* Each kind has its own number of slots; a full kind refuses and the others go on. */
static void test_exhaustion(void)
{
    static const struct {
        psa_key_type_t type;
        size_t bits;
        size_t slots;
    } kinds[] = {
        {P256_PAIR, 256, PAIRS},
        {PSA_KEY_TYPE_AES, 128, CIPHER_KEYS},
        {PSA_KEY_TYPE_HMAC, 256, MAC_KEYS},
    };
    uint8_t contexts[3][4][CONTEXT_SIZE];

    rig_ready();
    for (size_t k = 0; k < 3; k++) {
        const psa_key_attributes_t attributes = attributes_of(0, kinds[k].type, kinds[k].bits);

        for (size_t i = 0; i < kinds[k].slots; i++) {
            NEED(atecc608_allocate_key(&attributes, contexts[k][i], CONTEXT_SIZE));
            for (size_t j = 0; j < i; j++) {
                CHECK(contexts[k][i][0] != contexts[k][j][0]);
            }
        }
        EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE,
               atecc608_allocate_key(&attributes, contexts[k][3], CONTEXT_SIZE));
    }
    for (size_t k = 0; k < 3; k++) {
        const psa_key_attributes_t attributes = attributes_of(0, kinds[k].type, kinds[k].bits);
        uint8_t again[CONTEXT_SIZE];

        NEED(atecc608_destroy_key(&attributes, contexts[k][0], CONTEXT_SIZE));
        NEED(atecc608_allocate_key(&attributes, again, CONTEXT_SIZE));
        CHECK(again[0] == contexts[k][0][0]);
    }
    /* the other chips are as empty as before */
    CHECK(state_of(1)->used == 0 && state_of(2)->used == 0);
}

static void test_small_context(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, P256_PAIR, 256);
    uint8_t *context = exact(NULL, CONTEXT_SIZE - 1);
    uint8_t slot = RESERVED_SLOT;
    psa_key_attributes_t found = attributes;
    size_t length = 0;

    rig_ready();
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
           atecc608_allocate_key(&attributes, context, CONTEXT_SIZE - 1));
    EXPECT(PSA_ERROR_BUFFER_TOO_SMALL,
           atecc608_attach_key(&found, &slot, 1, context, CONTEXT_SIZE - 1, &length));
    CHECK(all(context, CONTEXT_SIZE - 1, 0xA5) && state_of(0)->used == 0);
    free(context);
}

/* A destroyed pair is another one, and its context opens nothing. */
static void test_destroyed_pair(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, P256_PAIR, 256);
    const uint8_t hash[32] = {1};
    uint8_t old[CONTEXT_SIZE];
    uint8_t new[CONTEXT_SIZE];
    uint8_t before[1208];
    uint8_t after[1208];
    uint8_t signature[64];
    size_t length = 0;

    rig_ready();
    make_pair(0, old);
    atecc608_sim_peek(chips[0], 2, before, sizeof before);
    NEED(atecc608_destroy_key(&attributes, old, CONTEXT_SIZE));
    atecc608_sim_peek(chips[0], 2, after, sizeof after);
    CHECK(memcmp(before + 4, after + 4, 32) != 0); /* slot 0 holds another private key */
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           atecc608_sign_hash(&attributes, old, CONTEXT_SIZE, PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash,
                              32, signature, 64, &length));
    make_pair(0, new);
    CHECK(new[0] == old[0]);
    EXPECT(PSA_ERROR_INVALID_HANDLE,
           atecc608_sign_hash(&attributes, old, CONTEXT_SIZE, PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash,
                              32, signature, 64, &length));
    NEED(atecc608_sign_hash(&attributes, new, CONTEXT_SIZE, PSA_ALG_ECDSA(PSA_ALG_SHA_256), hash,
                            32, signature, 64, &length));
}

/* Keys of two chips at one time, each with its own; the same slot number everywhere. */
static void test_two_chips(void)
{
    uint8_t contexts[CHIPS][CONTEXT_SIZE];
    uint8_t points[CHIPS][65];
    uint8_t again[65];

    rig_ready();
    for (size_t i = 0; i < CHIPS; i++) {
        make_pair(i, contexts[i]);
        export_point(i, contexts[i], points[i]);
    }
    CHECK(contexts[0][0] == contexts[1][0] && contexts[1][0] == contexts[2][0]);
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < CHIPS; i++) {
            export_point(i, contexts[i], again);
            CHECK(memcmp(again, points[i], 65) == 0);
        }
    }
    CHECK(memcmp(points[0], points[1], 65) != 0 && memcmp(points[1], points[2], 65) != 0);
    /* chips sleep between two calls */
    for (size_t i = 0; i < CHIPS; i++) {
        atecc608_sim_delay_us(buses[corral_atecc608_devices[i].bus], 5000);
    }
    CHECK(strcmp(atecc608_sim_state(chips[2]), "asleep") == 0);
}

/* A context never works with another chip than its own, though that answers at the address. */
static void test_exchanged_chip(void)
{
    const psa_key_attributes_t attributes = attributes_of(2, P256_PAIR, 256);
    struct atecc608_sim_bus *bus;
    struct atecc608_sim_chip *chip;
    uint8_t context[CONTEXT_SIZE];
    uint8_t other[CONTEXT_SIZE];
    uint8_t point[65];
    uint8_t again[65];
    size_t length = 0;

    rig_ready();
    make_pair(2, context);
    export_point(2, context, point);
    bus = buses[1];
    chip = chips[2];
    const struct atecc608_sim_options options = {.address = 0x60, .time_percent = 5};
    buses[1] = atecc608_sim_bus_new(); /* another chip is there now */
    chips[2] = atecc608_sim_attach(buses[1], &options, NULL, 0);
    rig_provision(2);
    for (unsigned round = 0; round < 2; round++) {
        EXPECT(PSA_ERROR_COMMUNICATION_FAILURE,
               atecc608_export_public_key(&attributes, context, CONTEXT_SIZE, again, 65, &length));
        EXPECT(PSA_ERROR_COMMUNICATION_FAILURE,
               atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    }
    make_pair(2, other);
    CHECK(other[0] != context[0]); /* that slot stays taken while its key lives */
    export_point(2, other, again);
    CHECK(memcmp(point, again, 65) != 0);

    atecc608_sim_bus_free(buses[1]);
    buses[1] = atecc608_sim_bus_new(); /* no chip: noticed by the next call */
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE,
           atecc608_export_public_key(&attributes, other, CONTEXT_SIZE, again, 65, &length));
    atecc608_sim_bus_free(buses[1]);
    buses[1] = bus; /* and the first one is back */
    chips[2] = chip;
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, /* whose it is not */
           atecc608_export_public_key(&attributes, other, CONTEXT_SIZE, again, 65, &length));
    export_point(2, context, again);
    CHECK(memcmp(point, again, 65) == 0);
    NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
}

/* An absent chip fails for its own keys only, and is usable as soon as it is there. */
static void test_absent_chip(void)
{
    const psa_key_attributes_t attributes = attributes_of(0, P256_PAIR, 256);
    uint8_t context[CONTEXT_SIZE];
    uint8_t other[CONTEXT_SIZE];
    uint8_t point[65];
    size_t length = 0;

    rig_ready();
    make_pair(0, context);
    make_pair(1, other);
    atecc608_sim_fault(chips[0], "silence");
    for (unsigned round = 0; round < 3; round++) {
        const uint64_t begin = atecc608_sim_time_us(buses[0]);

        EXPECT(PSA_ERROR_COMMUNICATION_FAILURE,
               atecc608_export_public_key(&attributes, context, CONTEXT_SIZE, point, 65, &length));
        CHECK(atecc608_sim_time_us(buses[0]) - begin < 300000);
        EXPECT(PSA_ERROR_COMMUNICATION_FAILURE,
               atecc608_allocate_key(&attributes, context, CONTEXT_SIZE));
        export_point(1, other, point);
    }
    /* its key cannot be destroyed now, and is not forgotten */
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE,
           atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    CHECK(state_of(0)->used == 1);
    atecc608_sim_fault(chips[0], "clear");
    export_point(0, context, point);
    NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    CHECK(state_of(0)->used == 0);
}

/* A creation that fails gives its slot back, whatever the chip does. */
static void test_failed_creation(void)
{
    const psa_key_attributes_t pair = attributes_of(0, P256_PAIR, 256);
    const psa_key_attributes_t aes = attributes_of(0, PSA_KEY_TYPE_AES, 128);
    const psa_key_attributes_t hmac = attributes_of(0, PSA_KEY_TYPE_HMAC, 256);
    uint8_t context[CONTEXT_SIZE];
    uint8_t data[16] = {1};
    size_t length = 0;
    size_t bits = 0;

    rig_ready();
    NEED(atecc608_allocate_key(&pair, context, CONTEXT_SIZE));
    atecc608_sim_fault(chips[0], "silence");
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE,
           atecc608_generate_key(&pair, context, CONTEXT_SIZE, &length));
    CHECK(length == 0);
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, atecc608_destroy_key(&pair, context, CONTEXT_SIZE));
    CHECK(state_of(0)->used == 0);

    atecc608_sim_fault(chips[0], "clear");
    NEED(atecc608_allocate_key(&aes, context, CONTEXT_SIZE));
    atecc608_sim_fault(chips[0], "silence");
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE,
           atecc608_import_symmetric_key(&aes, data, 16, context, CONTEXT_SIZE, &length, &bits));
    EXPECT(PSA_ERROR_COMMUNICATION_FAILURE, atecc608_destroy_key(&aes, context, CONTEXT_SIZE));
    CHECK(state_of(0)->used == 0);
    atecc608_sim_fault(chips[0], "clear");

    /* Another size than asked for is refused before the chip has the key. */
    NEED(atecc608_allocate_key(&hmac, context, CONTEXT_SIZE));
    EXPECT(PSA_ERROR_INVALID_ARGUMENT,
           atecc608_import_symmetric_key(&hmac, data, 16, context, CONTEXT_SIZE, &length, &bits));
    atecc608_sim_fault(chips[0], "silence");
    EXPECT(PSA_SUCCESS, atecc608_destroy_key(&hmac, context, CONTEXT_SIZE));
    CHECK(state_of(0)->used == 0);
    atecc608_sim_fault(chips[0], "clear");
}

/* Keys that were in the chip before. */
static void test_attached_pair(void)
{
    psa_key_attributes_t attributes = attributes_of(0, P256_PAIR, 0);
    const uint8_t slot = RESERVED_SLOT;
    uint8_t context[CONTEXT_SIZE];
    uint8_t second[CONTEXT_SIZE];
    uint8_t before[1208];
    uint8_t after[1208];
    uint8_t point[65];
    size_t length = 0;

    rig_ready();
    NEED(atecc608_attach_key(&attributes, &slot, 1, context, CONTEXT_SIZE, &length));
    CHECK(length == CONTEXT_SIZE && attributes.bits == 256 && attributes.type == P256_PAIR);
    CHECK(attributes.usage ==
          (PSA_KEY_USAGE_CACHE | PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE |
           PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_VERIFY_HASH | PSA_KEY_USAGE_DERIVE));
    EXPECT(PSA_ERROR_NOT_PERMITTED,
           atecc608_attach_key(&attributes, &slot, 1, second, CONTEXT_SIZE, &length));
    export_point(0, context, point);
    atecc608_sim_peek(chips[0], 2, before, sizeof before);
    atecc608_sim_reset_transactions(chips[0]);
    NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    CHECK(atecc608_sim_transactions(chips[0]) == 0);
    atecc608_sim_peek(chips[0], 2, after, sizeof after);
    CHECK(memcmp(before, after, sizeof before) == 0);
    NEED(atecc608_attach_key(&attributes, &slot, 1, second, CONTEXT_SIZE, &length));
}

static void test_attach_refusals(void)
{
    static const struct {
        psa_key_type_t type;
        uint8_t slot;
        size_t label_length;
        psa_status_t status;
    } rows[] = {
        {P256_PAIR, RESERVED_SLOT, 0, PSA_ERROR_INVALID_ARGUMENT},
        {P256_PAIR, RESERVED_SLOT, 2, PSA_ERROR_INVALID_ARGUMENT},
        {P256_PAIR, 16, 1, PSA_ERROR_INVALID_ARGUMENT},
        {P256_PAIR, 255, 1, PSA_ERROR_INVALID_ARGUMENT},
        {PSA_KEY_TYPE_AES, RESERVED_SLOT, 1, PSA_ERROR_DOES_NOT_EXIST},
        {PSA_KEY_TYPE_HMAC, RESERVED_SLOT, 1, PSA_ERROR_DOES_NOT_EXIST},
        {PSA_KEY_TYPE_AES, 9, 1, PSA_ERROR_DOES_NOT_EXIST},
        {P256_PAIR, 5, 1, PSA_ERROR_DOES_NOT_EXIST},
        {P256_PAIR, 1, 1, PSA_ERROR_DOES_NOT_EXIST}, /* a slot for pairs without a pair */
    };

    rig_ready();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        psa_key_attributes_t attributes = attributes_of(0, rows[i].type, 0);
        const uint8_t label[2] = {rows[i].slot, 0};
        uint8_t context[CONTEXT_SIZE];
        size_t length = 77;

        EXPECT(rows[i].status, atecc608_attach_key(&attributes, label, rows[i].label_length,
                                                   context, CONTEXT_SIZE, &length));
        CHECK(length == 77);
    }
    CHECK(state_of(0)->used == 0);
}

/* A symmetric key survives a restart of the host and is attached by its slot. */
static void test_attached_symmetric(void)
{
    psa_key_attributes_t attributes = attributes_of(0, PSA_KEY_TYPE_HMAC, 0);
    const uint8_t slot = 9;
    const uint8_t key[32] = "a key that outlives its program";
    uint8_t context[CONTEXT_SIZE];
    uint8_t mac[32];
    uint8_t wanted[32];
    size_t length = 0;

    rig_ready();
    make_key(0, PSA_KEY_TYPE_HMAC, key, 32, context);
    rig_restart_host();
    NEED(atecc608_attach_key(&attributes, &slot, 1, context, CONTEXT_SIZE, &length));
    CHECK(attributes.bits == 256);
    EXPECT(PSA_ERROR_INSUFFICIENT_STORAGE,
           atecc608_allocate_key(&attributes, context, CONTEXT_SIZE));
    NEED(atecc608_hmac_compute(&attributes, context, CONTEXT_SIZE, PSA_ALG_HMAC(PSA_ALG_SHA_256),
                               key, 31, mac, 32, &length));
    reference_hmac(key, 32, key, 31, wanted);
    CHECK(memcmp(mac, wanted, 32) == 0);
}

/* The library starts and runs without any chip; nothing is sent before something is asked. */
static void test_lazy(void)
{
    const psa_key_attributes_t attributes = attributes_of(1, P256_PAIR, 256);
    uint8_t context[CONTEXT_SIZE];

    rig_ready();
    rig_restart_host();
    for (size_t i = 0; i < CHIPS; i++) {
        atecc608_sim_reset_transactions(chips[i]);
    }
    NEED(atecc608_allocate_key(&attributes, context, CONTEXT_SIZE));
    CHECK(atecc608_sim_transactions(chips[1]) > 0 && atecc608_sim_transactions(chips[2]) == 0);
    atecc608_sim_reset_transactions(chips[1]);
    NEED(atecc608_destroy_key(&attributes, context, CONTEXT_SIZE));
    NEED(atecc608_allocate_key(&attributes, context, CONTEXT_SIZE));
    CHECK(atecc608_sim_transactions(chips[1]) == 0); /* it is known by now */
}

int main(void)
{
    test_exhaustion();
    test_small_context();
    test_destroyed_pair();
    test_two_chips();
    test_exchanged_chip();
    test_absent_chip();
    test_failed_creation();
    test_attached_pair();
    test_attach_refusals();
    test_attached_symmetric();
    test_lazy();
    return rig_verdict();
}
