/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PINs of tokens, a file for each: pin-800001 has that of the token at location 0x800001. The files
 * are in the folder that CORRAL_PINS names, or in that of the service's credentials (systemd).
 */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <corral/driver.h>
#include <corral/port.h>
#include <psa/crypto.h>

#define PATH_SIZE 512u
#define NO_FILE (-1)

static int open_pin(uint32_t location)
{
    char path[PATH_SIZE];
    const char *folder = getenv("CORRAL_PINS");

    if (folder == NULL) {
        folder = getenv("CREDENTIALS_DIRECTORY");
    }
    if (folder == NULL) {
        return NO_FILE;
    }
    const int length = snprintf(path, sizeof path, "%s/pin-%lx", folder, (unsigned long)location);
    return length > 0 && (size_t)length < sizeof path
               ? open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
               : NO_FILE;
}

/* Read a whole file; 0: it is empty, longer than `size`, or cannot be read. */
static size_t read_all(int file, uint8_t *data, size_t size)
{
    uint8_t more;
    size_t length = 0;
    ssize_t got = 1;

    while (length < size && got > 0) {
        got = read(file, data + length, size - length);
        length += got > 0 ? (size_t)got : 0;
    }
    return got < 0 || read(file, &more, 1) != 0 ? 0 : length;
}

/* The file's text, without a line's end behind it. PSA_ERROR_NOT_PERMITTED: there is no PIN. */
psa_status_t corral_port_element_pin(uint32_t location, uint8_t *pin, size_t *length)
{
    uint8_t text[CORRAL_PIN_MAX_SIZE + 1];
    const int file = open_pin(location);

    if (file == NO_FILE) {
        return PSA_ERROR_NOT_PERMITTED;
    }
    size_t size = read_all(file, text, sizeof text);
    close(file);
    if (size > 0 && text[size - 1] == '\n') {
        size--;
    }
    if (size > 0 && size <= CORRAL_PIN_MAX_SIZE) {
        corral_copy(pin, text, size);
        *length = size;
    }
    corral_wipe(text, sizeof text);
    return size > 0 && size <= CORRAL_PIN_MAX_SIZE ? PSA_SUCCESS : PSA_ERROR_NOT_PERMITTED;
}
