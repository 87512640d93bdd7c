/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the driver makes of two tokens behind a hostile module. The first argument chooses a part;
 * each prints lines that the caller judges.
 */
#define _GNU_SOURCE /* syscall() */

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <corral/builtin_keys.h>
#include <corral/config.h>
#include <corral/locations.h>
#include <corral/port.h>
#include <psa/crypto.h>

#include "../../../drivers/pkcs11/cryptoki.h"
#include "../../harness/attributes.h"
#include "hostile.h"

#define MESSAGE_SIZE 48u
#define SIGNATURE_SIZE 512u
#define ECC PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define SIGNS (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_SIGN_HASH)
#define ENCRYPTS (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)
#define MAX_CALLS 400u
#define STEPS 24u
#define FIRST_KEY 1u /* identifiers of persistent keys */
#define SECOND_KEY 2u

static const uint8_t message[MESSAGE_SIZE] = "a message of forty-eight bytes, three blocks.";

static hostile_set_fn *set;
static hostile_calls_fn *calls;
static hostile_logins_fn *logins;
static hostile_log_out_fn *log_out;
static hostile_behave_fn *behave;
static hostile_answer_fn *answer;
static hostile_pull_out_fn *pull_out;
static hostile_end_fn *end;
static hostile_swap_fn *swap;
static hostile_relabel_fn *relabel;
static hostile_objects_fn *objects;
static hostile_sessions_fn *sessions;
static hostile_searches_fn *searches;
static hostile_strays_fn *strays;

/* Locks of the library that this thread has. */
static _Thread_local unsigned locks;
/* The number of each process from now on, as in namespaces that begin with 1; 0: its own. */
static pid_t everywhere;

pid_t __real_getpid(void);
pid_t __wrap_getpid(void);
void __real_corral_port_lock(unsigned lock);
void __real_corral_port_unlock(unsigned lock);
int __real_pthread_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));
void __wrap_corral_port_lock(unsigned lock);
void __wrap_corral_port_unlock(unsigned lock);
int __wrap_pthread_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));

pid_t __wrap_getpid(void)
{
    return everywhere != 0 ? everywhere : __real_getpid();
}

void __wrap_corral_port_lock(unsigned lock)
{
    __real_corral_port_lock(lock);
    locks++;
}

void __wrap_corral_port_unlock(unsigned lock)
{
    locks--;
    __real_corral_port_unlock(lock);
}

/* Another thread's fork() may have the list of handlers, and wait for a lock of the library. */
int __wrap_pthread_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    if (locks > 0) {
        printf("a handler of fork() under a lock\n");
        exit(1);
    }
    return __real_pthread_atfork(before, in_parent, in_child);
}

static void *find(void *library, const char *name)
{
    void *symbol = dlsym(library, name);

    if (symbol == NULL) {
        printf("no %s\n", name);
        exit(2);
    }
    return symbol;
}

/* The module, loaded here too: the driver gets the same one. */
static void load(void)
{
    void *library = dlopen("libhostile.so", RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        printf("no module: %s\n", dlerror());
        exit(2);
    }
    *(void **)&set = find(library, "hostile_set");
    *(void **)&calls = find(library, "hostile_calls");
    *(void **)&logins = find(library, "hostile_logins");
    *(void **)&log_out = find(library, "hostile_log_out");
    *(void **)&behave = find(library, "hostile_behave");
    *(void **)&answer = find(library, "hostile_answer");
    *(void **)&pull_out = find(library, "hostile_pull_out");
    *(void **)&end = find(library, "hostile_end");
    *(void **)&swap = find(library, "hostile_swap");
    *(void **)&relabel = find(library, "hostile_relabel");
    *(void **)&objects = find(library, "hostile_objects");
    *(void **)&sessions = find(library, "hostile_sessions");
    *(void **)&searches = find(library, "hostile_searches");
    *(void **)&strays = find(library, "hostile_strays");
}

static void print_hex(const char *name, const uint8_t *data, size_t length)
{
    printf(" %s=", name);
    for (size_t i = 0; i < length; i++) {
        printf("%02x", data[i]);
    }
}

/* Statuses of the calls of a life, in their order. */
struct life {
    psa_status_t statuses[STEPS];
    size_t count;
};

static bool note(struct life *life, psa_status_t status)
{
    life->statuses[life->count++] = status;
    return status == PSA_SUCCESS;
}

