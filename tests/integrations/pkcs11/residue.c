/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that imports keys and uses them: `residue MODULE`. It prints where its own memory has
 * them after the session is closed, and "nothing" if they are nowhere. The program has them masked.
 */
#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <p11-kit/pkcs11.h>

#define MASK 0xaau
#define SIZE 32u

static CK_FUNCTION_LIST *f;
static uint8_t masked[SIZE];
static uint8_t memory[1u << 16];
static uint8_t value[SIZE];

static void show_value(void)
{
    for (size_t i = 0; i < SIZE; i++) {
        value[i] = masked[i] ^ MASK;
    }
}

static void clear(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        *(volatile uint8_t *)&bytes[i] = 0;
    }
}

/* How often the key is in a range of memory, without the copy that is being looked at. */
static int count_in(int file, uintptr_t from, uintptr_t to)
{
    int found = 0;

    while (from < to) {
        const size_t size = to - from < sizeof memory ? to - from : sizeof memory;
        const ssize_t got = pread(file, memory, size, (off_t)from);
        for (ssize_t at = 0; at + (ssize_t)SIZE <= got; at++) {
            size_t same = 0;
            while (same < SIZE && memory[at + (ssize_t)same] == (masked[same] ^ MASK)) {
                same++;
            }
            found += same == SIZE;
        }
        clear(memory, sizeof memory);
        from += size < sizeof memory ? size : size - SIZE + 1;
    }
    return found;
}

static int count(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    const int file = open("/proc/self/mem", O_RDONLY);
    unsigned long from;
    unsigned long to;
    char line[512];
    char may[5];
    int found = 0;

    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        if (sscanf(line, "%lx-%lx %4s", &from, &to, may) != 3 || strncmp(may, "rw", 2) != 0) {
            continue;
        }
        const int here = count_in(file, from, to);
        if (here > 0) {
            printf("%d in %s", here, line);
        }
        found += here;
    }
    if (maps != NULL) {
        fclose(maps);
    }
    close(file);
    return found;
}

static CK_OBJECT_HANDLE import(CK_SESSION_HANDLE session, CK_OBJECT_CLASS class, CK_KEY_TYPE type,
                               CK_BBOOL is_token)
{
    static uint8_t p256[] = {6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7};
    CK_MECHANISM_TYPE allowed = class == CKO_SECRET_KEY ? CKM_AES_CBC : CKM_ECDSA;
    CK_OBJECT_HANDLE key = 0;
    CK_ATTRIBUTE template[] = {{CKA_CLASS, &class, sizeof class},
                               {CKA_KEY_TYPE, &type, sizeof type},
                               {CKA_VALUE, value, sizeof value},
                               {CKA_TOKEN, &is_token, sizeof is_token},
                               {CKA_ALLOWED_MECHANISMS, &allowed, sizeof allowed},
                               {CKA_EC_PARAMS, p256, sizeof p256}};

    show_value();
    if (f->C_CreateObject(session, template, 6, &key) != CKR_OK) {
        puts("no key");
    }
    clear(value, sizeof value);
    return key;
}

/* Use both keys, and leave operations at work. */
static void use(CK_SESSION_HANDLE session, CK_BBOOL is_token)
{
    static uint8_t data[32];
    uint8_t output[64];
    CK_ULONG made = sizeof output;
    CK_ULONG length = sizeof output;
    CK_MECHANISM cbc = {CKM_AES_CBC, data, 16};
    CK_MECHANISM ecdsa = {CKM_ECDSA, NULL, 0};
    const CK_OBJECT_HANDLE aes = import(session, CKO_SECRET_KEY, CKK_AES, is_token);
    const CK_OBJECT_HANDLE pair = import(session, CKO_PRIVATE_KEY, CKK_EC, is_token);

    if (f->C_EncryptInit(session, &cbc, aes) != CKR_OK ||
        f->C_EncryptUpdate(session, data, sizeof data, output, &made) != CKR_OK ||
        f->C_SignInit(session, &ecdsa, pair) != CKR_OK ||
        f->C_Sign(session, data, sizeof data, output, &length) != CKR_OK ||
        f->C_SignInit(session, &ecdsa, pair) != CKR_OK) {
        puts("no use");
    }
}

int main(int arguments, char **words)
{
    CK_RV (*get_list)(CK_FUNCTION_LIST **) = NULL;
    CK_SESSION_HANDLE session = 0;
    void *module = arguments == 2 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    FILE *random = fopen("/dev/urandom", "r");

    setvbuf(random, NULL, _IONBF, 0);
    if (module == NULL || fread(masked, 1, SIZE, random) != SIZE) {
        return 2;
    }
    masked[0] = 0x33; /* a private key is below the order of its curve */
    *(void **)&get_list = dlsym(module, "C_GetFunctionList");
    if (get_list(&f) != CKR_OK || f->C_Initialize(NULL) != CKR_OK) {
        return 2;
    }
    for (CK_BBOOL is_token = CK_FALSE; is_token <= CK_TRUE; is_token++) {
        if (f->C_OpenSession(0, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &session) !=
            CKR_OK) {
            return 2;
        }
        use(session, is_token);
        show_value();
        if (count() == 0) {
            puts("the search finds nothing"); /* not even this program's copy */
        }
        clear(value, sizeof value);
        fflush(stdout);
        puts("closed:");
        f->C_CloseSession(session);
        if (count() == 0) {
            puts("nothing");
        }
    }
    return 0;
}
