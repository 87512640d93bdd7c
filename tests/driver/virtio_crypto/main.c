/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The virtio crypto device, as QEMU has it. Requests go through here on their way to the port (by
 * the linker, --wrap), where they are counted, and fail in every way that the device knows.
 */
#include <stdio.h>
#include <string.h>

#include "../../../ports/semihosting/options.h"
#include "../../harness/harness.h"
#include "../../harness/virtio.h"

uint32_t __real_corral_port_virtio_setting(const struct corral_virtio *device, uint32_t offset);
uint32_t __wrap_corral_port_virtio_setting(const struct corral_virtio *device, uint32_t offset);

#define DEVICE_CRYPTO 20u
#define CONTROL 1u
#define CREATE 2u
#define DESTROY 3u
#define CREATE_ANSWER 8u /* its position in the reply */

/* How a request fails: it is not made, or its notification is lost, or the device
 * reports success and has written nothing; or the device answers so. */
enum { UNASKED = 0x100, UNHEARD, UNWRITTEN };
static const unsigned ways[] = {UNASKED, UNHEARD, UNWRITTEN, 1, 2, 3, 4, 5, 6, 0x77, 0xff};
#define UNSUPPORTED 3u
#define NO_SPACE 5u

static unsigned asked;     /* requests so far */
static unsigned failing;   /* which one fails; 0: none */
static unsigned way;       /* and how */
static unsigned failed;    /* the purpose of the one that failed */
static bool is_malformed;  /* the next one is no request */
static bool takes_no_text; /* it says that its longest text is none */
static int sessions;       /* of the device, that are in use */

static uint32_t word_at(uintptr_t address)
{
    uint32_t word;

    memcpy(&word, (const void *)address, sizeof word);
    return word;
}

static void answer(const struct corral_virtio_part *last, uint8_t value)
{
    uint8_t *const at = (uint8_t *)last->address;

    at[last->length > 1 ? CREATE_ANSWER : 0] = value;
}

static uint8_t answer_of(const struct corral_virtio_part *last)
{
    return ((const uint8_t *)last->address)[last->length > 1 ? CREATE_ANSWER : 0];
}

bool __wrap_corral_port_virtio_ask(struct corral_virtio *device, uint16_t queue,
                                   const struct corral_virtio_part *parts, size_t to_read,
                                   size_t to_write)
{
    const struct corral_virtio_part *const last = &parts[to_read + to_write - 1];

    if (device->kind != DEVICE_CRYPTO) {
        return __real_corral_port_virtio_ask(device, queue, parts, to_read, to_write);
    }
    const uint32_t order = queue == CONTROL ? word_at(parts[0].address) : 0;
    asked++;
    if (is_malformed) {
        const struct corral_virtio_part cut = {parts[0].address, 4};
        return __real_corral_port_virtio_ask(device, queue, &cut, 1, 0);
    }
    const bool fails = asked == failing;
    failed = fails ? order : failed;
    /* A device that refuses to make a session has made none. */
    if (fails && (way == UNASKED || way == UNWRITTEN || (order == CREATE && way != UNHEARD))) {
        if (way < UNASKED) {
            answer(last, (uint8_t)way);
        }
        return way != UNASKED;
    }
    const bool has_answered =
        __real_corral_port_virtio_ask(device, queue, parts, to_read, to_write);
    if (has_answered && answer_of(last) == 0) {
        sessions += (order == CREATE) - (order == DESTROY);
    }
    if (fails && way != UNHEARD) {
        answer(last, (uint8_t)way);
    }
    return has_answered && !(fails && way == UNHEARD);
}

#define TEXT_SIZE 20000u
#define OFFSETS 8u
#define BOTH (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)

static const psa_algorithm_t modes[] = {PSA_ALG_ECB_NO_PADDING, PSA_ALG_CBC_NO_PADDING,
                                        PSA_ALG_CTR};
#define MODES (sizeof modes / sizeof modes[0])