/* A key that could not be destroyed is destroyed as soon as the token works again. */
static void destroy(struct life *life, psa_key_id_t key)
{
    if (!note(life, psa_destroy_key(key))) {
        set(0, HOSTILE_NOT);
        if (psa_destroy_key(key) != PSA_SUCCESS) {
            printf("a key cannot be destroyed\n");
            exit(1);
        }
    }
}

static void use_pair(struct life *life, psa_key_location_t location)
{
    psa_key_attributes_t attributes = volatile_at(
        location, ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS | PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_key_id_t key;
    uint8_t public_key[65];
    uint8_t output[64];
    size_t length;

    if (note(life, psa_generate_key(&attributes, &key))) {
        if (note(life, psa_sign_message(key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), message,
                                        sizeof message, output, sizeof output, &length))) {
            note(life, psa_verify_message(key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), message,
                                          sizeof message, output, length));
            const psa_status_t status =
                psa_export_public_key(key, public_key, sizeof public_key, &length);
            if (note(life, status) && (length != 65 || public_key[0] != 4)) {
                note(life, PSA_ERROR_CORRUPTION_DETECTED);
            }
        }
        destroy(life, key);
    }
}

/* Two results of 32 bytes that have to be the same, of which the module spoils one at most. */
static void compare(struct life *life, psa_status_t first, psa_status_t second, const uint8_t *a,
                    const uint8_t *b)
{
    note(life, first);
    if (note(life, second) && first == PSA_SUCCESS && memcmp(a, b, 32) != 0) {
        note(life, PSA_ERROR_CORRUPTION_DETECTED);
    }
}

static psa_status_t raw_agreement(psa_key_id_t key, const uint8_t peer[65], uint8_t secret[32])
{
    size_t length;

    return psa_raw_key_agreement(PSA_ALG_ECDH, key, peer, 65, secret, 32, &length);
}

static psa_status_t mac(psa_key_id_t key, uint8_t result[32])
{
    size_t length;

    return psa_mac_compute(key, PSA_ALG_HMAC(PSA_ALG_SHA_256), message, sizeof message, result, 32,
                           &length);
}

