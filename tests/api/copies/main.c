/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of a process, made in any way, share no random byte. This holds for drawn bytes,
 * initialisation vectors, generated keys and the nonces of signatures (whose first half two equal
 * ones reveal).
 */
#define _GNU_SOURCE

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../harness/entropy.h"
#include "../../harness/harness.h"

#define ECDSA PSA_ALG_ECDSA(PSA_ALG_SHA_256)
#define PARTS 6
#define PART_SIZE 16
#define STACK_SIZE 0x40000

/* Random bytes of one process: the first ones of each kind. */
struct sample {
    uint8_t parts[PARTS][PART_SIZE];
    bool is_whole;
};

/* Samples of all processes of a test, in memory that they share. */
static struct sample *samples;
static psa_key_id_t signer;
static psa_key_id_t cipher;

static psa_status_t take_key(psa_key_type_t type, size_t bits, psa_algorithm_t alg, uint8_t *part)
{
    const psa_key_attributes_t attributes =
        test_attributes(type, bits, alg, PSA_KEY_USAGE_SIGN_HASH | PSA_KEY_USAGE_EXPORT);
    const bool is_pair = PSA_KEY_TYPE_IS_KEY_PAIR(type);
    uint8_t data[65];
    psa_key_id_t key;
    size_t length;

    psa_status_t status = psa_generate_key(&attributes, &key);
    if (status != PSA_SUCCESS) {
        return status;
    }
    status = is_pair ? psa_export_public_key(key, data, sizeof data, &length)
                     : psa_export_key(key, data, sizeof data, &length);
    memcpy(part, data + (is_pair ? 1 : 0), PART_SIZE);
    psa_destroy_key(key);
    return status;
}

/* Sign a text that no other process signs: the first half depends only on the nonce. */
static psa_status_t take_signature(size_t who, uint8_t *part)
{
    uint8_t hash[32] = {(uint8_t)(who + 1)};
    uint8_t signature[64];
    size_t length;

    psa_status_t status =
        psa_sign_hash(signer, ECDSA, hash, sizeof hash, signature, sizeof signature, &length);
    memcpy(part, signature, PART_SIZE);
    return status;
}

static psa_status_t take_vectors(uint8_t *counter, uint8_t *nonce)
{
    psa_cipher_operation_t operation = PSA_CIPHER_OPERATION_INIT;
    uint8_t text[PART_SIZE + 1] = {0};
    uint8_t output[2 * PART_SIZE + 1];
    size_t length;

    psa_status_t status =
        psa_cipher_encrypt(cipher, PSA_ALG_CTR, text, sizeof text, output, sizeof output, &length);
    memcpy(counter, output, PART_SIZE);
    if (status == PSA_SUCCESS) {
        status = psa_cipher_encrypt_setup(&operation, cipher, PSA_ALG_CTR);
    }
    if (status == PSA_SUCCESS) {
        status = psa_cipher_generate_iv(&operation, nonce, PART_SIZE, &length);
    }
    psa_cipher_abort(&operation);
    return status;
}

/* Begin with another part each time: the first draw has to notice the copy. */
static psa_status_t take_part(struct sample *sample, size_t who, unsigned part)
{
    switch (part) {
    case 0:
        return psa_generate_random(sample->parts[0], PART_SIZE);
    case 1:
        return take_key(PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, sample->parts[1]);
    case 2:
        return take_key(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256, ECDSA,
                        sample->parts[2]);
    case 3:
        return take_signature(who, sample->parts[3]);
    case 4:
        return take_vectors(sample->parts[4], sample->parts[5]);
    default:
        return PSA_SUCCESS;
    }
}

static void take(size_t who, unsigned first)
{
    struct sample *const sample = &samples[who];
    psa_status_t status = PSA_SUCCESS;

    for (unsigned i = 0; i < PARTS && status == PSA_SUCCESS; i++) {
        status = take_part(sample, who, (first + i) % PARTS);
    }
    sample->is_whole = status == PSA_SUCCESS;
}

/* How a process is made. */
enum way {
    BY_FORK,
    BY_SYSTEM_CALL,    /* of which no handler of the C library hears */
    AS_FIRST_PROCESS,  /* of a namespace: its identifier is 1, and its child's may be, too */
    IN_THE_SAME_MEMORY /* as vfork() does: nothing is copied */
};

static pid_t copy(enum way way)
{
    const unsigned long flags = SIGCHLD | (way == AS_FIRST_PROCESS ? CLONE_NEWPID : 0);

    return way == BY_FORK ? fork() : (pid_t)syscall(SYS_clone, flags, 0, 0, 0, 0);
}

