/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries in files beside obstacles of another user: the storage neither writes to foreign files
 * nor accepts them. And the content of the disk when a call returns.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <corral/port.h>
#include <corral/salvage.h>
#include <psa/internal_trusted_storage.h>

#include "../../ports/posix/folder.h"
#include "../harness/harness.h"

#define ENTRY "0-0000000000000001"

uid_t __real_geteuid(void);
uid_t __wrap_geteuid(void);
int __real_fsync(int file);
int __wrap_fsync(int file);

static bool is_somebody_else;
static bool fails_to_sync;
static ino_t synced[8];
static size_t synced_count;

static const uint8_t text[] = "an entry";
static char base[PATH_SIZE]; /* a fresh folder for each test */

uid_t __wrap_geteuid(void)
{
    return __real_geteuid() + (is_somebody_else ? 1u : 0u);
}

int __wrap_fsync(int file)
{
    struct stat found;

    if (fstat(file, &found) == 0 && synced_count < sizeof synced / sizeof synced[0]) {
        synced[synced_count++] = found.st_ino;
    }
    if (fails_to_sync) {
        errno = EIO;
        return -1;
    }
    return __real_fsync(file);
}

static const char *path_of(const char *name)
{
    static char path[4][2 * PATH_SIZE];
    static size_t next;

    next = (next + 1) % 4;
    (void)snprintf(path[next], sizeof path[next], "%s/%s", base, name);
    return path[next];
}

static bool is_synced(const char *name)
{
    struct stat found;

    if (stat(path_of(name), &found) != 0) {
        return false;
    }
    for (size_t i = 0; i < synced_count; i++) {
        if (synced[i] == found.st_ino) {
            return true;
        }
    }
    return false;
}

/* The storage's folder is `entries` in a new one, and not there yet. */
static void begin(void)
{
    (void)snprintf(base, sizeof base, "%s/corral-XXXXXX",
                   getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    REQUIRE(mkdtemp(base) != NULL);
    REQUIRE(setenv("CORRAL_STORAGE", path_of("entries"), 1) == 0);
    synced_count = 0;
    is_somebody_else = false;
}

static void put(const char *name)
{
    FILE *file = fopen(path_of(name), "w");

    REQUIRE(file != NULL && fputs("theirs", file) >= 0 && fclose(file) == 0);
}

static bool is_untouched(const char *name)
{
    char found[16] = {0};
    FILE *file = fopen(path_of(name), "r");

    return file != NULL && fread(found, 1, sizeof found - 1, file) == 6 && fclose(file) == 0 &&
           strcmp(found, "theirs") == 0;
}

static psa_status_t set(void)
{
    return psa_its_set(1, sizeof text, text, PSA_STORAGE_FLAG_NONE);
}

static psa_status_t get(void)
{
    uint8_t got[sizeof text];
    size_t length = 0;

    const psa_status_t status = psa_its_get(1, 0, sizeof got, got, &length);
    CHECK(status != PSA_SUCCESS || memcmp(got, text, sizeof text) == 0);
    return status;
}

static void link__in_the_place_of_a_new_file__is_not_written_through(void)
{
    begin();
    put("victim");
    EXPECT(PSA_SUCCESS, set());
    REQUIRE(symlink(path_of("victim"), path_of("entries/" ENTRY ".new")) == 0);
    EXPECT(PSA_SUCCESS, set());
    EXPECT(PSA_SUCCESS, get());
    REQUIRE(link(path_of("victim"), path_of("entries/" ENTRY ".new")) == 0);
    EXPECT(PSA_SUCCESS, set());
    CHECK(is_untouched("victim"));
}

static void link__in_the_place_of_an_entry__is_neither_read_nor_written_through(void)
{
    begin();
    EXPECT(PSA_SUCCESS, set());
    REQUIRE(rename(path_of("entries/" ENTRY), path_of("kept")) == 0);
    REQUIRE(symlink(path_of("kept"), path_of("entries/" ENTRY)) == 0);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, get());
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_remove(1));
    EXPECT(PSA_ERROR_STORAGE_FAILURE, set());
}

static void pipe__in_the_place_of_a_file__is_refused_at_once(void)
{
    begin();
    EXPECT(PSA_SUCCESS, set());
    REQUIRE(mkfifo(path_of("entries/" ENTRY ".new"), S_IRUSR | S_IWUSR) == 0);
    EXPECT(PSA_SUCCESS, set());
    REQUIRE(unlink(path_of("entries/" ENTRY)) == 0);
    REQUIRE(mkfifo(path_of("entries/" ENTRY), S_IRUSR | S_IWUSR) == 0);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, get());
}