static void agree(struct life *life, psa_key_location_t location)
{
    psa_key_attributes_t attributes =
        volatile_at(location, ECC, 256, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t key;
    uint8_t peer[65];
    uint8_t output[2][32];
    size_t length;

    if (note(life, psa_generate_key(&attributes, &key))) {
        if (note(life, psa_export_public_key(key, peer, sizeof peer, &length))) {
            compare(life, raw_agreement(key, peer, output[0]), raw_agreement(key, peer, output[1]),
                    output[0], output[1]);
        }
        destroy(life, key);
    }
}

static void use_secrets(struct life *life, psa_key_location_t location)
{
    psa_key_attributes_t attributes =
        volatile_at(location, PSA_KEY_TYPE_AES, 128, PSA_ALG_CBC_NO_PADDING, ENCRYPTS);
    psa_key_id_t key;
    uint8_t output[16 + MESSAGE_SIZE];
    uint8_t plain[MESSAGE_SIZE];
    size_t length;

    if (note(life, psa_generate_key(&attributes, &key))) {
        if (note(life, psa_cipher_encrypt(key, PSA_ALG_CBC_NO_PADDING, message, sizeof message,
                                          output, sizeof output, &length)) &&
            note(life, psa_cipher_decrypt(key, PSA_ALG_CBC_NO_PADDING, output, length, plain,
                                          sizeof plain, &length)) &&
            memcmp(plain, message, sizeof message) != 0) {
            note(life, PSA_ERROR_CORRUPTION_DETECTED);
        }
        destroy(life, key);
    }
    attributes = volatile_at(location, PSA_KEY_TYPE_HMAC, 0, PSA_ALG_HMAC(PSA_ALG_SHA_256),
                             PSA_KEY_USAGE_SIGN_MESSAGE);
    if (note(life, psa_import_key(&attributes, message, 32, &key))) {
        compare(life, mac(key, output), mac(key, plain), output, plain);
        destroy(life, key);
    }
}

/* All that the driver does, with keys that come and go. */
static struct life live(psa_key_location_t location)
{
    struct life life = {.count = 0};

    use_pair(&life, location);
    agree(&life, location);
    use_secrets(&life, location);
    return life;
}

static bool is_well(const struct life *life)
{
    for (size_t i = 0; i < life->count; i++) {
        if (life->statuses[i] != PSA_SUCCESS) {
            return false;
        }
    }
    return true;
}

/* Misbehave at each call of a life in turn. The next life has to be well, or the one after it. */
static void be_hostile(enum hostile_mode mode)
{
    for (unsigned at = 1; at <= MAX_CALLS; at++) {
        set(at, mode);
        const struct life life = live(CORRAL_LOCATION_TOKEN0);
        const unsigned made = calls();
        set(0, HOSTILE_NOT);
        const bool has_struck = made >= at || !is_well(&life);
        printf("life %d %u", (int)mode, at);
        for (size_t i = 0; i < life.count; i++) {
            printf(" %d", (int)life.statuses[i]);
        }
        printf("\n");
        struct life next = live(CORRAL_LOCATION_TOKEN0);
        if (!is_well(&next)) {
            next = live(CORRAL_LOCATION_TOKEN0);
        }
        printf("next %d sessions %u searches %u strays %u\n", is_well(&next), sessions(),
               searches(), strays());
        if (!has_struck) {
            printf("end %d %u\n", (int)mode, at);
            return;
        }
    }
}

static void sign_as(const char *name, psa_key_location_t location, psa_key_type_t type, size_t bits,
                    psa_algorithm_t alg)
{
    psa_key_attributes_t attributes = volatile_at(location, type, bits, alg, SIGNS);
    psa_key_id_t key;
    uint8_t public_key[PSA_EXPORT_PUBLIC_KEY_MAX_SIZE];
    uint8_t signature[SIGNATURE_SIZE];
    size_t public_length = 0;
    size_t length = 0;

    psa_status_t status = psa_generate_key(&attributes, &key);
    if (status == PSA_SUCCESS) {
        status = psa_export_public_key(key, public_key, sizeof public_key, &public_length);
    }
    if (status == PSA_SUCCESS) {
        status = psa_sign_message(key, alg, message, sizeof message, signature, sizeof signature,
                                  &length);
    }
    printf("signed %s %d", name, (int)status);
    print_hex("public", public_key, public_length);
    print_hex("signature", signature, length);
    printf("\n");
    (void)psa_destroy_key(key);
}

static void sign_with_all(void)
{
    const psa_key_location_t location = CORRAL_LOCATION_TOKEN0;
    const psa_key_type_t rsa = PSA_KEY_TYPE_RSA_KEY_PAIR;

    sign_as("p256", location, ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256));
    sign_as("p256-sha512", location, ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_512));
    sign_as("p384", location, ECC, 384, PSA_ALG_ECDSA(PSA_ALG_SHA_384));
    sign_as("p521", location, ECC, 521, PSA_ALG_ECDSA(PSA_ALG_SHA_512));
    sign_as("pkcs1", location, rsa, 2048, PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256));
    sign_as("pss", location, rsa, 2048, PSA_ALG_RSA_PSS(PSA_ALG_SHA_384));
}

static void sign_with(const char *name, psa_key_id_t key)
{
    uint8_t signature[64];
    size_t length = 0;

    printf("signed %s %d", name,
           (int)psa_sign_message(key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), message, sizeof message,
                                 signature, sizeof signature, &length));
    print_hex("signature", signature, length);
    printf("\n");
}

/* A key that the token came with, by its label and by the board's name for it. */
static void attach(const char *label)
{
    psa_key_attributes_t attributes =
        volatile_at(CORRAL_LOCATION_TOKEN0, ECC, 0, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS);
    psa_key_id_t key;

    const psa_status_t status =
        psa_attach_key(&attributes, (const uint8_t *)label, strlen(label), &key);
    printf("attached %d\n", (int)status);
    if (status == PSA_SUCCESS) {
        sign_with("attached", key);
        log_out();
        sign_with("logged-out", key);
        sign_with("built-in", CORRAL_KEY_IDENTITY);
        printf("destroyed %d\n", (int)psa_destroy_key(key));
    }
}

/* Another pair's public part has the label now. */
static void attach_relabelled(const char *label)
{
    psa_key_attributes_t attributes =
        volatile_at(CORRAL_LOCATION_TOKEN0, ECC, 0, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS);
    psa_key_id_t key;
    uint8_t public_key[65];
    size_t length = 0;

    printf("attached %d\n",
           (int)psa_attach_key(&attributes, (const uint8_t *)label, strlen(label), &key));
    printf("relabelled %d\n", relabel(label, "another"));
    printf("exported %d", (int)psa_export_public_key(key, public_key, sizeof public_key, &length));
    print_hex("public", public_key, length);
    printf("\n");
}

