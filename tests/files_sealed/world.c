/* SPDX-License-Identifier: Apache-2.0 */
/* The world of tests/persistent/adversary.c in files: an image is all of them but the counter. */
#define _DEFAULT_SOURCE

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../ports/common/counter_model.h"
#include "../harness/harness.h"
#include "../persistent/adversary.h"
#include "disk.h"

#define FILES 12u
#define NAME_SIZE 32u

struct file {
    char name[NAME_SIZE];
    uint8_t content[4096];
    size_t size;
};

static struct {
    struct file files[FILES];
    unsigned count;
} images[ADVERSARY_IMAGES];

static uint32_t longest;

static const char *const parts[] = {"3-0000000000000001", "1-0000000000000007",
                                    "2-0000000000000007"};

static const char *path_of(const char *name)
{
    static char path[DISK_PATH_SIZE + NAME_SIZE];

    (void)snprintf(path, sizeof path, "%s/%.31s", disk_folder(), name);
    return path;
}

/* Go to the next file of the storage; NULL behind the last. */
static const char *next(DIR *folder)
{
    const struct dirent *file;

    while ((file = readdir(folder)) != NULL) {
        if (file->d_name[0] != '.' && strcmp(file->d_name, "counter") != 0) {
            return file->d_name;
        }
    }
    return NULL;
}

static void put(const struct file *file)
{
    FILE *stream = fopen(path_of(file->name), "wb");

    REQUIRE(stream != NULL && fwrite(file->content, 1, file->size, stream) == file->size);
    REQUIRE(fclose(stream) == 0);
}

void world_begin(void)
{
    disk_begin();
    longest = 0;
}

void world_run(struct adversary_run *run)
{
    disk_off();
    disk_cut(run->cut, run->tear);
    adversary_live(run);
    longest = disk_steps() > longest ? disk_steps() : longest;
    run->was_cut = disk_power_on();
    disk_off();
}

void world_save(unsigned image)
{
    DIR *folder = opendir(disk_folder());
    const char *name;

    REQUIRE(folder != NULL);
    images[image].count = 0;
    while ((name = next(folder)) != NULL) {
        REQUIRE(images[image].count < FILES);
        struct file *file = &images[image].files[images[image].count++];
        FILE *stream = fopen(path_of(name), "rb");
        REQUIRE(stream != NULL);
        (void)snprintf(file->name, sizeof file->name, "%.31s", name);
        file->size = fread(file->content, 1, sizeof file->content, stream);
        REQUIRE(fclose(stream) == 0);
    }
    closedir(folder);
}

static bool is_wanted(const char *name, unsigned wanted)
{
    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(name, parts[i]) == 0) {
            return (wanted & 1u << i) != 0;
        }
    }
    return false;
}

void world_load(unsigned image, unsigned other, unsigned wanted)
{
    DIR *folder = opendir(disk_folder());
    const char *name;

    REQUIRE(folder != NULL);
    while ((name = next(folder)) != NULL) {
        REQUIRE(unlink(path_of(name)) == 0);
    }
    closedir(folder);
    for (unsigned i = 0; i < images[image].count; i++) {
        if (!is_wanted(images[image].files[i].name, wanted)) {
            put(&images[image].files[i]);
        }
    }
    for (unsigned i = 0; i < images[other].count; i++) {
        if (is_wanted(images[other].files[i].name, wanted)) {
            put(&images[other].files[i]);
        }
    }
    disk_off();
}

uint32_t world_counter(void)
{
    uint32_t value = 0;

    NEED(counter_model_read(&value));
    return value;
}

void world_set_counter(uint32_t value)
{
    FILE *stream = fopen(path_of("counter"), "w");

    REQUIRE(stream != NULL && fprintf(stream, "%" PRIu32 "\n", value) > 0);
    REQUIRE(fclose(stream) == 0);
    disk_off();
}

uint32_t world_steps(void)
{
    return longest;
}

unsigned world_runs(void)
{
    return 2400;
}
