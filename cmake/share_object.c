/* SPDX-License-Identifier: Apache-2.0
 *
 *   share_object [--by-files] FOLDER BUILD VERSION COMPILER ARGUMENT...
 *
 * Compiles, unless FOLDER has what the same compiler made of the same text with the same options:
 * then copies that. Builds of the tests share the objects of third-party libraries and of ports so,
 * of which each configuration would compile much the same. BUILD is the build folder, whose name
 * says nothing about what is compiled; VERSION says which compiler it is.
 *
 * Where the same command has been here before and the files that it read are what they were, the
 * compiler is not even asked for the text: each command has a list of what it compiled, with the
 * name of the object and the hashes of all files.
 *
 * --by-files: the compiler is never asked for the text. Our own sources differ wherever their
 * generated headers do, and then the text would be made for nothing, at a third of what compiling
 * takes; where the configuration is the same, the files are. VERSION says which configuration it
 * is, too, so that the lists stay short.
 */

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
    NAME_SIZE = 33,      /* a hash in hexadecimal, and its end */
    LIST_SIZE = 1 << 17, /* of a list; one that would be longer begins anew */
    MEMORY_MAX = 1024,   /* files whose hashes are remembered */
};

__extension__ typedef unsigned __int128 hash_t;

struct text {
    char *data; /* ends with a zero that does not count */
    size_t length;
};

struct command {
    const char *folder;
    const char *build;
    const char *version;
    char **compile;   /* as it was given */
    char **parts;     /* without where output goes */
    struct text said; /* the options that the text does not show */
    const char *object;
    const char *target;  /* NULL, or what `depends` has a rule for */
    const char *depends; /* NULL, or the file that says what was read */
};

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "share_object: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void append(struct text *text, const char *data, size_t length)
{
    char *grown = realloc(text->data, text->length + length + 1);

    if (grown == NULL) {
        fail("memory");
    }
    memcpy(grown + text->length, data, length);
    grown[text->length + length] = '\0';
    text->data = grown;
    text->length += length;
}

static void append_all(struct text *text, const char *const parts[])
{
    for (size_t i = 0; parts[i] != NULL; i++) {
        append(text, parts[i], strlen(parts[i]));
    }
}

/* A text of these parts, which the caller frees or leaves to the end of the process. */
#define JOINED(...) joined((const char *const[]){__VA_ARGS__, NULL})

static char *joined(const char *const parts[])
{
    struct text text = {NULL, 0};

    append_all(&text, parts);
    return text.data;
}

/* Append `data` with `to` wherever `from` is. */
static void append_replaced(struct text *text, const char *data, const char *from, const char *to)
{
    const char *found = strstr(data, from);

    while (found != NULL) {
        append(text, data, (size_t)(found - data));
        append(text, to, strlen(to));
        data = found + strlen(from);
        found = strstr(data, from);
    }
    append(text, data, strlen(data));
}

/* Whether `path` could be read; what it has is appended. */
static int read_file(struct text *text, const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat about;

    if (file == NULL) {
        return 0;
    }
    if (fstat(fileno(file), &about) != 0) {
        fail(path);
    }
    size_t size = (size_t)about.st_size;
    char *data = malloc(size + 1);
    if (data == NULL || fread(data, 1, size, file) != size) {
        fail(path);
    }
    fclose(file);
    append(text, data, size);
    free(data);
    return 1;
}

static void write_file(const char *path, const struct text *text)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL || fwrite(text->data, 1, text->length, file) != text->length ||
        fclose(file) != 0) {
        fail(path);
    }
}

/* FNV-1a of 128 bits: who compiles here means no harm. */
static void hash(char name[static NAME_SIZE], const struct text *text)
{
    hash_t prime = ((hash_t)1 << 88) + 0x13b;
    hash_t value = ((hash_t)0x6c62272e07bb0142 << 64) + 0x62b821756295c58d;

    for (size_t i = 0; i < text->length; i++) {
        value = (value ^ (unsigned char)text->data[i]) * prime;
    }
    snprintf(name, NAME_SIZE, "%016llx%016llx", (unsigned long long)(value >> 64),
             (unsigned long long)value);
}

