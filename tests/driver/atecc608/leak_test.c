/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No secret stays behind in the driver's memory. The driver runs on a stack of its own, which is
 * searched afterwards, with what it remembers of its chips; the virtual chips, which know the
 * secrets of course, run on the program's own stack.
 */
#include "rig.h"

#include <session.h>

#include <ucontext.h>

#define STACK_SIZE (64u * 1024u)
#define PIECE 8u /* bytes in a row of a secret that count as a leak */

static uint8_t stack[STACK_SIZE] __attribute__((aligned(16)));
static ucontext_t driver_side;
static ucontext_t chip_side;
static bool on_driver_side;

/* --- transfers leave the driver's stack --- */

static struct {
    enum { NOTHING, WRITE, READ, DELAY } kind;
    struct atecc608_sim_bus *bus;
    uint8_t address;
    const uint8_t *out;
    uint8_t *in;
    size_t length;
    uint32_t microseconds;
    enum atecc608_sim_status status;
} request;

enum atecc608_sim_status __real_atecc608_sim_write(struct atecc608_sim_bus *bus, uint8_t address,
                                                   const uint8_t *data, size_t length);
enum atecc608_sim_status __real_atecc608_sim_read(struct atecc608_sim_bus *bus, uint8_t address,
                                                  uint8_t *data, size_t length);
void __real_atecc608_sim_delay_us(struct atecc608_sim_bus *bus, uint32_t microseconds);
enum atecc608_sim_status __wrap_atecc608_sim_write(struct atecc608_sim_bus *bus, uint8_t address,
                                                   const uint8_t *data, size_t length);
enum atecc608_sim_status __wrap_atecc608_sim_read(struct atecc608_sim_bus *bus, uint8_t address,
                                                  uint8_t *data, size_t length);
void __wrap_atecc608_sim_delay_us(struct atecc608_sim_bus *bus, uint32_t microseconds);

static void serve(void)
{
    if (request.kind == WRITE) {
        request.status =
            __real_atecc608_sim_write(request.bus, request.address, request.out, request.length);
    } else if (request.kind == READ) {
        request.status =
            __real_atecc608_sim_read(request.bus, request.address, request.in, request.length);
    } else if (request.kind == DELAY) {
        __real_atecc608_sim_delay_us(request.bus, request.microseconds);
    }
    request.kind = NOTHING;
}

static void ask(void)
{
    if (on_driver_side) {
        on_driver_side = false;
        swapcontext(&driver_side, &chip_side);
        on_driver_side = true;
    } else {
        serve();
    }
}

enum atecc608_sim_status __wrap_atecc608_sim_write(struct atecc608_sim_bus *bus, uint8_t address,
                                                   const uint8_t *data, size_t length)
{
    request.kind = WRITE;
    request.bus = bus;
    request.address = address;
    request.out = data;
    request.length = length;
    ask();
    return request.status;
}

enum atecc608_sim_status __wrap_atecc608_sim_read(struct atecc608_sim_bus *bus, uint8_t address,
                                                  uint8_t *data, size_t length)
{
    request.kind = READ;
    request.bus = bus;
    request.address = address;
    request.in = data;
    request.length = length;
    ask();
    return request.status;
}

void __wrap_atecc608_sim_delay_us(struct atecc608_sim_bus *bus, uint32_t microseconds)
{
    request.kind = DELAY;
    request.bus = bus;
    request.microseconds = microseconds;
    ask();
}

/* --- the calls; arguments and results are static, so none of them is on the searched stack --- */

static uint8_t secret[48];
static uint8_t output[48];
static uint8_t pair[CONTEXT_SIZE];
static uint8_t aes[CONTEXT_SIZE];
static uint8_t fresh[CONTEXT_SIZE];
static uint8_t peer_scalar[32];
static uint8_t peer_point[65];
static atecc608_cipher_operation_t operation;
static atecc608_cmac_operation_t cmac;
static psa_key_attributes_t attributes;
static size_t length;
static size_t bits;
static psa_status_t status;

static void import_key(void)
{
    status = atecc608_import_symmetric_key(&attributes, secret, attributes.bits / 8, fresh,
                                           CONTEXT_SIZE, &length, &bits);
}

static void generate_key(void)
{
    status = atecc608_generate_symmetric_key(&attributes, fresh, CONTEXT_SIZE, &length);
}

static void agree(void)
{
    status = atecc608_key_agreement(PSA_ALG_ECDH, &attributes, pair, CONTEXT_SIZE, peer_point, 65,
                                    output, 32, &length);
}

static void encrypt(void)
{
    status = atecc608_cipher_update(&operation, secret, 48, output, 48, &length);
    (void)atecc608_cipher_abort(&operation);
}

static void authenticate(void)
{
    status = atecc608_cmac_update(&cmac, secret, 48);
    if (status == PSA_SUCCESS) {
        status = atecc608_cmac_finish(&cmac, output, 16, &length);
    }
    (void)atecc608_cmac_abort(&cmac);
}

static void draw(void)
{
    static atecc608_random_context_t context;

    status = atecc608_get_random(&context, output, 48, &length);
}

static void (*entry)(void);

static void trampoline(void)
{
    on_driver_side = true;
    entry();
    on_driver_side = false;
}

/* Run a call on the driver's stack, serving its transfers. */
static void run(void (*call)(void))
{
    memset(stack, 0x5A, sizeof stack);
    entry = call;
    status = PSA_ERROR_GENERIC_ERROR;
    getcontext(&driver_side);
    driver_side.uc_stack.ss_sp = stack;
    driver_side.uc_stack.ss_size = sizeof stack;
    driver_side.uc_link = &chip_side;
    makecontext(&driver_side, trampoline, 0);
    swapcontext(&chip_side, &driver_side);
    while (request.kind != NOTHING) {
        serve();
        swapcontext(&chip_side, &driver_side);
    }
}

