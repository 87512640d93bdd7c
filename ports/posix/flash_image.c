/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Emulated flash: in memory, and in the file that CORRAL_FLASH names if it does; then it belongs to
 * the process that opened it. A copy of that has none, and another process cannot open it.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../common/flash_image.h"
#include "copies.h"
#include "folder.h"

static FILE *image;
static bool is_open;
static bool is_unnamed; /* the environment names no file: it is long, and flash is read a lot */
static struct copy_mark owner; /* opened the file: a copy of this process has an older content */

static size_t size_of_flash(void)
{
    const struct corral_flash_geometry *geometry = flash_model_geometry();

    return (size_t)geometry->page_size * geometry->page_count;
}

/*
 * Lock the file until this process ends: two that write it would destroy it. A copy of the process
 * does not inherit the lock. Some network file systems have none.
 *   command  F_SETLK, or F_SETLKW to wait
 */
static bool lock(int file, int command)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    return fcntl(file, command, &all) == 0 || errno == ENOLCK;
}

/* Take the content from the file. False: it is no use, or another process has it. */
static bool load(int file)
{
    image = fdopen(file, "r+b");
    return image != NULL && lock(file, F_SETLK) &&
           fread(flash_model_content(), 1, size_of_flash(), image) == size_of_flash();
}

/* Make the file. A process that locks it first finds it incomplete, and closes it. */
static bool make(int folder, const char *name)
{
    const int file = folder_make(folder, name);

    image = file == NO_FILE ? NULL : fdopen(file, "w+b");
    return image != NULL && lock(file, F_SETLKW) &&
           fwrite(flash_model_content(), 1, size_of_flash(), image) == size_of_flash() &&
           fflush(image) == 0 && fsync(folder) == 0;
}

/* Make the file, or leave none: one without its whole content would be no use ever after. */
static bool make_or_none(int folder, const char *name)
{
    if (make(folder, name)) {
        return true;
    }
    if (image != NULL) {
        (void)unlinkat(folder, name, 0);
    }
    return false;
}

bool flash_image_open(void)
{
    const char *name;

    if (is_open) {
        return copy_mark_holds(&owner);
    }
    if (is_unnamed) {
        return true;
    }
    const char *path = getenv("CORRAL_FLASH");
    if (path == NULL) {
        is_unnamed = true;
        return true;
    }
    const int folder = folder_of_file(path, &name);
    if (folder == NO_FILE) {
        return false;
    }
    const int file = folder_change(folder, name);
    is_open = file != NO_FILE ? load(file) : errno == ENOENT && make_or_none(folder, name);
    if (!is_open && image != NULL) {
        (void)fclose(image);
        image = NULL;
    }
    (void)copy_mark_set(&owner);
    close(folder);
    return is_open;
}

bool flash_image_exists(void)
{
    return image != NULL;
}

bool flash_image_write(uint32_t offset, size_t size)
{
    return fseek(image, (long)offset, SEEK_SET) == 0 &&
           fwrite(flash_model_content() + offset, 1, size, image) == size && fflush(image) == 0;
}
