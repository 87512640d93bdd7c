/* SPDX-License-Identifier: Apache-2.0 */
#include "eeprom.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <avr_eeprom.h>
#include <sim_avr.h>

enum { ERASED = 0xff };

static avr_eeprom_t *find(const struct avr_t *avr)
{
    struct avr_io_t *io = avr->io_port;

    while (io != NULL && (io->kind == NULL || strcmp(io->kind, "eeprom") != 0)) {
        io = io->next;
    }
    return (avr_eeprom_t *)io; /* of which it is the first member */
}

/* Make the file of an EEPROM that is erased. It bears its name once it is whole. */
static bool make(const char *path, size_t size)
{
    char part[PATH_MAX];

    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part) {
        errno = ENAMETOOLONG;
        return false;
    }
    FILE *file = fopen(part, "wb");
    if (file == NULL) {
        return false;
    }
    bool is_well = true;
    for (size_t i = 0; i < size; i++) {
        is_well = putc(ERASED, file) != EOF && is_well;
    }
    is_well = fclose(file) == 0 && is_well;
    return is_well && rename(part, path) == 0;
}

/* The content of a file of this size; it is made if there is none, or an empty one. NULL: errno
 * says why. */
static uint8_t *map(const char *path, size_t size)
{
    struct stat found;
    uint8_t *content = MAP_FAILED;

    if ((stat(path, &found) != 0 ? errno == ENOENT : found.st_size == 0) && !make(path, size)) {
        return NULL;
    }
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        return NULL;
    }
    if (fstat(file, &found) == 0 && found.st_size != (off_t)size) {
        errno = EFBIG; /* it belongs to another program */
    } else {
        content = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    close(file);
    return content == MAP_FAILED ? NULL : content;
}

bool eeprom_open(const struct board *board, const char *path)
{
    avr_eeprom_t *eeprom = find(board->avr);

    if (eeprom == NULL) {
        fprintf(stderr, "mega2560-sim: no EEPROM in this simavr\n");
        return false;
    }
    uint8_t *content = map(path, eeprom->size);
    if (content == NULL) {
        perror(path);
        return false;
    }
    free(eeprom->eeprom);
    eeprom->eeprom = content; /* until the process ends */
    return true;
}
