/* SPDX-License-Identifier: Apache-2.0 */
/* The chips of one process, served over a Unix socket or over two FIFOs. README.md has the
 * protocol. */
#ifndef ATECC608_SIM_SERVER_H
#define ATECC608_SIM_SERVER_H

#include "atecc608_sim.h"

enum { SERVER_BUSES = 256, SERVER_CHIPS = 32 };

struct server_chip {
    uint8_t bus;
    struct atecc608_sim_chip *chip;
};

struct server {
    struct atecc608_sim_bus *buses[SERVER_BUSES]; /* NULL where no chip is */
    struct server_chip chips[SERVER_CHIPS];
    size_t chip_count;
    bool verbose; /* one line per request on standard error */
};

/* One request frame at the start of data. Returns the bytes it takes, 0 when it is not complete
 * yet, -1 when it is no frame. A complete frame is carried out; its answer is put into *response
 * (which the caller frees with free()) and its size into *response_length. */
long server_handle(struct server *server, const uint8_t *data, size_t length, uint8_t **response,
                   size_t *response_length);

/* Serve until SIGTERM or SIGINT (socket, FIFOs) or until the writer of in_path closes it (FIFOs).
 * FIFOs that do not exist are made, and removed at the end. Returns the exit status of the process,
 * having said on standard error what went wrong when it is not 0. */
int server_run_socket(struct server *server, const char *path);
int server_run_fifo(struct server *server, const char *in_path, const char *out_path);

#endif
