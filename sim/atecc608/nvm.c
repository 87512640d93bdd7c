/* SPDX-License-Identifier: Apache-2.0 */
/* The image file: magic, the three zones, the counters, SHA-256 over all of it. */
#include "chip.h"

#include "crypto.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAGIC_SIZE = 16,
    BODY_SIZE = MAGIC_SIZE + CONFIG_SIZE + OTP_SIZE + DATA_SIZE + 8,
    IMAGE_SIZE = BODY_SIZE + 32,
};

static const uint8_t magic[MAGIC_SIZE] = "ATECC608-SIM 1\n";

static void put_le32(uint8_t *bytes, uint32_t value)
{
    for (unsigned int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(value >> 8 * i);
    }
}

static uint32_t get_le32(const uint8_t *bytes)
{
    uint32_t value = 0;

    for (unsigned int i = 0; i < 4; i++) {
        value |= (uint32_t)bytes[i] << 8 * i;
    }
    return value;
}

static void pack(const struct nvm *nvm, uint8_t image[IMAGE_SIZE])
{
    uint8_t *at = image;

    memcpy(at, magic, MAGIC_SIZE);
    at += MAGIC_SIZE;
    memcpy(at, nvm->config, CONFIG_SIZE);
    at += CONFIG_SIZE;
    memcpy(at, nvm->otp, OTP_SIZE);
    at += OTP_SIZE;
    memcpy(at, nvm->data, DATA_SIZE);
    at += DATA_SIZE;
    put_le32(at, nvm->counter[0]);
    put_le32(at + 4, nvm->counter[1]);
    crypto_sha256(image, BODY_SIZE, image + BODY_SIZE);
}

static void unpack(const uint8_t image[IMAGE_SIZE], struct nvm *nvm)
{
    const uint8_t *at = image + MAGIC_SIZE;

    memcpy(nvm->config, at, CONFIG_SIZE);
    at += CONFIG_SIZE;
    memcpy(nvm->otp, at, OTP_SIZE);
    at += OTP_SIZE;
    memcpy(nvm->data, at, DATA_SIZE);
    at += DATA_SIZE;
    nvm->counter[0] = get_le32(at);
    nvm->counter[1] = get_le32(at + 4);
}

int nvm_load(const char *path, struct nvm *nvm, char *error, size_t error_size)
{
    uint8_t image[IMAGE_SIZE + 1];
    uint8_t digest[32];
    FILE *file = fopen(path, "rb");
    size_t length;

    if (file == NULL && errno == ENOENT) {
        return 0;
    }
    if (file == NULL) {
        snprintf(error, error_size, "%s: cannot read the chip's image: %s", path, strerror(errno));
        return -1;
    }
    length = fread(image, 1, sizeof(image), file);
    fclose(file);
    if (length != IMAGE_SIZE || memcmp(image, magic, MAGIC_SIZE) != 0) {
        snprintf(error, error_size,
                 "%s: not an image of this simulator (%zu bytes read, %d expected); move it away "
                 "to start "
                 "with a factory-fresh chip",
                 path, length, (int)IMAGE_SIZE);
        return -1;
    }
    crypto_sha256(image, BODY_SIZE, digest);
    if (memcmp(digest, image + BODY_SIZE, sizeof(digest)) != 0) {
        snprintf(error, error_size,
                 "%s: the chip's image is damaged (its checksum does not match); restore a copy, "
                 "or move it "
                 "away to start with a factory-fresh chip",
                 path);
        return -1;
    }
    unpack(image, nvm);
    return 1;
}

/* Write and flush; the descriptor is closed either way. */
static bool write_all(int descriptor, const uint8_t *data, size_t length)
{
    size_t done = 0;
    bool ok = true;

    while (ok && done < length) {
        ssize_t written = write(descriptor, data + done, length - done);

        if (written > 0) {
            done += (size_t)written;
        } else {
            ok = written < 0 && errno == EINTR;
        }
    }
    ok = ok && fsync(descriptor) == 0;
    return close(descriptor) == 0 && ok;
}

bool nvm_store(const char *path, const struct nvm *nvm, char *error, size_t error_size)
{
    uint8_t image[IMAGE_SIZE];
    size_t size = strlen(path) + 8;
    char *temporary = malloc(size);
    int descriptor;
    bool ok = false;

    if (temporary == NULL) {
        snprintf(error, error_size, "out of memory");
        return false;
    }
    snprintf(temporary, size, "%s.XXXXXX", path);
    pack(nvm, image);
    descriptor = mkstemp(temporary); /* mode 0600: the image holds private keys */
    if (descriptor >= 0) {
        ok = write_all(descriptor, image, sizeof(image)) && rename(temporary, path) == 0;
    }
    if (!ok) {
        snprintf(error, error_size, "%s: cannot write the chip's image: %s", path, strerror(errno));
    }
    if (!ok && descriptor >= 0) {
        unlink(temporary);
    }
    memset(image, 0, sizeof(image));
    free(temporary);
    return ok;
}