static void folder__that_is_a_link__is_refused(void)
{
    begin();
    REQUIRE(mkdir(path_of("theirs"), S_IRWXU) == 0);
    REQUIRE(symlink(path_of("theirs"), path_of("entries")) == 0);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, set());
    REQUIRE(setenv("CORRAL_STORAGE", path_of("entries/"), 1) == 0);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, set());
    CHECK(rmdir(path_of("theirs")) == 0); /* it is empty */
}

static void folder__that_others_can_write__is_refused(void)
{
    static const mode_t modes[] = {S_IWGRP, S_IWOTH};

    begin();
    EXPECT(PSA_SUCCESS, set());
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        uint64_t uid = 0;
        test_context("mode", i);
        REQUIRE(chmod(path_of("entries"), S_IRWXU | modes[i]) == 0);
        EXPECT(PSA_ERROR_STORAGE_FAILURE, get());
        EXPECT(PSA_ERROR_STORAGE_FAILURE, set());
        EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_remove(1));
        struct corral_entry_name name = {uid, 0};
        EXPECT(PSA_ERROR_STORAGE_FAILURE, corral_port_entry_next(&name));
    }
    test_context(NULL, 0);
    REQUIRE(chmod(path_of("entries"), S_IRWXU | S_IRGRP | S_IXGRP) == 0);
    EXPECT(PSA_SUCCESS, get());
}

static void folder__of_somebody_else__is_refused(void)
{
    begin();
    EXPECT(PSA_SUCCESS, set());
    is_somebody_else = true;
    EXPECT(PSA_ERROR_STORAGE_FAILURE, get());
    EXPECT(PSA_ERROR_STORAGE_FAILURE, set());
    is_somebody_else = false;
    EXPECT(PSA_SUCCESS, get());
}

static void file__that_others_can_write__is_refused(void)
{
    begin();
    EXPECT(PSA_SUCCESS, set());
    REQUIRE(chmod(path_of("entries/" ENTRY), S_IRUSR | S_IWUSR | S_IWOTH) == 0);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, get());
}

static void counter__links_in_its_place__are_not_written_through(void)
{
    uint32_t value = 0;

    begin();
    put("victim");
    EXPECT(PSA_SUCCESS, set());
    REQUIRE(symlink(path_of("victim"), path_of("entries/counter.new")) == 0);
    REQUIRE(symlink(path_of("victim"), path_of("entries/counter")) == 0);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, corral_port_counter_read(&value));
    REQUIRE(unlink(path_of("entries/counter")) == 0);
    EXPECT(PSA_SUCCESS, corral_port_counter_read(&value));
    REQUIRE(symlink(path_of("victim"), path_of("entries/counter")) == 0);
    EXPECT(PSA_SUCCESS, corral_port_counter_advance(value + 1));
    CHECK(is_untouched("victim"));
}

static int open_files(void)
{
    int count = 0;

    for (int file = 0; file < 64; file++) {
        count += fcntl(file, F_GETFD) != -1;
    }
    return count;
}

/* Where the file cannot become as large as the flash, it is not made at all. */
static void check_flash_without_room(const uint8_t zeros[4])
{
    struct rlimit limit;

    REQUIRE(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    const struct rlimit small = {100, limit.rlim_max};
    REQUIRE(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &small) == 0);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, corral_port_flash_write(0, zeros, 4));
    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    CHECK(access(path_of("flash"), F_OK) != 0);
}

/* A file of the size of the flash, erased. */
static void put_flash(const char *name)
{
    const struct corral_flash_geometry *flash = corral_port_flash();
    FILE *file = fopen(path_of(name), "w");

    REQUIRE(file != NULL);
    for (uint32_t i = 0; i < flash->page_size * flash->page_count; i++) {
        REQUIRE(fputc(0xff, file) != EOF);
    }
    REQUIRE(fclose(file) == 0);
}

