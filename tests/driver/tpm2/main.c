/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the driver makes of a TPM that fails or lies. The first argument chooses a part; each prints
 * lines that the caller judges.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <corral/driver.h>
#include <corral/locations.h>
#include <psa/crypto.h>

#include "../../harness/attributes.h"

#define AT CORRAL_LOCATION_TPM
#define KEY_ID 7u
#define MESSAGE_SIZE 48u
#define SIGNATURE_MAX_SIZE 512u
#define PUBLIC_MAX_SIZE 512u
#define LONG_SIZE 5000u
#define ECC PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1)
#define SIGNS (PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_SIGN_HASH)

static const uint8_t message[MESSAGE_SIZE] = "a message of forty-eight bytes, three blocks.";

static void print_hex(const char *name, const uint8_t *data, size_t length)
{
    printf(" %s=", name);
    while (length-- > 0) {
        printf("%02x", *data++);
    }
}

/* Print a status; whether it is success. */
static bool note(psa_status_t status)
{
    printf(" %d", (int)status);
    return status == PSA_SUCCESS;
}

static void need(psa_status_t status, const char *what)
{
    if (status != PSA_SUCCESS) {
        printf("%s %d\n", what, (int)status);
        exit(1);
    }
}

/* A result that is said to be there and that is wrong. */
static void check(bool is_right)
{
    if (!is_right) {
        note(PSA_ERROR_CORRUPTION_DETECTED);
    }
}

static bool is_signature(const uint8_t *public_key, size_t length, const uint8_t *signature)
{
    psa_key_attributes_t attributes =
        volatile_at(PSA_KEY_LOCATION_LOCAL_STORAGE, PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(ECC), 256,
                    PSA_ALG_ECDSA(PSA_ALG_SHA_256), PSA_KEY_USAGE_VERIFY_MESSAGE);
    psa_key_id_t key;

    need(psa_import_key(&attributes, public_key, length, &key), "import");
    const psa_status_t status = psa_verify_message(key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), message,
                                                   sizeof message, signature, 64);
    need(psa_destroy_key(key), "destroy");
    return status == PSA_SUCCESS;
}

static void use_pair(void)
{
    psa_key_attributes_t attributes =
        volatile_at(AT, ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS);
    psa_key_id_t key;
    uint8_t public_key[65];
    uint8_t signature[64] = {0};
    size_t length;

    if (note(psa_generate_key(&attributes, &key))) {
        if (note(psa_sign_message(key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), message, sizeof message,
                                  signature, sizeof signature, &length))) {
            if (note(psa_export_public_key(key, public_key, sizeof public_key, &length))) {
                check(is_signature(public_key, length, signature));
            }
        }
        note(psa_destroy_key(key));
    }
}

static void agree(void)
{
    psa_key_attributes_t attributes = volatile_at(AT, ECC, 256, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE);
    psa_key_attributes_t of_peer =
        volatile_at(PSA_KEY_LOCATION_LOCAL_STORAGE, ECC, 256, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE);
    psa_key_id_t key;
    psa_key_id_t peer;
    uint8_t public_key[65];
    uint8_t secrets[2][32] = {{0}};
    size_t length;

    need(psa_generate_key(&of_peer, &peer), "peer");
    if (note(psa_generate_key(&attributes, &key))) {
        need(psa_export_public_key(peer, public_key, sizeof public_key, &length), "export");
        if (note(psa_raw_key_agreement(PSA_ALG_ECDH, key, public_key, length, secrets[0],
                                       sizeof secrets[0], &length))) {
            need(psa_export_public_key(key, public_key, sizeof public_key, &length), "export");
            need(psa_raw_key_agreement(PSA_ALG_ECDH, peer, public_key, length, secrets[1],
                                       sizeof secrets[1], &length),
                 "agree");
            check(memcmp(secrets[0], secrets[1], sizeof secrets[0]) == 0);
        }
        note(psa_destroy_key(key));
    }
    need(psa_destroy_key(peer), "destroy");
}