static bool ends_well(pid_t process)
{
    int status;

    return process > 0 && waitpid(process, &status, 0) == process && status == 0;
}

/* A child, a second one, and a grandchild by the first, each with a sample; 0 is the parent's. */
static bool spread(enum way way, unsigned first)
{
    const pid_t child = copy(way);
    if (child == 0) {
        if (first % 2 == 0) {
            take(1, first);
        }
        const pid_t grandchild = copy(way);
        if (grandchild == 0) {
            take(3, first);
            _exit(0);
        }
        take(1, first);
        _exit(ends_well(grandchild) ? 0 : 1);
    }
    const pid_t second = copy(way);
    if (second == 0) {
        take(2, first);
        _exit(0);
    }
    take(0, first);
    const bool is_first_well = ends_well(child);
    return ends_well(second) && is_first_well;
}

static void check_samples(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        test_context("process", i);
        CHECK(samples[i].is_whole);
        for (size_t j = 0; j < i; j++) {
            for (unsigned part = 0; part < PARTS; part++) {
                CHECK(memcmp(samples[i].parts[part], samples[j].parts[part], PART_SIZE) != 0);
            }
        }
    }
    test_context(NULL, 0);
}

static void prepare(void)
{
    test_entropy_mode(TEST_ENTROPY_BOARD);
    samples =
        mmap(NULL, 4 * sizeof *samples, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(samples != MAP_FAILED);
    signer = test_generate(PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1), 256, ECDSA,
                           PSA_KEY_USAGE_SIGN_HASH);
    cipher = test_generate(PSA_KEY_TYPE_AES, 128, PSA_ALG_CTR, PSA_KEY_USAGE_ENCRYPT);
}

static void check_way(enum way way)
{
    prepare();
    for (unsigned first = 0; first < PARTS; first++) {
        memset(samples, 0, 4 * sizeof *samples);
        CHECK(spread(way, first));
        check_samples(4);
    }
    munmap(samples, 4 * sizeof *samples);
}

static void processes__by_fork__share_nothing(void)
{
    check_way(BY_FORK);
}

static void processes__by_system_call__share_nothing(void)
{
    check_way(BY_SYSTEM_CALL);
}

static void processes__of_one_identifier__share_nothing(void)
{
    const pid_t probe = copy(AS_FIRST_PROCESS);
    if (probe == 0) {
        _exit(0);
    }
    if (!ends_well(probe)) {
        /* Without the right to make namespaces, as others see it. */
        check_way(BY_SYSTEM_CALL);
        return;
    }
    check_way(AS_FIRST_PROCESS);
}

static int take_second(void *unused)
{
    (void)unused;
    take(1, 0);
    return 0;
}

static void process__in_the_same_memory__shares_nothing(void)
{
    static uint8_t stack[STACK_SIZE];

    prepare();
    for (unsigned first = 0; first < PARTS; first++) {
        memset(samples, 0, 4 * sizeof *samples);
        const int flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
        CHECK(ends_well(clone(take_second, stack + STACK_SIZE, flags, NULL)));
        take(0, first);
        check_samples(2);
    }
    munmap(samples, 4 * sizeof *samples);
}

static atomic_bool is_over;

static void *draw_until_it_is_over(void *unused)
{
    uint8_t output[16];

    while (!atomic_load(&is_over)) {
        psa_generate_random(output, sizeof output);
    }
    return unused;
}

static void fork__while_another_thread_draws__leaves_no_lock_taken(void)
{
    uint8_t output[16];
    pthread_t other;

    test_entropy_mode(TEST_ENTROPY_BOARD);
    REQUIRE(pthread_create(&other, NULL, draw_until_it_is_over, NULL) == 0);
    for (unsigned i = 0; i < 300; i++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(200); /* instead of waiting for ever */
            _exit(psa_generate_random(output, sizeof output) == PSA_SUCCESS ? 0 : 1);
        }
        CHECK(ends_well(child));
    }
    atomic_store(&is_over, true);
    REQUIRE(pthread_join(other, NULL) == 0);
}

/* A machine's clock in the kernel's page (VMClock, version 1): the fields that are used. */
static struct {
    uint32_t magic;
    uint32_t size;
    uint32_t unused[2];
    uint64_t disruption;
    uint8_t clock[80];
    uint64_t generation;
} machine = {.magic = 0x4b4c4356u, .size = 112};

static int machine_file = -1;