static void flash__links_in_its_place__are_not_written_through(void)
{
    const uint8_t zeros[4] = {0};

    begin();
    put("victim");
    REQUIRE(setenv("CORRAL_FLASH", path_of("flash"), 1) == 0);
    REQUIRE(symlink(path_of("nowhere"), path_of("flash")) == 0);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, corral_port_flash_write(0, zeros, sizeof zeros));
    CHECK(access(path_of("nowhere"), F_OK) != 0);
    REQUIRE(unlink(path_of("flash")) == 0 && link(path_of("victim"), path_of("flash")) == 0);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, corral_port_flash_write(0, zeros, sizeof zeros));
    CHECK(is_untouched("victim"));
    REQUIRE(unlink(path_of("flash")) == 0);
    put_flash("theirs"); /* nothing else is wrong with it */
    REQUIRE(link(path_of("theirs"), path_of("flash")) == 0);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, corral_port_flash_write(0, zeros, sizeof zeros));
    REQUIRE(unlink(path_of("flash")) == 0);
    put("flash"); /* too short; as often as it is tried, no file stays open */
    const int before = open_files();
    for (int i = 0; i < 3; i++) {
        EXPECT(PSA_ERROR_STORAGE_FAILURE, corral_port_flash_write(0, zeros, sizeof zeros));
    }
    CHECK(open_files() == before);
    REQUIRE(unlink(path_of("flash")) == 0);
    check_flash_without_room(zeros);
    EXPECT(PSA_SUCCESS, corral_port_flash_write(0, zeros, sizeof zeros));
    REQUIRE(unsetenv("CORRAL_FLASH") == 0);
}

static void names__new_ones__are_on_the_disk(void)
{
    uint32_t value = 0;

    begin();
    EXPECT(PSA_SUCCESS, set());
    CHECK(is_synced("") && is_synced("entries") && is_synced("entries/" ENTRY));
    synced_count = 0;
    EXPECT(PSA_SUCCESS, psa_its_remove(1));
    CHECK(is_synced("entries"));
    synced_count = 0;
    EXPECT(PSA_SUCCESS, corral_port_counter_read(&value));
    EXPECT(PSA_SUCCESS, corral_port_counter_advance(value + 1));
    CHECK(is_synced("entries") && is_synced("entries/counter"));
}

static void name__whose_syncing_failed__is_on_the_disk_with_the_next_entry(void)
{
    begin();
    fails_to_sync = true;
    EXPECT(PSA_ERROR_STORAGE_FAILURE, set());
    fails_to_sync = false;
    CHECK(access(path_of("entries"), F_OK) == 0);
    synced_count = 0;
    EXPECT(PSA_SUCCESS, set());
    CHECK(is_synced(""));
}

/* Change bits of a byte in the file of the entry. */
static void flip(long at, int bits)
{
    FILE *file = fopen(path_of("entries/" ENTRY), "r+b");

    REQUIRE(file != NULL && fseek(file, at, SEEK_SET) == 0);
    const int byte = fgetc(file);
    REQUIRE(byte != EOF && fseek(file, at, SEEK_SET) == 0);
    REQUIRE(fputc(byte ^ bits, file) != EOF && fclose(file) == 0);
}

static void flags__that_are_damaged__neither_bind_nor_free_an_entry(void)
{
    begin();
    for (int bit = 0; bit < 8; bit++) {
        test_context("bit", (size_t)bit);
        EXPECT(PSA_SUCCESS, set());
        flip(0, 1 << bit);
        EXPECT(PSA_ERROR_STORAGE_FAILURE, get());
        EXPECT(PSA_SUCCESS, bit % 2 == 0 ? set() : psa_its_remove(1));
    }
    EXPECT(PSA_SUCCESS, set());
    EXPECT(PSA_SUCCESS, psa_its_remove(1));
    EXPECT(PSA_SUCCESS, psa_its_set(1, sizeof text, text, PSA_STORAGE_FLAG_WRITE_ONCE));
    for (int bit = 0; bit < 8; bit++) {
        test_context("bit", (size_t)bit);
        flip(0, 1 << bit);
        EXPECT(PSA_ERROR_STORAGE_FAILURE, get());
        EXPECT(PSA_ERROR_NOT_PERMITTED, set());
        EXPECT(PSA_ERROR_NOT_PERMITTED, psa_its_remove(1));
        flip(0, 1 << bit);
    }
    test_context(NULL, 0);
    flip(7, 1);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, get());
    EXPECT(PSA_ERROR_NOT_PERMITTED, set());
}

static void data__that_is_damaged__does_not_reach_the_caller(void)
{
    static const uint8_t zeros[sizeof text];
    uint8_t data[sizeof text];
    size_t length = 1;

    begin();
    EXPECT(PSA_SUCCESS, set());
    flip(7, 1);
    memset(data, 0xa5, sizeof data);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get(1, 0, sizeof data, data, &length));
    CHECK(length == 0 && memcmp(data, zeros, sizeof data) == 0);
}