/* The hash of what a file has; empty if it cannot be read. Each is read once. */
static const char *hash_of_file(const char *path)
{
    static struct {
        char *path;
        char name[NAME_SIZE];
    } known[MEMORY_MAX];
    static size_t count;
    struct text text = {NULL, 0};

    for (size_t i = 0; i < count; i++) {
        if (strcmp(known[i].path, path) == 0) {
            return known[i].name;
        }
    }
    size_t i = count < MEMORY_MAX ? count++ : MEMORY_MAX - 1;
    known[i].path = JOINED(path);
    known[i].name[0] = '\0';
    if (read_file(&text, path)) {
        hash(known[i].name, &text);
    }
    free(text.data);
    return known[i].name;
}

static char *kept(const struct command *command, const char *name, const char *suffix)
{
    return JOINED(command->folder, "/", name, suffix);
}

/* The file beside the object with another suffix than .o or .obj: of its stack, or of a step on the
 * way. */
static char *beside(const struct command *command, const char *suffix)
{
    struct text path = {NULL, 0};

    append(&path, command->object, (size_t)(strrchr(command->object, '.') - command->object));
    append(&path, suffix, strlen(suffix));
    return path.data;
}

/* Others may write the same now, so what has its name is complete. */
static void keep(const char *path, const struct text *text)
{
    char own[24];

    snprintf(own, sizeof own, ".%ld", (long)getpid());
    char *unfinished = JOINED(path, own);
    write_file(unfinished, text);
    if (rename(unfinished, path) != 0) {
        fail(path);
    }
}

/* Whether an object of that name is there: then it is this build's. */
static int take(const struct command *command, const char *name)
{
    struct text object = {NULL, 0}, stack = {NULL, 0};

    if (!read_file(&object, kept(command, name, ".o")) || object.length == 0) {
        return 0; /* a machine that loses power may leave a name without what was written */
    }
    if (read_file(&stack, kept(command, name, ".su"))) {
        write_file(beside(command, ".su"), &stack);
    }
    write_file(command->object, &object);
    return 1;
}

static void give(const struct command *command, const char *name)
{
    struct text object = {NULL, 0}, stack = {NULL, 0};

    if (mkdir(command->folder, 0777) != 0 && errno != EEXIST) {
        fail(command->folder);
    }
    if (read_file(&stack, beside(command, ".su"))) {
        keep(kept(command, name, ".su"), &stack);
    }
    if (!read_file(&object, command->object)) {
        fail(command->object);
    }
    keep(kept(command, name, ".o"), &object); /* which comes last */
}

