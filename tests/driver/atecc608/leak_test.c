/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No secret stays behind in the driver's memory. The driver runs on a stack of its own,
 * which is searched afterwards, with its state of the chips. The virtual chips, which
 * know the secrets, run on the program's own stack.
 */
#define _GNU_SOURCE /* memmem() */

#include "rig.h"

#include <session.h>

#include <ucontext.h>

#define STACK_SIZE (64u * 1024u)
#define WRITABLE 2u /* the device with a write key */
#define PIECE 8u    /* bytes in a row of a secret that count as a leak */

static uint8_t stack[STACK_SIZE] __attribute__((aligned(16)));
static ucontext_t driver_side;
static ucontext_t chip_side;
static bool on_driver_side;

/* --- transfers, and hashes that others compute, leave the driver's stack --- */

static struct {
    enum { NOTHING, WRITE, READ, DELAY, HASH } kind;
    struct atecc608_sim_bus *bus;
    uint8_t address;
    const uint8_t *out;
    uint8_t *in;
    size_t length;
    uint32_t microseconds;
    enum atecc608_sim_status status;
    psa_status_t hash_status;
} request;

/* Secrets that a call has learned besides: hashes of secrets, and random numbers. */
#define SEEN_SIZE 32u
#define SEEN_MAX 16u
static uint8_t seen[SEEN_MAX][SEEN_SIZE];
static size_t seen_count;
/* Whether what the chip answers is a secret. */
static bool is_drawing;
/* The number of the hash that fails, from 1; 0: none. */
static unsigned failing_hash;

static void note(const uint8_t data[SEEN_SIZE])
{
    CHECK(seen_count < SEEN_MAX);
    if (seen_count < SEEN_MAX) {
        memcpy(seen[seen_count++], data, SEEN_SIZE);
    }
}

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
psa_status_t __real_corral_dispatch_hash_compute(psa_algorithm_t alg, const uint8_t *input,
                                                 size_t input_length, uint8_t *hash,
                                                 size_t hash_size, size_t *hash_length);
psa_status_t __wrap_corral_dispatch_hash_compute(psa_algorithm_t alg, const uint8_t *input,
                                                 size_t input_length, uint8_t *hash,
                                                 size_t hash_size, size_t *hash_length);

/* Note what is behind the length in an answer, before its checksum. */
static void note_answer(const uint8_t *answer, size_t size)
{
    if (is_drawing && size == SEEN_SIZE + 3 && answer[0] == size) {
        note(answer + 1);
    }
}

static void serve_hash(void)
{
    size_t length;

    request.hash_status = PSA_ERROR_INSUFFICIENT_MEMORY;
    if (failing_hash == 0 || --failing_hash > 0) {
        request.hash_status = __real_corral_dispatch_hash_compute(
            PSA_ALG_SHA_256, request.out, request.length, request.in, SEEN_SIZE, &length);
        note(request.in);
    }
}

static void serve(void)
{
    if (request.kind == WRITE) {
        request.status =
            __real_atecc608_sim_write(request.bus, request.address, request.out, request.length);
    } else if (request.kind == READ) {
        request.status =
            __real_atecc608_sim_read(request.bus, request.address, request.in, request.length);
        if (request.status == ATECC608_SIM_ACK) {
            note_answer(request.in, request.length);
        }
    } else if (request.kind == HASH) {
        serve_hash();
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

psa_status_t __wrap_corral_dispatch_hash_compute(psa_algorithm_t alg, const uint8_t *input,
                                                 size_t input_length, uint8_t *hash,
                                                 size_t hash_size, size_t *hash_length)
{
    CHECK(alg == PSA_ALG_SHA_256 && hash_size == SEEN_SIZE);
    request.kind = HASH;
    request.out = input;
    request.length = input_length;
    request.in = hash;
    ask();
    *hash_length = SEEN_SIZE;
    return request.hash_status;
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

static void import_pair(void)
{
    status =
        atecc608_import_private_key(&attributes, secret, 32, fresh, CONTEXT_SIZE, &length, &bits);
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
    seen_count = 0;
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
    size_t at = 0;

    while (at + PIECE <= wanted_size && memmem(memory, size, wanted + at, PIECE) == NULL) {
        at++;
    }
    return at + PIECE <= wanted_size;
}

static void search_for(const char *what, const uint8_t *wanted, size_t wanted_size)
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

/* For a secret, and for the secrets that the call has seen. */
static void search(const char *what, const uint8_t *wanted, size_t wanted_size)
{
    search_for(what, wanted, wanted_size);
    for (size_t i = 0; i < seen_count; i++) {
        search_for(what, seen[i], SEEN_SIZE);
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

/* A key to be made, by a chip that does not answer from transfer number `n` on; and its end. */
static void fail_transfer(size_t index, unsigned n)
{
    char text[16];

    snprintf(text, sizeof text, "nak@%u+", n);
    NEED(atecc608_allocate_key(&attributes, fresh, CONTEXT_SIZE));
    atecc608_sim_reset_transactions(chips[index]);
    CHECK(atecc608_sim_fault(chips[index], text));
}

static void end_failing(size_t index)
{
    atecc608_sim_fault(chips[index], "clear");
    (void)atecc608_destroy_key(&attributes, fresh, CONTEXT_SIZE);
}

/* With each transfer failing once; the chip's generator gives the key. */
static void test_generate(void)
{
    size_t drawn = 0;

    attributes = attributes_of(0, PSA_KEY_TYPE_HMAC, 256);
    is_drawing = true;
    unsigned n = 0;
    do {
        fail_transfer(0, ++n);
        run(generate_key);
        CHECK(n > 1 || status != PSA_SUCCESS);
        drawn += seen_count;
        search("generate", secret, 32);
        end_failing(0);
    } while (status != PSA_SUCCESS); /* until there is no transfer of that number */
    NEED(atecc608_allocate_key(&attributes, fresh, CONTEXT_SIZE));
    run(generate_key);
    NEED(status);
    CHECK(seen_count == 1 && drawn > 0);
    search("generate", seen[0], SEEN_SIZE);
    NEED(atecc608_destroy_key(&attributes, fresh, CONTEXT_SIZE));
    is_drawing = false;
}

/* A private key, which goes encrypted, with each hash and each transfer failing once. */
static void test_import_of_pair(void)
{
    unsigned hashes = 0;

    attributes = attributes_of(WRITABLE, P256_PAIR, 256);
    reference_random(rig_write_key, sizeof rig_write_key);
    rig_end();
    rig_ready();
    reference_pair(secret, peer_point);
    for (unsigned n = 0;; n++) {
        NEED(atecc608_allocate_key(&attributes, fresh, CONTEXT_SIZE));
        failing_hash = n;
        run(import_pair);
        hashes = n;
        CHECK(failing_hash > 0 || (status == PSA_SUCCESS) == (n == 0));
        const bool is_over = failing_hash > 0;
        failing_hash = 0;
        search("import of a pair", secret, 32);
        search("import of a pair", rig_write_key, 32);
        (void)atecc608_destroy_key(&attributes, fresh, CONTEXT_SIZE);
        if (is_over) {
            break;
        }
    }
    CHECK(hashes == 5);
    unsigned n = 0;
    do {
        fail_transfer(WRITABLE, ++n);
        run(import_pair);
        CHECK(n > 1 || status != PSA_SUCCESS);
        search("import of a pair", secret, 32);
        search("import of a pair", rig_write_key, 32);
        end_failing(WRITABLE);
    } while (status != PSA_SUCCESS);
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
    test_import_of_pair();
    return rig_verdict();
}