/* One of its bytes beyond the last of the text, to show that nothing is written there. */
static uint8_t text[TEXT_SIZE + OFFSETS];
static uint8_t output[TEXT_SIZE + OFFSETS + 1];
static uint8_t expected[TEXT_SIZE];

static psa_key_id_t key_for(psa_algorithm_t alg, size_t size)
{
    const psa_key_usage_t usage =
        PSA_ALG_IS_MAC(alg) ? PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE : BOTH;
    uint8_t data[32];

    test_fill(data, sizeof data, 41);
    return test_import(PSA_KEY_TYPE_AES, alg, usage, data, size);
}

/* A counter that carries into its upper half in every text of some blocks. */
static psa_status_t begin(psa_cipher_operation_t *operation, psa_key_id_t key, psa_algorithm_t alg,
                          bool is_encrypt)
{
    static const uint8_t iv[16] = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
                                   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe};

    psa_status_t status = is_encrypt ? psa_cipher_encrypt_setup(operation, key, alg)
                                     : psa_cipher_decrypt_setup(operation, key, alg);
    if (status == PSA_SUCCESS && alg != PSA_ALG_ECB_NO_PADDING) {
        status = psa_cipher_set_iv(operation, iv, sizeof iv);
    }
    return status;
}

static void transform(psa_key_id_t key, psa_algorithm_t alg, bool is_encrypt, const uint8_t *from,
                      size_t size, uint8_t *to)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    size_t length = 0;
    size_t rest = 0;

    NEED(begin(&operation, key, alg, is_encrypt));
    NEED(psa_cipher_update(&operation, from, size, to, size, &length));
    NEED(psa_cipher_finish(&operation, to + length, size - length, &rest));
    CHECK(length + rest == size);
}

/* In place, in two parts. */
static void decrypt_in_two(psa_key_id_t key, psa_algorithm_t alg, uint8_t *from, size_t size)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    const size_t first = size / 2 / 16 * 16;
    size_t length = 0;
    size_t rest = 0;

    NEED(begin(&operation, key, alg, false));
    NEED(psa_cipher_update(&operation, from, first, from, first, &length));
    NEED(psa_cipher_update(&operation, from + first, size - first, from + first, size - first,
                           &rest));
    CHECK(length + rest == size);
    NEED(psa_cipher_finish(&operation, from, 0, &length));
}

/* A line for comparison: key size, mode, text, and the hash of the output. */
static void tell(size_t key_size, size_t mode, size_t size, const uint8_t *result)
{
    uint8_t hash[32];
    size_t length;

    NEED(psa_hash_compute(PSA_ALG_SHA_256, result, size, hash, sizeof hash, &length));
    printf("result %lu %lu %lu ", (unsigned long)key_size, (unsigned long)mode,
           (unsigned long)size);
    for (size_t i = 0; i < length; i++) {
        printf("%02x", hash[i]);
    }
    printf("\n");
}

static void texts__of_any_length_and_place__are_encrypted_and_come_back(void)
{
    static const size_t sizes[] = {16, 48, 4096, TEXT_SIZE};

    for (size_t key_size = 16; key_size <= 32; key_size += 16) {
        for (size_t mode = 0; mode < MODES; mode++) {
            const psa_key_id_t key = key_for(modes[mode], key_size);
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
                const size_t size = sizes[i] - (modes[mode] == PSA_ALG_CTR ? 3 : 0);
                for (size_t at = 0; at < OFFSETS; at += 3) {
                    test_fill(text + at, size, 3);
                    memset(output, 0xa5, sizeof output);
                    transform(key, modes[mode], true, text + at, size, output + OFFSETS - at);
                    CHECK(output[OFFSETS - at - 1] == 0xa5 && output[OFFSETS - at + size] == 0xa5);
                    /* In place. */
                    transform(key, modes[mode], true, text + at, size, text + at);
                    CHECK_BYTES(text + at, size, output + OFFSETS - at, size);
                    decrypt_in_two(key, modes[mode], text + at, size);
                    test_fill(expected, size, 3);
                    CHECK_BYTES(text + at, size, expected, size);
                }
                tell(key_size, mode, size, output + OFFSETS - 6);
            }
            test_destroy_keys();
        }
    }
    CHECK(sessions == 0);
}