static int run(char *const arguments[])
{
    pid_t child;
    int status;
    int error = posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ);

    if (error != 0) {
        errno = error;
        fail(arguments[0]);
    }
    if (waitpid(child, &status, 0) != child) {
        fail(arguments[0]);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static void read_command(struct command *command, char *arguments[])
{
    size_t count = 0, parts = 0;

    *command = (struct command){.folder = arguments[0],
                                .build = arguments[1],
                                .version = arguments[2],
                                .compile = arguments + 3};
    while (command->compile[count] != NULL) {
        count++;
    }
    command->parts = calloc(count + 4, sizeof *command->parts);
    if (command->parts == NULL) {
        fail("memory");
    }
    append_replaced(&command->said, command->version, command->build, "BUILD");
    for (size_t i = 0; i < count; i++) {
        char *argument = command->compile[i];
        const char *previous = i > 0 ? command->compile[i - 1] : "";
        if (strcmp(previous, "-o") == 0) {
            command->object = argument;
            continue;
        }
        if (strcmp(argument, "-o") == 0) {
            continue;
        }
        command->parts[parts++] = argument;
        if (strcmp(previous, "-MT") == 0) {
            command->target = argument;
        } else if (strcmp(previous, "-MF") == 0) {
            command->depends = argument;
        }
        if (strcmp(argument, "-isystem") != 0 && strcmp(previous, "-isystem") != 0 &&
            !starts(argument, "-I") && !starts(argument, "-D")) {
            append(&command->said, " ", 1);
            append_replaced(&command->said, argument, command->build, "BUILD");
        }
    }
    if (command->object == NULL || strrchr(command->object, '.') == NULL) {
        errno = EINVAL;
        fail("-o");
    }
}

/* Whether the argument behind this one names an output, which says nothing about what is in it. */
static int is_before_output(const char *argument)
{
    return strcmp(argument, "-o") == 0 || strcmp(argument, "-MT") == 0 ||
           strcmp(argument, "-MF") == 0;
}

/* Where the list of what this command compiled is. CMake names the object of a generated source by
 * the path of the build. */
static char *list_of(const struct command *command)
{
    const char *searched[] = {getenv("CPATH"), getenv("C_INCLUDE_PATH")};
    struct text all = {NULL, 0};
    char name[NAME_SIZE];

    append_replaced(&all, command->version, command->build, "BUILD");
    for (size_t i = 0; i < 2; i++) {
        append(&all, "\n", 1);
        append_replaced(&all, searched[i] != NULL ? searched[i] : "", command->build, "BUILD");
    }
    for (size_t i = 0; command->compile[i] != NULL; i++) {
        if (i == 0 || !is_before_output(command->compile[i - 1])) {
            append(&all, "\n", 1);
            append_replaced(&all, command->compile[i], command->build, "BUILD");
        }
    }
    hash(name, &all);
    return kept(command, name, ".list");
}

/* Whether a file has been as it is since before that time: what was read of it is what it has. The
 * time is of the clock that the system gives files their times by, which goes in steps. */
static int is_older(const char *path, const struct timespec *time)
{
    struct stat about;

    if (stat(path, &about) != 0) {
        return 0;
    }
    return about.st_ctim.tv_sec < time->tv_sec ||
           (about.st_ctim.tv_sec == time->tv_sec && about.st_ctim.tv_nsec < time->tv_nsec);
}

/* Whether all files that the lines of files_read() name have been as they are since then. */
static int are_older(const struct command *command, const struct text *files,
                     const struct timespec *time)
{
    struct text all = {NULL, 0};
    char *rest = NULL;

    append(&all, files->data, files->length);
    for (char *line = strtok_r(all.data, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        struct text path = {NULL, 0};
        append_replaced(&path, strchr(line, ' ') + 1, "BUILD", command->build);
        int is_as_it_was = is_older(path.data, time);
        free(path.data);
        if (!is_as_it_was) {
            free(all.data);
            return 0;
        }
    }
    free(all.data);
    return 1;
}

/* Lines "hash path" of what was read, BUILD in its place; nothing if a name has a character that
 * make would escape. */
static struct text files_read(const struct command *command)
{
    struct text rule = {NULL, 0}, files = {NULL, 0};

    if (command->depends == NULL || command->target == NULL ||
        !read_file(&rule, command->depends) || strpbrk(rule.data, "$#") != NULL ||
        strstr(rule.data, "\\ ") != NULL || strchr(rule.data, ':') == NULL) {
        return files;
    }
    char *path = strtok(strchr(rule.data, ':') + 1, " \\\n");
    while (path != NULL) {
        append_all(&files, (const char *const[]){hash_of_file(path), " ", NULL});
        append_replaced(&files, path, command->build, "BUILD");
        append(&files, "\n", 1);
        path = strtok(NULL, " \\\n");
    }
    return files;
}

/* Note in the list, in front of what it has, that these files make the object of that name. */
static void note(const char *list, const char *name, const struct text *files)
{
    struct text before = {NULL, 0}, now = {NULL, 0};

    if (files->length == 0) {
        return;
    }
    append_all(&now, (const char *const[]){"object ", name, "\n", files->data, "\n", NULL});
    if (read_file(&before, list) && now.length + before.length < LIST_SIZE) {
        append(&now, before.data, before.length);
    }
    keep(list, &now);
}

/* Whether the files of an entry, up to an empty line, are what they were; then for ninja what was
 * read is written. */
static int is_unchanged(const struct command *command, char *lines)
{
    struct text rule = {NULL, 0};

    append_all(&rule, (const char *const[]){command->target, ":", NULL});
    for (char *line = lines; *line != '\n' && *line != '\0';) {
        struct text path = {NULL, 0};
        char *end = strchr(line, '\n');
        char *space = strchr(line, ' ');
        if (end == NULL || space == NULL || space > end) {
            return 0;
        }
        *end = '\0';
        append_replaced(&path, space + 1, "BUILD", command->build);
        const char *now = hash_of_file(path.data);
        int is_same = now[0] != '\0' && starts(line, now) && line + strlen(now) == space;
        append_all(&rule, (const char *const[]){" ", path.data, NULL});
        free(path.data);
        *end = '\n';
        if (!is_same) {
            free(rule.data);
            return 0;
        }
        line = end + 1;
    }
    append(&rule, "\n", 1);
    write_file(command->depends, &rule);
    free(rule.data);
    return 1;
}

/* Whether the list knows of an object for what the files have now, and it was taken. */
static int take_listed(const struct command *command, const char *list)
{
    struct text known = {NULL, 0};

    if (command->depends == NULL || command->target == NULL || !read_file(&known, list)) {
        return 0;
    }
    for (char *entry = strstr(known.data, "object "); entry != NULL;
         entry = strstr(entry + 1, "\nobject ")) {
        char name[NAME_SIZE];
        entry += *entry == '\n';
        char *lines = strchr(entry, '\n');
        if (lines == NULL || sscanf(entry, "object %32s", name) != 1) {
            return 0;
        }
        if (is_unchanged(command, lines + 1) && take(command, name)) {
            return 1;
        }
    }
    return 0;
}

/* The name of the object that the text is compiled to; exits if there is no text. */
static void name_by_text(char name[static NAME_SIZE], const struct command *command)
{
    struct text text = {NULL, 0}, all = {NULL, 0};
    char *preprocessed = beside(command, ".i");
    size_t end = 0;

    while (command->parts[end] != NULL) {
        end++;
    }
    command->parts[end] = "-E"; /* and writes for ninja what was included */
    command->parts[end + 1] = "-o";
    command->parts[end + 2] = preprocessed;
    int status = run(command->parts);
    if (status != 0) {
        exit(status);
    }
    if (!read_file(&text, preprocessed)) {
        fail(preprocessed);
    }
    unlink(preprocessed);
    append_all(&all, (const char *const[]){command->said.data, "\n", NULL});
    append_replaced(&all, text.data, command->build, "BUILD");
    hash(name, &all);
}

/* Compile, and keep the object for whoever has the same files; 0, or what the compiler exits with.
 * Somebody may write a file while it is compiled: then nothing is kept. */
static int compile_by_files(const struct command *command, const char *list)
{
    struct text all = {NULL, 0};
    struct timespec begun;
    char name[NAME_SIZE];

    clock_gettime(CLOCK_REALTIME_COARSE, &begun);
    int status = run(command->compile);
    if (status != 0) {
        return status;
    }
    struct text files = files_read(command);
    if (files.length == 0 || !are_older(command, &files, &begun)) {
        return 0;
    }
    append_all(&all, (const char *const[]){list, "\n", files.data, NULL});
    hash(name, &all);
    give(command, name);
    note(list, name, &files);
    return 0;
}

/* The same, unless what the compiler makes of the text has been compiled before. */
static int compile_by_text(const struct command *command, const char *list)
{
    char name[NAME_SIZE];

    name_by_text(name, command);
    if (!take(command, name)) {
        int status = run(command->compile);
        if (status != 0) {
            return status;
        }
        give(command, name);
    }
    struct text files = files_read(command);
    note(list, name, &files);
    return 0;
}

int main(int count, char *arguments[])
{
    struct command command;
    int is_by_files = count > 1 && strcmp(arguments[1], "--by-files") == 0;

    if (count - is_by_files < 5) {
        fputs("share_object [--by-files] FOLDER BUILD VERSION COMPILER ARGUMENT...\n", stderr);
        return 2;
    }
    read_command(&command, arguments + 1 + is_by_files);
    char *list = list_of(&command);
    if (take_listed(&command, list)) {
        return 0;
    }
    return is_by_files ? compile_by_files(&command, list) : compile_by_text(&command, list);
}