/* The parent's volatile key is not the child's, which begins anew; the parent goes on. */
static void split(void)
{
    psa_key_attributes_t attributes =
        volatile_at(CORRAL_LOCATION_TOKEN0, ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS);
    psa_key_id_t key;
    uint8_t signature[64];
    size_t length;
    int ended = 0;

    printf("parent generates %d\n", (int)psa_generate_key(&attributes, &key));
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        printf("child signs %d\n",
               (int)psa_sign_message(key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), message, sizeof message,
                                     signature, sizeof signature, &length));
        const struct life life = live(CORRAL_LOCATION_TOKEN0);
        const struct life other = live(CORRAL_LOCATION_TOKEN1);
        printf("child lives %d %d\n", is_well(&life), is_well(&other));
        fflush(stdout);
        _exit(0);
    }
    (void)waitpid(child, &ended, 0);
    printf("parent signs %d\n",
           (int)psa_sign_message(key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), message, sizeof message,
                                 signature, sizeof signature, &length));
    printf("parent destroys %d\n", (int)psa_destroy_key(key));
}

/* Keys of two tokens at once, of which one is taken away. */
static void use_both(void)
{
    const psa_key_location_t locations[] = {CORRAL_LOCATION_TOKEN0, CORRAL_LOCATION_TOKEN1};
    psa_key_id_t keys[2];
    uint8_t signature[64];
    size_t length;

    for (size_t i = 0; i < 2; i++) {
        psa_key_attributes_t attributes =
            volatile_at(locations[i], ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS);
        printf("generate %d\n", (int)psa_generate_key(&attributes, &keys[i]));
    }
    for (size_t i = 0; i < 4; i++) {
        printf("sign %d\n",
               (int)psa_sign_message(keys[i % 2], PSA_ALG_ECDSA(PSA_ALG_SHA_256), message,
                                     sizeof message, signature, sizeof signature, &length));
    }
    printf("destroy %d\n", (int)psa_destroy_key(keys[0]));
    printf("sign %d\n",
           (int)psa_sign_message(keys[1], PSA_ALG_ECDSA(PSA_ALG_SHA_256), message, sizeof message,
                                 signature, sizeof signature, &length));
    printf("destroy %d\n", (int)psa_destroy_key(keys[1]));
    printf("sessions %u\n", sessions());
}

/* With a PIN that is wrong: the token sees it once. */
static void be_refused(void)
{
    psa_key_attributes_t attributes =
        volatile_at(CORRAL_LOCATION_TOKEN0, ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS);
    psa_key_id_t key;

    for (size_t i = 0; i < 3; i++) {
        const psa_status_t status = psa_generate_key(&attributes, &key);
        printf("generate %d logins %u\n", (int)status, logins());
    }
    printf("sessions %u\n", sessions());
}

static psa_status_t make(psa_key_id_t id, psa_key_location_t location)
{
    psa_key_attributes_t attributes =
        volatile_at(location, ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS);
    psa_key_id_t key;

    psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                          PSA_KEY_PERSISTENCE_DEFAULT, location));
    psa_set_key_id(&attributes, id);
    return psa_generate_key(&attributes, &key);
}

static void make_well(psa_key_id_t id, psa_key_location_t location)
{
    const psa_status_t status = make(id, location);

    if (status != PSA_SUCCESS) {
        printf("make %d\n", (int)status);
        exit(1);
    }
}

static psa_status_t sign(psa_key_id_t key)
{
    uint8_t signature[64];
    size_t length;

    return psa_sign_message(key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), message, sizeof message, signature,
                            sizeof signature, &length);
}

/* Objects in the tokens, once they work again and are logged in. */
static unsigned left(void)
{
    const psa_key_location_t locations[] = {CORRAL_LOCATION_TOKEN0, CORRAL_LOCATION_TOKEN1};
    psa_key_id_t key;

    set(0, HOSTILE_NOT);
    for (size_t i = 0; i < 2; i++) {
        psa_key_attributes_t attributes =
            volatile_at(locations[i], ECC, 0, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS);
        const psa_status_t status = psa_attach_key(&attributes, (const uint8_t *)"none", 4, &key);
        if (status != PSA_ERROR_DOES_NOT_EXIST) {
            printf("attach %d\n", (int)status);
            exit(1);
        }
    }
    return objects();
}