static void use_mac(void)
{
    psa_key_attributes_t attributes = volatile_at(
        AT, PSA_KEY_TYPE_HMAC, 256, PSA_ALG_HMAC(PSA_ALG_SHA_256), PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_key_attributes_t of_copy = attributes;
    psa_key_id_t keys[2];
    uint8_t macs[2][32] = {{0}};
    static uint8_t text[LONG_SIZE];
    size_t length;

    psa_set_key_lifetime(&of_copy, PSA_KEY_LIFETIME_VOLATILE);
    memset(text, 0x5a, sizeof text);
    if (note(psa_import_key(&attributes, message, 32, &keys[0]))) {
        need(psa_import_key(&of_copy, message, 32, &keys[1]), "import");
        if (note(psa_mac_compute(keys[0], PSA_ALG_HMAC(PSA_ALG_SHA_256), text, sizeof text, macs[0],
                                 sizeof macs[0], &length))) {
            need(psa_mac_compute(keys[1], PSA_ALG_HMAC(PSA_ALG_SHA_256), text, sizeof text, macs[1],
                                 sizeof macs[1], &length),
                 "mac");
            check(memcmp(macs[0], macs[1], sizeof macs[0]) == 0);
        }
        note(psa_destroy_key(keys[0]));
        need(psa_destroy_key(keys[1]), "destroy");
    }
}

static void live(const char *which)
{
    printf("%s", which);
    use_pair();
    agree();
    use_mac();
    printf("\n");
    (void)fflush(stdout);
}

/* For each line of standard input a life. The caller disturbs the first, the third and so on. */
static void live_on(void)
{
    bool is_disturbed = false;
    char line[16];

    while (fgets(line, sizeof line, stdin) != NULL) {
        is_disturbed = !is_disturbed;
        live(is_disturbed ? "life" : "next");
    }
}

static void sign_one(const char *name, psa_key_type_t type, size_t bits, psa_algorithm_t alg)
{
    psa_key_attributes_t attributes = volatile_at(AT, type, bits, alg, SIGNS);
    psa_key_id_t key;
    uint8_t public_key[PUBLIC_MAX_SIZE];
    uint8_t signature[SIGNATURE_MAX_SIZE];
    size_t public_length = 0;
    size_t length = 0;

    need(psa_generate_key(&attributes, &key), name);
    need(psa_export_public_key(key, public_key, sizeof public_key, &public_length), name);
    const psa_status_t status =
        psa_sign_message(key, alg, message, sizeof message, signature, sizeof signature, &length);
    printf("signed %s %d", name, (int)status);
    print_hex("public", public_key, public_length);
    print_hex("signature", signature, status == PSA_SUCCESS ? length : 0);
    printf("\n");
    need(psa_destroy_key(key), name);
}

static void sign_all(void)
{
    sign_one("p256", ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256));
    sign_one("p256-sha512", ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_512));
    sign_one("p384-sha256", ECC, 384, PSA_ALG_ECDSA(PSA_ALG_SHA_256));
    sign_one("p384", ECC, 384, PSA_ALG_ECDSA(PSA_ALG_SHA_384));
    sign_one("p521", ECC, 521, PSA_ALG_ECDSA(PSA_ALG_SHA_512));
    sign_one("pkcs1", PSA_KEY_TYPE_RSA_KEY_PAIR, 2048, PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256));
    sign_one("pss", PSA_KEY_TYPE_RSA_KEY_PAIR, 2048, PSA_ALG_RSA_PSS_ANY_SALT(PSA_ALG_SHA_384));
}

/* Make a persistent key, or use it in a later process, or destroy it. */
static void keep(const char *what)
{
    psa_key_attributes_t attributes =
        volatile_at(AT, ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS);
    psa_key_id_t key;
    uint8_t public_key[65];
    uint8_t signature[64];
    size_t length = 0;

    if (strcmp(what, "make") == 0) {
        psa_set_key_lifetime(&attributes, PSA_KEY_LIFETIME_FROM_PERSISTENCE_AND_LOCATION(
                                              PSA_KEY_PERSISTENCE_DEFAULT, AT));
        psa_set_key_id(&attributes, KEY_ID);
        need(psa_generate_key(&attributes, &key), "make");
    }
    if (strcmp(what, "destroy") == 0) {
        printf("destroyed %d\n", (int)psa_destroy_key(KEY_ID));
        return;
    }
    const psa_status_t status =
        psa_sign_message(KEY_ID, PSA_ALG_ECDSA(PSA_ALG_SHA_256), message, sizeof message, signature,
                         sizeof signature, &length);
    printf("signed p256 %d", (int)status);
    if (psa_export_public_key(KEY_ID, public_key, sizeof public_key, &length) == PSA_SUCCESS) {
        print_hex("public", public_key, length);
    }
    print_hex("signature", signature, status == PSA_SUCCESS ? sizeof signature : 0);
    printf("\n");
}