static void show_machine(void)
{
    (void)!pwrite(machine_file, &machine, sizeof machine, 0);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

/* No machine of the tests can be resumed at will. */
int __wrap_open(const char *path, int flags, ...)
{
    if (strcmp(path, "/dev/vmclock0") != 0) {
        return __real_open(path, flags);
    }
    machine_file = memfd_create("machine", 0);
    show_machine();
    return dup(machine_file);
}

int __real_madvise(void *address, size_t size, int advice);
int __wrap_madvise(void *address, size_t size, int advice);

static bool is_without_advice(void)
{
    const char *text = getenv("CORRAL_TEST_WITHOUT_ADVICE");

    return text != NULL && text[0] != '\0';
}

/* Also a system that knows no such page. */
int __wrap_madvise(void *address, size_t size, int advice)
{
    return is_without_advice() ? -1 : __real_madvise(address, size, advice);
}

static bool asks_the_source(void)
{
    const unsigned before = test_entropy_calls();
    uint8_t output[8];

    EXPECT(PSA_SUCCESS, psa_generate_random(output, sizeof output));
    return test_entropy_calls() != before;
}

static void machine__resumed_from_a_snapshot__begins_with_fresh_entropy(void)
{
    test_entropy_mode(TEST_ENTROPY_BOARD);
    CHECK(asks_the_source() == is_without_advice());
    machine.generation++;
    show_machine();
    CHECK(asks_the_source());
    CHECK(asks_the_source() == is_without_advice());
    machine.disruption++;
    show_machine();
    CHECK(asks_the_source());
    CHECK(asks_the_source() == is_without_advice());
}

/* In namespaces of their own all of them can have the same identifier. */
pid_t __real_getpid(void);
pid_t __wrap_getpid(void);

pid_t __wrap_getpid(void)
{
    return is_without_advice() ? __real_getpid() : 7;
}

static unsigned entropy_calls;
static unsigned signalled_call; /* that a signal interrupts; 0: none */
static volatile sig_atomic_t who;
static pid_t its_copy;

int __real_getentropy(void *buffer, size_t size);
int __wrap_getentropy(void *buffer, size_t size);

int __wrap_getentropy(void *buffer, size_t size)
{
    const int result = __real_getentropy(buffer, size);

    if (++entropy_calls == signalled_call) {
        raise(SIGUSR1);
    }
    return result;
}

static void copy_in_a_handler(int number)
{
    (void)number;
    its_copy = copy(signalled_call % 2 == 0 ? BY_FORK : BY_SYSTEM_CALL);
    who = its_copy == 0 ? 1 : 0;
}

/*
 * Draw in a copy, which begins with fresh entropy, and in one that a signal makes of it when the
 * source is asked for the `at`th time. Returns how often it was asked.
 */
static unsigned draw_interrupted(unsigned at)
{
    uint8_t *const calls = samples[2].parts[0];
    uint8_t drawn[PART_SIZE];

    const pid_t child = fork();
    if (child == 0) {
        entropy_calls = 0;
        signalled_call = at;
        const bool is_drawn = psa_generate_random(drawn, sizeof drawn) == PSA_SUCCESS;
        memcpy(samples[who].parts[0], drawn, sizeof drawn);
        *calls = (uint8_t)entropy_calls;
        _exit(is_drawn && (at == 0 || who == 1 || ends_well(its_copy)) ? 0 : 1);
    }
    CHECK(ends_well(child));
    return *calls;
}

static void copy__by_a_signal_inside_a_draw__shares_nothing(void)
{
    prepare();
    REQUIRE(signal(SIGUSR1, copy_in_a_handler) != SIG_ERR);
    /* Without such a page all is drawn twice, and nothing tells of a copy in the second time. */
    const unsigned calls = draw_interrupted(0) / (is_without_advice() ? 2 : 1);
    CHECK(calls > 1);
    for (unsigned at = 1; at <= calls; at++) {
        test_context("call", at);
        memset(samples, 0, 4 * sizeof *samples);
        draw_interrupted(at);
        CHECK(memcmp(samples[0].parts[0], samples[1].parts[0], PART_SIZE) != 0);
    }
    test_context(NULL, 0);
    munmap(samples, 4 * sizeof *samples);
}

static const struct test_case tests[] = {
    TEST(processes__by_fork__share_nothing),
    TEST(processes__by_system_call__share_nothing),
    TEST(processes__of_one_identifier__share_nothing),
    TEST(process__in_the_same_memory__shares_nothing),
    TEST(copy__by_a_signal_inside_a_draw__shares_nothing),
    TEST(fork__while_another_thread_draws__leaves_no_lock_taken),
    TEST(machine__resumed_from_a_snapshot__begins_with_fresh_entropy),
};

static TEST_SUITE(copies, tests);
extern const struct test_suite suite_shared;

int main(void)
{
    const struct test_suite *const suites[] = {&suite_copies, &suite_shared};

    return test_initialise_and_run(suites, 2);
}