/* More than QEMU's device has: it gives 256. */
#define MANY 300u
#define PART 21u
#define PARTS 3u
#define LENGTH (PART * PARTS + 1) /* whole blocks */

static psa_cipher_operation_t operations[MANY];
static uint8_t results[MANY][LENGTH];
static size_t lengths[MANY];

/* The text of an operation: another for each. */
static const uint8_t *text_of(size_t number)
{
    return text + number;
}

static size_t begin_many(const psa_key_id_t keys[MODES])
{
    size_t count = 0;

    for (; count < MANY; count++) {
        operations[count] = psa_cipher_operation_init();
        lengths[count] = 0;
        const psa_status_t status =
            begin(&operations[count], keys[count % MODES], modes[count % MODES], true);
        if (status != PSA_SUCCESS) {
            EXPECT(PSA_ERROR_HARDWARE_FAILURE, status);
            break;
        }
    }
    return count;
}

static void go_on(size_t number, size_t at, size_t size)
{
    size_t length;

    NEED(psa_cipher_update(&operations[number], text_of(number) + at, size,
                           results[number] + lengths[number], LENGTH - lengths[number], &length));
    lengths[number] += length;
}

static void operations_in_parts__as_many_as_there_are_sessions__do_not_disturb_each_other(void)
{
    psa_key_id_t keys[MODES];
    size_t length;

    test_fill(text, sizeof text, 7);
    for (size_t mode = 0; mode < MODES; mode++) {
        keys[mode] = key_for(modes[mode], 16);
    }
    const size_t count = begin_many(keys);
    CHECK(count == 256);
    CHECK(sessions == 256);
    for (size_t part = 0; part < PARTS; part++) {
        for (size_t i = 0; i < count; i++) {
            go_on(i, part * PART, PART + (part == PARTS - 1));
        }
    }
    for (size_t i = 0; i < count; i++) {
        NEED(psa_cipher_finish(&operations[i], results[i] + lengths[i], LENGTH - lengths[i],
                               &length));
        CHECK(lengths[i] + length == LENGTH);
    }
    CHECK(sessions == 0);
    for (size_t i = 0; i < count; i++) {
        transform(keys[i % MODES], modes[i % MODES], true, text_of(i), LENGTH, expected);
        CHECK_BYTES(results[i], LENGTH, expected, LENGTH);
    }
}

/* The calls while requests fail. Each writes to `output`, and returns the first failure. */
static psa_status_t in_parts(psa_key_id_t key, psa_algorithm_t alg, bool is_encrypt,
                             size_t *output_length)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    size_t done = 0;
    size_t length = 0;

    psa_status_t status = begin(&operation, key, alg, is_encrypt);
    for (size_t part = 0; part < 2 && status == PSA_SUCCESS; part++) {
        const size_t size = part == 0 ? 40 : 24;
        status = psa_cipher_update(&operation, text + 40 * part, size, output + done, size + 16,
                                   &length);
        CHECK(status == PSA_SUCCESS || (length == 0 && test_all(output + done, size, 0)));
        done += length;
    }
    if (status == PSA_SUCCESS) {
        status = psa_cipher_finish(&operation, output + done, 16, &length);
        done += length;
    }
    EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
    *output_length = done;
    return status;
}

/* CBC-MAC only takes whole blocks. */
static size_t mac_text(psa_algorithm_t alg)
{
    return alg == PSA_ALG_CBC_MAC ? 48 : 40;
}