/*
 * Print the secrets that must not be on the bus, and a public key. Then wait for a line, or the end
 * of standard input, without the agreed secret in this file's own memory.
 */
static void print_secrets(void)
{
    char line[16];
    psa_key_attributes_t attributes = volatile_at(AT, ECC, 256, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE);
    psa_key_attributes_t of_mac = volatile_at(
        AT, PSA_KEY_TYPE_HMAC, 256, PSA_ALG_HMAC(PSA_ALG_SHA_256), PSA_KEY_USAGE_SIGN_MESSAGE);
    psa_key_id_t key;
    psa_key_id_t mac;
    uint8_t public_key[65];
    uint8_t secret[32];
    size_t length;

    need(psa_import_key(&of_mac, message, 32, &mac), "import");
    need(psa_generate_key(&attributes, &key), "generate");
    need(psa_export_public_key(key, public_key, sizeof public_key, &length), "export");
    need(psa_raw_key_agreement(PSA_ALG_ECDH, key, public_key, length, secret, sizeof secret,
                               &length),
         "agree");
    printf("secrets");
    print_hex("agreed", secret, sizeof secret);
    print_hex("imported", message, 32);
    print_hex("public", public_key + 1, 32);
    printf("\n");
    (void)fflush(stdout);
    corral_wipe(secret, sizeof secret);
    (void)fgets(line, sizeof line, stdin);
    need(psa_destroy_key(key), "destroy");
    need(psa_destroy_key(mac), "destroy");
}

static void sign_many(psa_key_id_t key, unsigned count)
{
    uint8_t signature[64];
    size_t length;

    for (unsigned i = 0; i < count; i++) {
        need(psa_sign_message(key, PSA_ALG_ECDSA(PSA_ALG_SHA_256), message, sizeof message,
                              signature, sizeof signature, &length),
             "sign");
    }
}

static psa_key_id_t make_signer(void)
{
    psa_key_attributes_t attributes =
        volatile_at(AT, ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS);
    psa_key_id_t key;

    need(psa_generate_key(&attributes, &key), "generate");
    return key;
}

/* A child and then its parent use the same key. At one time a TPM without manager has one user. */
static void use_in_both(void)
{
    const psa_key_id_t key = make_signer();
    int ended = 0;

    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        sign_many(key, 2);
        (void)fflush(stdout);
        _exit(0);
    }
    (void)waitpid(child, &ended, 0);
    sign_many(key, 2);
    printf("child %d\n", ended);
}

/* Whether the program has to act as if it had more rights than its user. */
static bool has_more_rights = false;

char *__wrap_secure_getenv(const char *name);

char *__wrap_secure_getenv(const char *name)
{
    return has_more_rights ? NULL : getenv(name);
}

/* How many descriptors the program has kept from the programs that it starts. */
static int kept_descriptors = 0;

int __real_fcntl(int descriptor, int command, ...);
int __wrap_fcntl(int descriptor, int command, ...);

int __wrap_fcntl(int descriptor, int command, ...)
{
    va_list arguments;

    va_start(arguments, command);
    const long argument = va_arg(arguments, long); /* or a pointer */
    va_end(arguments);
    kept_descriptors += command == F_SETFD && (int)argument == FD_CLOEXEC;
    return __real_fcntl(descriptor, command, argument);
}

static void print_kept_descriptors(void)
{
    psa_key_attributes_t attributes =
        volatile_at(AT, ECC, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256), SIGNS);
    psa_key_id_t key;

    kept_descriptors = 0;
    const psa_status_t status = psa_generate_key(&attributes, &key);
    printf("kept %d of a call with status %d\n", kept_descriptors, (int)status);
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "";

    need(psa_crypto_init(), "init");
    if (strcmp(part, "lives") == 0) {
        live_on();
    } else if (strcmp(part, "sign") == 0) {
        sign_all();
    } else if (strcmp(part, "keep") == 0 && argc > 2) {
        keep(argv[2]);
    } else if (strcmp(part, "secrets") == 0) {
        print_secrets();
    } else if (strcmp(part, "many") == 0 && argc > 2) {
        sign_many(make_signer(), (unsigned)strtoul(argv[2], NULL, 10));
    } else if (strcmp(part, "fork") == 0) {
        use_in_both();
    } else if (strcmp(part, "setuid") == 0) {
        has_more_rights = true;
        (void)make_signer();
    } else if (strcmp(part, "descriptors") == 0) {
        print_kept_descriptors();
    }
    printf("end\n");
    return 0;
}