/* Misbehave at each call of the destruction of a persistent key in turn, and destroy it then. */
static void destroy_persistent(enum hostile_mode mode)
{
    unsigned made;
    unsigned at = 0;

    do {
        at++;
        make_well(FIRST_KEY, CORRAL_LOCATION_TOKEN0);
        pull_out(); /* so the calls are those that log in, too */
        set(at, mode);
        const psa_status_t status = psa_destroy_key(FIRST_KEY);
        made = calls();
        const unsigned after = left();
        const psa_status_t again = psa_destroy_key(FIRST_KEY);
        printf("destroyed %d left %u then %d left %u\n", (int)status, after, (int)again, left());
    } while (made >= at);
    printf("end %u\n", at);
}

/* The same while a persistent key is made. What is left does not keep it from being made again. */
static void make_persistent(enum hostile_mode mode)
{
    unsigned made;
    unsigned at = 0;

    do {
        at++;
        pull_out();
        set(at, mode);
        const psa_status_t status = make(FIRST_KEY, CORRAL_LOCATION_TOKEN0);
        made = calls();
        const unsigned after = left();
        const psa_status_t again = make(FIRST_KEY, CORRAL_LOCATION_TOKEN0);
        const unsigned of_one = left();
        const psa_status_t destroyed = psa_destroy_key(FIRST_KEY);
        printf("made %d left %u then %d left %u destroyed %d left %u\n", (int)status, after,
               (int)again, of_one, (int)destroyed, left());
    } while (made >= at);
    printf("end %u\n", at);
}

/* A token is pulled and plugged in again, and is away for a while. Its persistent key stays. */
static void pull(void)
{
    make_well(FIRST_KEY, CORRAL_LOCATION_TOKEN0);
    pull_out();
    printf("sign %d\n", (int)sign(FIRST_KEY));
    set(1, HOSTILE_GONE);
    printf("sign %d\n", (int)sign(FIRST_KEY));
    printf("destroy %d\n", (int)psa_destroy_key(FIRST_KEY));
    printf("left %u\n", left());
    printf("destroy %d\n", (int)psa_destroy_key(FIRST_KEY));
    printf("left %u\n", left());
}

/* The number of a token's session becomes that of another token's. */
static void mix_up(void)
{
    make_well(FIRST_KEY, CORRAL_LOCATION_TOKEN0);
    make_well(SECOND_KEY, CORRAL_LOCATION_TOKEN1);
    swap();
    printf("sign %d\n", (int)sign(FIRST_KEY));
    printf("destroy %d\n", (int)psa_destroy_key(FIRST_KEY));
    printf("left %u\n", left());
    const unsigned before = logins();
    printf("sign %d logins %u\n", (int)sign(SECOND_KEY), logins() - before);
    printf("destroy %d\n", (int)psa_destroy_key(SECOND_KEY));
    printf("left %u\n", left());
}

/* Another part of the program ends the module. */
static void end_module(void)
{
    make_well(FIRST_KEY, CORRAL_LOCATION_TOKEN0);
    make_well(SECOND_KEY, CORRAL_LOCATION_TOKEN1);
    end();
    for (size_t i = 0; i < 2; i++) {
        printf("sign %d\n", (int)sign(FIRST_KEY));
    }
    printf("sign %d\n", (int)sign(SECOND_KEY));
    printf("destroy %d %d\n", (int)psa_destroy_key(FIRST_KEY), (int)psa_destroy_key(SECOND_KEY));
    printf("left %u\n", left());
}

/* All numbers that the token draws are the same. */
static void repeat(void)
{
    behave(HOSTILE_REPEATS);
    printf("make %d\n", (int)make(FIRST_KEY, CORRAL_LOCATION_TOKEN0));
    printf("make %d\n", (int)make(SECOND_KEY, CORRAL_LOCATION_TOKEN0));
    printf("sign %d\n", (int)sign(FIRST_KEY));
    printf("destroy %d\n", (int)psa_destroy_key(FIRST_KEY));
    printf("left %u\n", left());
}