static psa_status_t at_once(psa_key_id_t key, psa_algorithm_t alg, bool is_encrypt, size_t *length)
{
    memset(output, 0xa5, 64);
    if (!is_encrypt) {
        const psa_status_t status = psa_cipher_decrypt(key, alg, text, 64, output, 64, length);
        CHECK(status == PSA_SUCCESS || (*length == 0 && test_all(output, 64, 0)));
        return status;
    }
    return psa_mac_compute(key, alg, text, mac_text(alg), output, 16, length);
}

static psa_status_t mac_in_parts(psa_key_id_t key, psa_algorithm_t alg, bool is_sign,
                                 size_t *length)
{
    psa_mac_operation_t operation = PSA_MAC_OPERATION_INIT;

    psa_status_t status = is_sign ? psa_mac_sign_setup(&operation, key, alg)
                                  : psa_mac_verify_setup(&operation, key, alg);
    if (status == PSA_SUCCESS) {
        status = psa_mac_update(&operation, text, mac_text(alg));
    }
    if (status == PSA_SUCCESS && is_sign) {
        status = psa_mac_sign_finish(&operation, output, 16, length);
    } else if (status == PSA_SUCCESS) {
        /* A wrong MAC ends an operation as a right one does. */
        status = psa_mac_verify_finish(&operation, text, 16);
        status = status == PSA_ERROR_INVALID_SIGNATURE ? PSA_SUCCESS : status;
    }
    EXPECT(PSA_SUCCESS, psa_mac_abort(&operation));
    return status;
}

static psa_status_t sealed(psa_key_id_t key, psa_algorithm_t alg, bool is_encrypt, size_t *length)
{
    (void)is_encrypt;
    return psa_aead_encrypt(key, alg, text, 12, text, 5, text, 40, output, 56, length);
}

static const struct work {
    psa_algorithm_t alg;
    bool is_encrypt;
    psa_status_t (*run)(psa_key_id_t key, psa_algorithm_t alg, bool is_encrypt, size_t *length);
} works[] = {
    {PSA_ALG_ECB_NO_PADDING, true, in_parts},
    {PSA_ALG_CBC_NO_PADDING, true, in_parts},
    {PSA_ALG_CBC_NO_PADDING, false, in_parts},
    {PSA_ALG_CTR, true, in_parts},
    {PSA_ALG_CBC_NO_PADDING, false, at_once},
    {PSA_ALG_CTR, false, at_once},
    {PSA_ALG_CFB, true, in_parts},
    {PSA_ALG_OFB, false, at_once},
    {PSA_ALG_CMAC, true, at_once},
    {PSA_ALG_CMAC, true, mac_in_parts},
    {PSA_ALG_CMAC, false, mac_in_parts},
    {PSA_ALG_CBC_MAC, true, at_once},
    {PSA_ALG_CCM, true, sealed},
};

/* The possible statuses for a failure of this request in this way. */
static psa_status_t status_wanted(void)
{
    if (failed == CREATE && way == UNSUPPORTED) {
        return PSA_ERROR_NOT_SUPPORTED;
    }
    return failed == CREATE && way == NO_SPACE ? PSA_ERROR_INSUFFICIENT_MEMORY
                                               : PSA_ERROR_HARDWARE_FAILURE;
}

static void check_failing(const struct work *work, psa_key_id_t key, size_t wanted_length)
{
    size_t length = 0;

    asked = 0;
    sessions = 0;
    failed = 0;
    const psa_status_t status = work->run(key, work->alg, work->is_encrypt, &length);
    CHECK(asked >= failing);
    if (failed == DESTROY) {
        /* The result is there. The device keeps a session that it could not end. */
        EXPECT(PSA_SUCCESS, status);
        CHECK_BYTES(output, length, expected, wanted_length);
        CHECK(sessions == (way == UNASKED || way == UNWRITTEN));
    } else {
        EXPECT(status_wanted(), status);
        CHECK(sessions == (failed == CREATE && way == UNHEARD));
    }
}

