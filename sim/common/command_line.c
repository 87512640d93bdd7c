/* SPDX-License-Identifier: Apache-2.0 */
/* The command line that all programs with chips have. */
#include "server.h"

#include <stdio.h>
#include <string.h>

enum { USAGE = 2 };

/* The options of the command line. */
struct arguments {
    const char *listen;
    const char *fifo_in;
    const char *fifo_out;
    bool has_chip;
};

/* Take the word at *at, and those that belong to it. */
static bool take(struct server *server, char **words, int count, int *at,
                 struct arguments *arguments)
{
    const char *word = words[*at];

    if (strcmp(word, "--listen") == 0 && *at + 1 < count) {
        arguments->listen = words[++*at];
    } else if (strcmp(word, "--fifo") == 0 && *at + 2 < count) {
        arguments->fifo_in = words[++*at];
        arguments->fifo_out = words[++*at];
    } else if (strcmp(word, "--chip") == 0 && *at + 1 < count) {
        arguments->has_chip = true;
        return server->add(server->chips, words[++*at]);
    } else if (strcmp(word, "--verbose") == 0) {
        server->verbose = true;
    } else {
        fprintf(stderr, "%s: %s: unknown, or something is missing after it (see --help)\n",
                server->program, word);
        return false;
    }
    return true;
}

static bool parse(struct server *server, int count, char **words, struct arguments *arguments)
{
    for (int i = 1; i < count; i++) {
        if (!take(server, words, count, &i, arguments)) {
            return false;
        }
    }
    if ((arguments->listen != NULL) == (arguments->fifo_in != NULL)) {
        fprintf(stderr, "%s: give either --listen PATH or --fifo IN OUT (see --help)\n",
                server->program);
        return false;
    }
    if (!arguments->has_chip) {
        fprintf(stderr, "%s: no chip: give at least one --chip (see --help)\n", server->program);
        return false;
    }
    return true;
}

int server_main(struct server *server, int argc, char **argv)
{
    struct arguments arguments = {NULL, NULL, NULL, false};

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(server->help, stdout);
            return 0;
        }
    }
    if (argc == 3 && strcmp(argv[1], "--serial") == 0) {
        return server->print_serial(argv[2]);
    }
    if (!parse(server, argc, argv, &arguments)) {
        return USAGE;
    }
    return arguments.listen != NULL
               ? server_run_socket(server, arguments.listen)
               : server_run_fifo(server, arguments.fifo_in, arguments.fifo_out);
}
