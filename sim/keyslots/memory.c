/* SPDX-License-Identifier: Apache-2.0 */
/* The image file: a line that names it, the memory, SHA-256 over both. */
#include "part.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char magic[16] = "KEYSLOTS-SIM 1\n";

enum {
    SLOT_SIZE = 6 + KEYSLOTS_SIM_KEY_SIZE,
    BODY_SIZE = sizeof(magic) + SERIAL_SIZE + SLOTS * SLOT_SIZE,
    IMAGE_SIZE = BODY_SIZE + 32,
};

static bool digest_of(const uint8_t *image, uint8_t digest[32])
{
    return EVP_Digest(image, BODY_SIZE, digest, NULL, EVP_sha256(), NULL) == 1;
}

static void pack(const struct memory *memory, uint8_t *at)
{
    memcpy(at, memory->serial, SERIAL_SIZE);
    at += SERIAL_SIZE;
    for (size_t i = 0; i < SLOTS; i++, at += SLOT_SIZE) {
        const struct slot *slot = &memory->slots[i];
        const uint8_t head[6] = {slot->state,
                                 slot->policy,
                                 slot->usage,
                                 slot->size,
                                 (uint8_t)slot->revision,
                                 (uint8_t)(slot->revision >> 8)};

        memcpy(at, head, sizeof(head));
        memcpy(at + sizeof(head), slot->key, sizeof(slot->key));
    }
}

static void unpack(const uint8_t *at, struct memory *memory)
{
    memcpy(memory->serial, at, SERIAL_SIZE);
    at += SERIAL_SIZE;
    for (size_t i = 0; i < SLOTS; i++, at += SLOT_SIZE) {
        struct slot *slot = &memory->slots[i];

        slot->state = at[0];
        slot->policy = at[1];
        slot->usage = at[2];
        slot->size = at[3];
        slot->revision = (uint16_t)(at[4] | at[5] << 8);
        memcpy(slot->key, at + 6, sizeof(slot->key));
    }
}

/* 1: read; 0: there is none; -1: `error` says why not. */
static int load(const char *path, struct memory *memory, char *error, size_t error_size)
{
    uint8_t image[IMAGE_SIZE + 1];
    uint8_t digest[32];
    FILE *file = fopen(path, "rb");

    if (file == NULL && errno == ENOENT) {
        return 0;
    }
    const size_t length = file != NULL ? fread(image, 1, sizeof(image), file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    if (length != IMAGE_SIZE || memcmp(image, magic, sizeof(magic)) != 0 ||
        !digest_of(image, digest) || memcmp(digest, image + BODY_SIZE, sizeof(digest)) != 0) {
        snprintf(error, error_size,
                 "%s: no image of this simulator, or a damaged one; move it away to start with a "
                 "part as it leaves the factory",
                 path);
        return -1;
    }
    unpack(image + sizeof(magic), memory);
    return 1;
}

bool memory_open(struct keyslots_sim *part, char *error, size_t error_size)
{
    const int found = part->nvm != NULL ? load(part->nvm, &part->memory, error, error_size) : 0;

    if (found != 0) {
        return found > 0;
    }
    if (!engine_random(part->memory.serial, SERIAL_SIZE)) {
        snprintf(error, error_size, "no random numbers for the serial number");
        return false;
    }
    memory_keep(part);
    return true;
}

void memory_keep(const struct keyslots_sim *part)
{
    uint8_t image[IMAGE_SIZE];
    char temporary[4096];

    if (part->nvm == NULL) {
        return;
    }
    memcpy(image, magic, sizeof(magic));
    pack(&part->memory, image + sizeof(magic));
    snprintf(temporary, sizeof(temporary), "%s.XXXXXX", part->nvm);
    bool ok = digest_of(image, image + BODY_SIZE);
    const int descriptor = mkstemp(temporary); /* mode 0600: the image holds keys */
    ok = ok && descriptor >= 0 && write(descriptor, image, sizeof(image)) == IMAGE_SIZE;
    ok = descriptor >= 0 && close(descriptor) == 0 && ok;
    if (!ok || rename(temporary, part->nvm) != 0) {
        fprintf(stderr, "%s: cannot write the part's image: %s\n", part->nvm, strerror(errno));
        exit(1);
    }
}

bool keyslots_sim_print_serial(const char *nvm)
{
    struct memory memory;
    char error[512];
    const int found = load(nvm, &memory, error, sizeof(error));

    if (found == 0) {
        snprintf(error, sizeof(error), "%s: no such file", nvm);
    }
    if (found <= 0) {
        fprintf(stderr, "keyslots-sim: %s\n", error);
        return false;
    }
    for (size_t i = 0; i < SERIAL_SIZE; i++) {
        printf("%02X", memory.serial[i]);
    }
    printf("\n");
    return true;
}