static void request__that_fails__says_so_and_leaves_no_session(void)
{
    unsigned count = 0;

    test_fill(text, sizeof text, 9);
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        const psa_key_id_t key = key_for(works[i].alg, 16);
        size_t wanted = 0;
        test_context("work", i);
        failing = 0;
        asked = 0;
        sessions = 0;
        NEED(works[i].run(key, works[i].alg, works[i].is_encrypt, &wanted));
        memcpy(expected, output, wanted);
        const unsigned clean = asked;
        CHECK(clean > 0 && sessions == 0);
        for (failing = 1; failing <= clean; failing++) {
            for (size_t j = 0; j < sizeof ways / sizeof ways[0]; j++) {
                way = ways[j];
                check_failing(&works[i], key, wanted);
                count++;
            }
        }
        failing = 0;
        NEED(works[i].run(key, works[i].alg, works[i].is_encrypt, &wanted));
        CHECK_BYTES(output, wanted, expected, wanted);
        test_destroy_keys();
    }
    test_context(NULL, 0);
    printf("%u failures\n", count);
}

uint32_t __wrap_corral_port_virtio_setting(const struct corral_virtio *device, uint32_t offset)
{
    return takes_no_text ? 0 : __real_corral_port_virtio_setting(device, offset);
}

static void longest_text__that_the_device_takes_back__is_a_hardware_failure(void)
{
    for (size_t i = 0; i < MODES * 2; i++) {
        const psa_key_id_t key = key_for(modes[i / 2], 16);
        psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
        size_t length;

        NEED(begin(&operation, key, modes[i / 2], i % 2 == 0));
        takes_no_text = true;
        EXPECT(PSA_ERROR_HARDWARE_FAILURE,
               psa_cipher_update(&operation, text, 48, output, 48, &length));
        takes_no_text = false;
        NEED(psa_cipher_abort(&operation));
        NEED(psa_destroy_key(key));
    }
}

/* The last test: the device is given up. */
static void device__that_breaks__is_asked_no_more(void)
{
    const psa_key_id_t key = key_for(PSA_ALG_CTR, 16);
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    size_t length;

    NEED(begin(&operation, key, PSA_ALG_CTR, true));
    is_malformed = true;
    EXPECT(PSA_ERROR_HARDWARE_FAILURE,
           psa_cipher_update(&operation, text, 40, output, 40, &length));
    is_malformed = false;
    EXPECT(PSA_SUCCESS, psa_cipher_abort(&operation));
    EXPECT(PSA_ERROR_HARDWARE_FAILURE, begin(&operation, key, PSA_ALG_CTR, true));
    EXPECT(PSA_ERROR_HARDWARE_FAILURE,
           psa_cipher_decrypt(key, PSA_ALG_CTR, text, 40, output, 40, &length));
    NEED(psa_generate_random(output, 40));
}

static void device__that_is_absent__is_a_hardware_failure(void)
{
    const psa_key_id_t key = key_for(PSA_ALG_CBC_NO_PADDING, 16);
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;

    EXPECT(PSA_ERROR_HARDWARE_FAILURE, begin(&operation, key, PSA_ALG_CBC_NO_PADDING, true));
    CHECK(test_all((const uint8_t *)&operation, sizeof operation, 0));
    NEED(psa_generate_random(output, 40));
}

static const struct test_case present[] = {
    TEST(texts__of_any_length_and_place__are_encrypted_and_come_back),
    TEST(operations_in_parts__as_many_as_there_are_sessions__do_not_disturb_each_other),
    TEST(request__that_fails__says_so_and_leaves_no_session),
    TEST(longest_text__that_the_device_takes_back__is_a_hardware_failure),
    TEST(device__that_breaks__is_asked_no_more),
};
static const struct test_case absent[] = {
    TEST(device__that_is_absent__is_a_hardware_failure),
};

static TEST_SUITE(device, present);
static TEST_SUITE(nothing, absent);

int main(void)
{
    const struct test_suite *const suites[] = {option_value("absent") == NULL ? &suite_device
                                                                              : &suite_nothing};

    return test_initialise_and_run(suites, 1);
}
