/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Are the instructions the same, from the return of a library's decryption to the return of ours,
 * whatever was decrypted? The processor stops at each one (trap flag), and its address is kept.
 *
 *   program key                  prints the public key
 *   program rsa ROOM CIPHER...   decrypts each by PKCS#1 v1.5 into so many bytes
 *   program cbc ROOM CIPHER...   the same by CBC-PKCS7
 *   program leaky ROOM CIPHER... as rsa, and then acts on the status
 *
 * ROOM and more are in hexadecimal. A line for each: status, length, number of instructions, and
 * whether they are those of the first. Linux on x86-64.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <psa/crypto.h>

#include "../../harness/rsa_keys.h"

#define MOST 1000000u
#define PUBLIC_SIZE 140u
#define SIZE 128u
#define BOTH (PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT)

extern const char __executable_start;
extern const char etext;

/* Where the instructions were, but for those of the C library. */
static uint32_t steps[2][MOST];
static size_t count[2];
static unsigned which;
static volatile bool is_armed;
static volatile int sink;

int __real_mbedtls_rsa_rsaes_pkcs1_v15_decrypt(void *rsa,
                                               int (*draw)(void *, unsigned char *, size_t),
                                               void *state, size_t *length,
                                               const unsigned char *input, unsigned char *output,
                                               size_t room);
int __wrap_mbedtls_rsa_rsaes_pkcs1_v15_decrypt(void *rsa,
                                               int (*draw)(void *, unsigned char *, size_t),
                                               void *state, size_t *length,
                                               const unsigned char *input, unsigned char *output,
                                               size_t room);
int __real_mbedtls_aes_crypt_cbc(void *aes, int mode, size_t length, unsigned char iv[16],
                                 const unsigned char *input, unsigned char *output);
int __wrap_mbedtls_aes_crypt_cbc(void *aes, int mode, size_t length, unsigned char iv[16],
                                 const unsigned char *input, unsigned char *output);

static void on_step(int number, siginfo_t *info, void *context)
{
    const greg_t *const registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    const uintptr_t at = (uintptr_t)registers[REG_RIP];

    (void)number;
    (void)info;
    if (at >= (uintptr_t)&__executable_start && at < (uintptr_t)&etext && count[which] < MOST) {
        steps[which][count[which]++] = (uint32_t)(at - (uintptr_t)&__executable_start);
    }
}

/* From here on each instruction is noted, until end(). */
static void begin(void)
{
    if (is_armed) {
        __asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
    }
}

static void end(void)
{
    __asm__ volatile("pushfq\n\tandq $~0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
    is_armed = false;
}

int __wrap_mbedtls_rsa_rsaes_pkcs1_v15_decrypt(void *rsa,
                                               int (*draw)(void *, unsigned char *, size_t),
                                               void *state, size_t *length,
                                               const unsigned char *input, unsigned char *output,
                                               size_t room)
{
    const int result =
        __real_mbedtls_rsa_rsaes_pkcs1_v15_decrypt(rsa, draw, state, length, input, output, room);

    begin();
    return result;
}

int __wrap_mbedtls_aes_crypt_cbc(void *aes, int mode, size_t length, unsigned char iv[16],
                                 const unsigned char *input, unsigned char *output)
{
    const int result = __real_mbedtls_aes_crypt_cbc(aes, mode, length, iv, input, output);

    begin();
    return result;
}

static psa_key_id_t key_for(psa_key_type_t type, psa_algorithm_t alg, const uint8_t *data,
                            size_t size)
{
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_key_id_t key = PSA_KEY_ID_NULL;

    psa_set_key_type(&attributes, type);
    psa_set_key_algorithm(&attributes, alg);
    psa_set_key_usage_flags(&attributes, BOTH);
    if (psa_import_key(&attributes, data, size, &key) != PSA_SUCCESS) {
        exit(3);
    }
    return key;
}

static size_t read_hex(const char *text, uint8_t *data, size_t size)
{
    size_t length = 0;

    while (length < size && sscanf(text + 2 * length, "%2hhx", &data[length]) == 1) {
        length++;
    }
    return length;
}

static psa_status_t decrypt(const char *how, psa_key_id_t key, const uint8_t *input, size_t size,
                            uint8_t *output, size_t room, size_t *length)
{
    psa_status_t status;

    is_armed = true;
    status = how[0] == 'c'
                 ? psa_cipher_decrypt(key, PSA_ALG_CBC_PKCS7, input, size, output, room, length)
                 : psa_asymmetric_decrypt(key, PSA_ALG_RSA_PKCS1V15_CRYPT, input, size, NULL, 0,
                                          output, room, length);
    if (how[0] == 'l' && status != PSA_SUCCESS) {
        sink = 1;
    }
    end();
    return status;
}

int main(int argc, char **argv)
{
    static const uint8_t aes_key[16];
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = on_step;
    sigaction(SIGTRAP, &action, NULL);
    if (psa_crypto_init() != PSA_SUCCESS || argc < 2) {
        return 2;
    }
    for (size_t i = 0; i < PUBLIC_SIZE && strcmp(argv[1], "key") == 0; i++) {
        printf("%02x", (unsigned)rsa1024_public[i]);
    }
    const psa_key_id_t key =
        argv[1][0] == 'c' ? key_for(PSA_KEY_TYPE_AES, PSA_ALG_CBC_PKCS7, aes_key, sizeof aes_key)
                          : key_for(PSA_KEY_TYPE_RSA_KEY_PAIR, PSA_ALG_RSA_PKCS1V15_CRYPT,
                                    rsa1024_pair, sizeof rsa1024_pair);
    for (int i = 3; i < argc; i++) {
        uint8_t input[SIZE];
        uint8_t output[SIZE];
        size_t length = 99;
        const size_t size = read_hex(argv[i], input, sizeof input);
        which = i > 3;
        count[which] = 0;
        const psa_status_t status =
            decrypt(argv[1], key, input, size, output, (size_t)strtoul(argv[2], NULL, 16), &length);
        const bool is_same = count[0] == count[which] &&
                             memcmp(steps[0], steps[which], count[which] * sizeof steps[0][0]) == 0;
        printf("%d %u %u %s\n", (int)status, (unsigned)length, (unsigned)count[which],
               is_same ? "same" : "different");
        for (size_t at = 0; !is_same && at < count[which]; at++) {
            if (steps[0][at] != steps[1][at]) {
                printf("# at %lx and %lx\n", (unsigned long)steps[0][at],
                       (unsigned long)steps[1][at]);
                break;
            }
        }
    }
    return 0;
}
