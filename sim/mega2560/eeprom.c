/* SPDX-License-Identifier: Apache-2.0 */
#include "eeprom.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

/* The content of a file of this size, or of one that is made so. NULL: errno says why. */
static uint8_t *map(const char *path, size_t size, bool *is_new)
{
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    uint8_t *content = NULL;

    if (file < 0) {
        return NULL;
    }
    const off_t length = lseek(file, 0, SEEK_END);
    *is_new = length == 0;
    if (length >= 0 && ftruncate(file, (off_t)size) == 0) {
        content = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    close(file);
    return content == MAP_FAILED ? NULL : content;
}

bool eeprom_open(const struct board *board, const char *path)
{
    avr_eeprom_t *eeprom = find(board->avr);
    bool is_new = false;

    if (eeprom == NULL) {
        fprintf(stderr, "mega2560-sim: no EEPROM in this simavr\n");
        return false;
    }
    uint8_t *content = map(path, eeprom->size, &is_new);
    if (content == NULL) {
        perror(path);
        return false;
    }
    if (is_new) {
        memset(content, ERASED, eeprom->size);
    }
    free(eeprom->eeprom);
    eeprom->eeprom = content; /* until the process ends */
    return true;
}