/* Volatile keys of a token that was pulled, and has one try left then, do not fill the slots. */
static void lose(void)
{
    psa_key_id_t keys[CORRAL_PROTECTED_KEY_SLOTS];

    for (size_t round = 0; round < 2; round++) {
        const psa_key_location_t location =
            round == 0 ? CORRAL_LOCATION_TOKEN0 : CORRAL_LOCATION_TOKEN1;
        psa_key_attributes_t attributes =
            volatile_at(location, ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS);
        for (size_t i = 0; i < CORRAL_PROTECTED_KEY_SLOTS; i++) {
            printf("generate %d\n", (int)psa_generate_key(&attributes, &keys[i]));
        }
        pull_out();
        behave(HOSTILE_LAST_TRY);
        for (size_t i = 0; i < CORRAL_PROTECTED_KEY_SLOTS; i++) {
            printf("destroy %d\n", (int)psa_destroy_key(keys[i]));
        }
        behave(0);
    }
}

/* Logins of a call, and its status. */
static void count_logins(void)
{
    const unsigned before = logins();
    const psa_status_t status = sign(FIRST_KEY);

    printf("sign %d logins %u\n", (int)status, logins() - before);
}

/* The PIN is not shown for the last try, nor after two results that are not known. */
static void try_pin(void)
{
    make_well(FIRST_KEY, CORRAL_LOCATION_TOKEN0);
    log_out();
    behave(HOSTILE_LAST_TRY);
    count_logins();
    behave(0);
    count_logins();
    printf("destroy %d\n", (int)psa_destroy_key(FIRST_KEY));
    printf("left %u\n", left());
    pull_out();
    answer(HOSTILE_LOGIN, CKR_FUNCTION_FAILED);
    for (size_t i = 0; i < 3; i++) {
        const unsigned before = logins();
        const psa_status_t status = make(FIRST_KEY, CORRAL_LOCATION_TOKEN0);
        printf("make %d logins %u\n", (int)status, logins() - before);
    }
}

/* A key that asks for the PIN at each signature, as those for qualified signatures do. */
static void ask_each_time(void)
{
    psa_key_attributes_t attributes =
        volatile_at(CORRAL_LOCATION_TOKEN0, ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS);
    psa_key_id_t other;

    printf("generate %d\n", (int)psa_generate_key(&attributes, &other));
    behave(HOSTILE_ASKS);
    make_well(FIRST_KEY, CORRAL_LOCATION_TOKEN0);
    count_logins();
    count_logins();
    behave(HOSTILE_LAST_TRY);
    printf("other signs %d\n", (int)sign(other));
    count_logins();
    behave(0);
    count_logins(); /* one for the session, and one for the key */
    answer(HOSTILE_LOGIN, CKR_PIN_INCORRECT);
    count_logins();
    count_logins();
}

/* A token whose PIN for signatures is another one, and that does not say so. */
static void ask_in_vain(void)
{
    behave(HOSTILE_ASKS);
    make_well(FIRST_KEY, CORRAL_LOCATION_TOKEN0);
    answer(HOSTILE_LOGIN_AGAIN, CKR_FUNCTION_FAILED);
    for (size_t i = 0; i < 4; i++) {
        count_logins();
    }
}

/* Codes by which tokens report that they are busy, or that they cannot. */
static void answer_by_codes(void)
{
    static const CK_RV codes[] = {CKR_ATTRIBUTE_READ_ONLY,   CKR_ATTRIBUTE_VALUE_INVALID,
                                  CKR_KEY_TYPE_INCONSISTENT, CKR_TEMPLATE_INCOMPLETE,
                                  CKR_TEMPLATE_INCONSISTENT, CKR_MECHANISM_INVALID};

    make_well(FIRST_KEY, CORRAL_LOCATION_TOKEN0);
    pull_out();
    answer(HOSTILE_LOGIN, CKR_USER_ANOTHER_ALREADY_LOGGED_IN);
    for (size_t i = 0; i < 3; i++) {
        count_logins();
    }
    answer(HOSTILE_LOGIN, CKR_OK);
    answer(HOSTILE_OPEN, CKR_SESSION_COUNT);
    count_logins();
    answer(HOSTILE_OPEN, CKR_OK);
    count_logins();
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        answer(HOSTILE_GENERATE, codes[i]);
        printf("make %d\n", (int)make(SECOND_KEY, CORRAL_LOCATION_TOKEN0));
    }
    answer(HOSTILE_GENERATE, CKR_OK);
    answer(HOSTILE_DERIVE, CKR_PUBLIC_KEY_INVALID);
    struct life life = {.count = 0};
    agree(&life, CORRAL_LOCATION_TOKEN0);
    printf("agree %d %d\n", (int)life.statuses[2], (int)life.statuses[3]);
    pull_out();
    answer(HOSTILE_OPEN, CKR_OBJECT_HANDLE_INVALID);
    count_logins();
    answer(HOSTILE_OPEN, CKR_OK);
    answer(HOSTILE_SEARCH, CKR_OBJECT_HANDLE_INVALID);
    printf("destroy %d\n", (int)psa_destroy_key(FIRST_KEY));
    answer(HOSTILE_SEARCH, CKR_OK);
    printf("destroy %d\n", (int)psa_destroy_key(FIRST_KEY));
    printf("left %u\n", left());
}