/* Whether any piece of the secret is in the memory. */
static bool holds(const uint8_t *memory, size_t size, const uint8_t *wanted, size_t wanted_size)
{
    for (size_t i = 0; i + PIECE <= size; i++) {
        for (size_t j = 0; j + PIECE <= wanted_size; j++) {
            if (memcmp(memory + i, wanted + j, PIECE) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void search(const char *what, const uint8_t *wanted, size_t wanted_size)
{
    if (holds(stack, sizeof stack, wanted, wanted_size)) {
        failures++;
        printf("%s: left on the stack (status %ld)\n", what, (long)status);
    }
    for (size_t i = 0; i < CHIPS; i++) {
        struct atecc608_session session;

        atecc608_open_device(&session, &corral_atecc608_devices[i]);
        CHECK(!holds((const uint8_t *)atecc608_state(&session), sizeof(struct atecc608_state),
                     wanted, wanted_size));
        (void)atecc608_close(&session, PSA_SUCCESS);
    }
}

/* A search that finds nothing proves something only if it would find what is there. */
static void leak(void)
{
    volatile uint8_t copy[16];

    for (size_t i = 0; i < sizeof copy; i++) {
        copy[i] = secret[i];
    }
    status = copy[3] == secret[3] ? PSA_SUCCESS : PSA_ERROR_GENERIC_ERROR;
}

static void test_the_search(void)
{
    reference_random(secret, sizeof secret);
    run(leak);
    CHECK(holds(stack, sizeof stack, secret, 16));
    CHECK(!holds(stack, sizeof stack, secret + 24, 16));
}

static void test_import(psa_key_type_t type, size_t size, const char *fault)
{
    attributes = attributes_of(0, type, 8 * size);
    reference_random(secret, sizeof secret);
    NEED(atecc608_allocate_key(&attributes, fresh, CONTEXT_SIZE));
    CHECK(fault == NULL || atecc608_sim_fault(chips[0], fault));
    run(import_key);
    CHECK((status == PSA_SUCCESS) == (fault == NULL));
    search("import", secret, size);
    atecc608_sim_fault(chips[0], "clear");
    NEED(atecc608_destroy_key(&attributes, fresh, CONTEXT_SIZE));
}

static void test_generate(void)
{
    static uint8_t zone[1208];

    attributes = attributes_of(0, PSA_KEY_TYPE_HMAC, 256);
    NEED(atecc608_allocate_key(&attributes, fresh, CONTEXT_SIZE));
    run(generate_key);
    NEED(status);
    atecc608_sim_peek(chips[0], 2, zone, sizeof zone);
    CHECK(!all(zone + 8 * 36 + 416, 32, 0));
    search("generate", zone + 8 * 36 + 416, 32);
    NEED(atecc608_destroy_key(&attributes, fresh, CONTEXT_SIZE));
}

static void test_agreement(void)
{
    attributes = attributes_of(0, P256_PAIR, 256);
    run(agree);
    NEED(status);
    search("agreement", output, 32);
}

static void test_cipher(psa_algorithm_t alg, const char *fault)
{
    static const uint8_t iv[16] = {1};

    attributes = attributes_of(0, PSA_KEY_TYPE_AES, 128);
    reference_random(secret, sizeof secret);
    NEED(atecc608_cipher_encrypt_setup(&operation, &attributes, aes, CONTEXT_SIZE, alg));
    NEED(atecc608_cipher_set_iv(&operation, iv, 16));
    CHECK(fault == NULL || atecc608_sim_fault(chips[0], fault));
    run(encrypt);
    search("cipher", secret, 48);
    atecc608_sim_fault(chips[0], "clear");
}

static void test_cmac(void)
{
    attributes = attributes_of(0, PSA_KEY_TYPE_AES, 128);
    reference_random(secret, sizeof secret);
    NEED(atecc608_cmac_setup(&cmac, &attributes, aes, CONTEXT_SIZE, PSA_ALG_CMAC));
    run(authenticate);
    NEED(status);
    search("cmac", secret, 48);
}

static void test_random(void)
{
    run(draw);
    NEED(status);
    search("random", output, 48);
}

int main(void)
{
    static const uint8_t key[16] = {3, 1, 4};
    psa_key_attributes_t pair_attributes;

    rig_ready();
    pair_attributes = attributes_of(0, P256_PAIR, 256);
    make_pair(0, pair);
    make_key(0, PSA_KEY_TYPE_AES, key, 16, aes);
    reference_pair(peer_scalar, peer_point);
    test_the_search();
    test_import(PSA_KEY_TYPE_AES, 16, NULL);
    test_import(PSA_KEY_TYPE_HMAC, 32, NULL);
    test_import(PSA_KEY_TYPE_HMAC, 32, "nak@3+");
    test_import(PSA_KEY_TYPE_HMAC, 32, "status:0F@3");
    test_generate();
    test_agreement();
    test_cipher(PSA_ALG_ECB_NO_PADDING, NULL);
    test_cipher(PSA_ALG_CBC_NO_PADDING, NULL);
    test_cipher(PSA_ALG_CTR, NULL);
    test_cipher(PSA_ALG_CTR, "garbage@5+");
    test_cmac();
    test_random();
    NEED(atecc608_destroy_key(&pair_attributes, pair, CONTEXT_SIZE));
    return rig_verdict();
}