static void header__of_an_entry_without_data__that_is_damaged__is_found(void)
{
    uint8_t data[1];
    size_t length = 1;

    begin();
    EXPECT(PSA_SUCCESS, psa_its_set(1, 0, NULL, 0));
    for (long at = 0; at < 5; at++) {
        test_context("byte", (size_t)at);
        flip(at, 1);
        EXPECT(PSA_ERROR_STORAGE_FAILURE, psa_its_get(1, 0, sizeof data, data, &length));
        flip(at, 1);
        EXPECT(PSA_SUCCESS, psa_its_get(1, 0, sizeof data, data, &length));
        CHECK(length == 0);
    }
    test_context(NULL, 0);
}

static void entry__that_cannot_take_its_name__leaves_no_file(void)
{
    const struct corral_entry_name name = {1, 0};

    begin();
    EXPECT(PSA_SUCCESS, set());
    EXPECT(PSA_SUCCESS, psa_its_remove(1));
    REQUIRE(mkdir(path_of("entries/" ENTRY), S_IRWXU) == 0);
    EXPECT(PSA_ERROR_STORAGE_FAILURE, corral_port_entry_write(&name, 0, text, sizeof text));
    CHECK(access(path_of("entries/" ENTRY ".new"), F_OK) != 0);
    REQUIRE(rmdir(path_of("entries/" ENTRY)) == 0);
    EXPECT(PSA_SUCCESS, set());
}

static void name__written_in_another_way__is_no_entry(void)
{
    static const char *const names[] = {"0-0x00000000000001", "0-2", "0- 2", "0--1", "+0-1",
                                        "0-000000000000000A"};
    struct corral_entry_name name = {0, 0};

    begin();
    EXPECT(PSA_SUCCESS, set());
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "entries/%s", names[i]);
        put(path);
    }
    EXPECT(PSA_SUCCESS, corral_port_entry_next(&name));
    CHECK(name.uid == 1);
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, corral_port_entry_next(&name));
}

/* The list of names is read once, and each change is noted in it. */
static void next__after_changes__names_the_entries_that_are_there(void)
{
    static const uint64_t left[] = {1, 2, 4};
    struct corral_entry_name name = {0, 0};

    begin();
    for (psa_storage_uid_t uid = 1; uid <= 3; uid++) {
        EXPECT(PSA_SUCCESS, psa_its_set(uid, sizeof text, text, 0));
    }
    EXPECT(PSA_SUCCESS, corral_port_entry_next(&name));
    CHECK(name.uid == 1);
    EXPECT(PSA_SUCCESS, psa_its_remove(2));
    EXPECT(PSA_SUCCESS, corral_port_entry_next(&name));
    CHECK(name.uid == 3);
    EXPECT(PSA_SUCCESS, psa_its_remove(3));
    EXPECT(PSA_SUCCESS, psa_its_set(4, sizeof text, text, 0));
    EXPECT(PSA_SUCCESS, psa_its_set(2, sizeof text, text, 0));
    name.uid = 0;
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        EXPECT(PSA_SUCCESS, corral_port_entry_next(&name));
        CHECK(name.uid == left[i]);
    }
    EXPECT(PSA_ERROR_DOES_NOT_EXIST, corral_port_entry_next(&name));
}

static void salvage__is_of_flash_alone(void)
{
    begin();
    EXPECT(PSA_SUCCESS, set());
    EXPECT(PSA_ERROR_NOT_SUPPORTED, corral_storage_salvage());
    EXPECT(PSA_SUCCESS, get());
}

static const struct test_case tests[] = {
    TEST(next__after_changes__names_the_entries_that_are_there),
    TEST(salvage__is_of_flash_alone),
    TEST(link__in_the_place_of_a_new_file__is_not_written_through),
    TEST(link__in_the_place_of_an_entry__is_neither_read_nor_written_through),
    TEST(pipe__in_the_place_of_a_file__is_refused_at_once),
    TEST(folder__that_is_a_link__is_refused),
    TEST(folder__that_others_can_write__is_refused),
    TEST(folder__of_somebody_else__is_refused),
    TEST(file__that_others_can_write__is_refused),
    TEST(counter__links_in_its_place__are_not_written_through),
    TEST(flash__links_in_its_place__are_not_written_through),
    TEST(names__new_ones__are_on_the_disk),
    TEST(name__whose_syncing_failed__is_on_the_disk_with_the_next_entry),
    TEST(flags__that_are_damaged__neither_bind_nor_free_an_entry),
    TEST(data__that_is_damaged__does_not_reach_the_caller),
    TEST(header__of_an_entry_without_data__that_is_damaged__is_found),
    TEST(entry__that_cannot_take_its_name__leaves_no_file),
    TEST(name__written_in_another_way__is_no_entry),
};
static TEST_SUITE(files, tests);

int main(void)
{
    const struct test_suite *const suites[] = {&suite_files};

    return test_initialise_and_run(suites, 1);
}
