/* SPDX-License-Identifier: Apache-2.0 */
/* The AES engine and the generator, by libcrypto. CMAC is chained here, because its state goes out
 * and comes back between two commands. */
#include "part.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <stdio.h>
#include <string.h>

static const uint8_t usages[MODES] = {ENCRYPT, DECRYPT, ENCRYPT, DECRYPT, COUNTER, MAC, MAC};

enum status engine_check(const struct engine *engine, uint8_t mode, size_t length)
{
    if (mode >= MODES || length > DATA_MAX ||
        (mode != MAC_LAST && (length == 0 || length % BLOCK != 0))) {
        return BAD_COMMAND;
    }
    if (engine->size == 0) {
        return NO_KEY;
    }
    return (engine->usage & usages[mode]) != 0 ? OK : BAD_USAGE;
}

bool engine_random(uint8_t *data, size_t length)
{
    return RAND_bytes(data, (int)length) == 1;
}

static bool aes(const struct engine *engine, const char *mode, bool is_encrypt, const uint8_t *iv,
                const uint8_t *data, size_t length, uint8_t *output)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    char name[16];
    int done = 0;

    snprintf(name, sizeof(name), "AES-%u-%s", 8u * engine->size, mode);
    bool ok = context != NULL && EVP_CipherInit_ex2(context, EVP_get_cipherbyname(name),
                                                    engine->key, iv, is_encrypt, NULL) == 1;
    ok = ok && EVP_CIPHER_CTX_set_padding(context, 0) == 1 &&
         EVP_CipherUpdate(context, output, &done, data, (int)length) == 1 && done == (int)length;
    EVP_CIPHER_CTX_free(context);
    return ok;
}

/* Chain whole blocks into `state`. */
static bool absorb(const struct engine *engine, uint8_t state[BLOCK], const uint8_t *data,
                   size_t length)
{
    uint8_t chained[DATA_MAX + BLOCK];
    bool ok = aes(engine, "CBC", true, state, data, length, chained);

    memcpy(state, chained + length - BLOCK, BLOCK);
    return ok;
}

static void double_block(uint8_t block[BLOCK])
{
    const bool carries = block[0] >> 7 != 0;

    for (size_t i = 0; i < BLOCK; i++) {
        block[i] = (uint8_t)(block[i] << 1 | (i + 1 < BLOCK ? block[i + 1] >> 7 : 0));
    }
    block[BLOCK - 1] ^= carries ? 0x87 : 0;
}

/* The end of a CMAC (NIST SP 800-38B): the last block, whole or not, is mixed with a subkey. */
static bool finish_mac(const struct engine *engine, uint8_t state[BLOCK], const uint8_t *data,
                       size_t length)
{
    const size_t last = length == 0 ? 0 : (length - 1) % BLOCK + 1;
    uint8_t padded[DATA_MAX + BLOCK] = {0};
    uint8_t subkey[BLOCK] = {0};
    bool ok = aes(engine, "ECB", true, NULL, subkey, BLOCK, subkey);
    uint8_t *end = padded + length - last;

    memcpy(padded, data, length);
    double_block(subkey);
    if (last < BLOCK) {
        double_block(subkey);
        end[last] = 0x80;
    }
    for (size_t i = 0; i < BLOCK; i++) {
        end[i] ^= subkey[i];
    }
    return ok && absorb(engine, state, padded, length - last + BLOCK);
}

static void advance(uint8_t counter[BLOCK], size_t blocks)
{
    while (blocks-- > 0) {
        for (size_t i = BLOCK; i-- > 0 && ++counter[i] == 0;) {
        }
    }
}

bool engine_run(const struct engine *engine, uint8_t mode, uint8_t state[BLOCK],
                const uint8_t *data, size_t length, uint8_t *output)
{
    bool ok;

    switch (mode) {
    case ECB_ENCRYPT:
    case ECB_DECRYPT:
        return aes(engine, "ECB", mode == ECB_ENCRYPT, NULL, data, length, output);
    case CBC_ENCRYPT:
    case CBC_DECRYPT:
        ok = aes(engine, "CBC", mode == CBC_ENCRYPT, state, data, length, output);
        memcpy(state, (mode == CBC_ENCRYPT ? output : data) + length - BLOCK, BLOCK);
        return ok;
    case CTR:
        ok = aes(engine, "CTR", true, state, data, length, output);
        advance(state, length / BLOCK);
        return ok;
    case MAC_MORE:
        return absorb(engine, state, data, length);
    default:
        return finish_mac(engine, state, data, length);
    }
}