/*
 * A child whose module cannot end what the parent began, one without handlers of fork(), and one
 * with the number of its parent.
 */
static void split_badly(void)
{
    psa_key_attributes_t attributes =
        volatile_at(CORRAL_LOCATION_TOKEN0, ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS);
    psa_key_id_t key;
    int ended;

    make_well(FIRST_KEY, CORRAL_LOCATION_TOKEN0);
    printf("parent generates %d\n", (int)psa_generate_key(&attributes, &key));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        behave(HOSTILE_ENDS_NOT);
        printf("child signs %d\n", (int)sign(FIRST_KEY));
        printf("child signs %d\n", (int)sign(FIRST_KEY));
        behave(0);
        printf("child signs %d\n", (int)sign(FIRST_KEY));
        fflush(stdout);
        _exit(0);
    }
    (void)waitpid(child, &ended, 0);
    for (size_t i = 0; i < 2; i++) {
        everywhere = i == 0 ? 0 : getpid();
        child = i == 0 ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
        if (child == 0) {
            printf("child signs %d %d\n", (int)sign(key), (int)sign(FIRST_KEY));
            fflush(stdout);
            _exit(0);
        }
        (void)waitpid(child, &ended, 0);
    }
    printf("parent signs %d\n", (int)sign(key));
    printf("parent destroys %d %d\n", (int)psa_destroy_key(key), (int)psa_destroy_key(FIRST_KEY));
    printf("left %u\n", left());
}

/* A destruction that a token is away for; the next start of the program goes on with it. */
static void leave(void)
{
    make_well(FIRST_KEY, CORRAL_LOCATION_TOKEN0);
    set(1, HOSTILE_GONE);
    printf("destroy %d\n", (int)psa_destroy_key(FIRST_KEY));
}

static void count_left(void)
{
    answer(HOSTILE_OPEN, CKR_OK);
    printf("left %u\n", left());
}

/* Parts with an argument. */
static bool run_with(const char *part, const char *argument)
{
    if (strcmp(part, "attach") == 0) {
        attach(argument);
    } else if (strcmp(part, "relabel") == 0) {
        attach_relabelled(argument);
    } else if (strcmp(part, "destroy") == 0) {
        destroy_persistent((enum hostile_mode)atoi(argument));
    } else if (strcmp(part, "make") == 0) {
        make_persistent((enum hostile_mode)atoi(argument));
    } else if (strcmp(part, "hostile") == 0) {
        be_hostile((enum hostile_mode)atoi(argument));
    } else {
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {
        {"sign", sign_with_all},
        {"fork", split},
        {"fork badly", split_badly},
        {"both", use_both},
        {"pin", be_refused},
        {"pull", pull},
        {"mix up", mix_up},
        {"end", end_module},
        {"repeat", repeat},
        {"lose", lose},
        {"tries", try_pin},
        {"asks", ask_each_time},
        {"asks in vain", ask_in_vain},
        {"codes", answer_by_codes},
        {"leave", leave},
        {"full", count_left},
        {"rest", count_left},
    };
    const char *part = argc > 1 ? argv[1] : "";

    load();
    answer(HOSTILE_OPEN, strcmp(part, "full") == 0 ? CKR_HOST_MEMORY : CKR_OK);
    printf("init %d\n", (int)psa_crypto_init());
    if (argc > 2) {
        return run_with(part, argv[2]) ? 0 : 2;
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strcmp(part, parts[i].name) == 0) {
            parts[i].run();
            return 0;
        }
    }
    return 2;
}
