/* SPDX-License-Identifier: Apache-2.0 */
/* The chips of one process, served over a Unix socket or over two FIFOs. sim/README.md has the
 * protocol. */
#ifndef SIM_SERVER_H
#define SIM_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The result of a request: the first byte of its response. */
enum { SERVER_DONE = 0, SERVER_NOT_ACKNOWLEDGED = 1, SERVER_ERROR = 2 };

/* The functions of a program for requests to its chips, which it finds at `chips`. Each
 * returns one of the above. */
struct server {
    const char *program; /* how its messages begin */
    const char *help;    /* for --help */
    void *chips;
    /* One more chip, as --chip describes it, which may be taken apart in place. false: it has said
     * on standard error what is wrong. */
    bool (*add)(void *chips, char *text);
    /* Print the serial number of the chip whose memory this file is; the exit status. */
    int (*print_serial)(const char *path);
    uint8_t (*write)(void *chips, uint8_t bus, uint8_t address, const uint8_t *data, size_t length);
    /* All of `data` is written if it is acknowledged. */
    uint8_t (*read)(void *chips, uint8_t bus, uint8_t address, uint8_t *data, size_t length);
    void (*delay)(void *chips, uint32_t microseconds);
    /* The control operation: a fault, or a question. The answer, or what is wrong, is text. */
    uint8_t (*control)(void *chips, uint8_t bus, uint8_t address, const char *text, char *answer,
                       size_t room);
    bool verbose; /* one line per request on standard error */
};

/* The program, from its command line (sim/README.md) to its exit status. */
int server_main(struct server *server, int argc, char **argv);

/* One request frame at the start of data. Returns the bytes it takes, 0 when it is not complete
 * yet, -1 when it is no frame. A complete frame is carried out; its answer is put into *response
 * (which the caller frees with free()) and its size into *response_length. */
long server_handle(const struct server *server, const uint8_t *data, size_t length,
                   uint8_t **response, size_t *response_length);

/* Serve until SIGTERM or SIGINT (socket, FIFOs) or until the writer of in_path closes it (FIFOs).
 * FIFOs that do not exist are made, and removed at the end. Returns the exit status of the process,
 * having said on standard error what went wrong when it is not 0. */
int server_run_socket(const struct server *server, const char *path);
int server_run_fifo(const struct server *server, const char *in_path, const char *out_path);

#endif
