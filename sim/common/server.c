/* SPDX-License-Identifier: Apache-2.0 */
/* Connections: several clients on a Unix socket, or one on a pair of FIFOs. One thread, so that the
 * bus sees one transaction at a time. */
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { CLIENTS_MAX = 32, INPUT_MAX = 5 + 65535, SEND_TIMEOUT_S = 10 };

/* Where requests come from and answers go. */
struct client {
    int in;
    int out;
    uint8_t *input;
    size_t length;
};

static int stop_pipe[2] = {-1, -1};

static void on_signal(int number)
{
    int saved = errno;
    ssize_t ignored = write(stop_pipe[1], "x", 1);

    (void)number;
    (void)ignored;
    errno = saved;
}

/* Make SIGTERM and SIGINT readable on stop_pipe[0]. */
static bool catch_signals(void)
{
    struct sigaction action;

    if (pipe(stop_pipe) != 0) {
        return false;
    }
    memset(&action, 0, sizeof(action));
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGTERM, &action, NULL) != 0 || sigaction(SIGINT, &action, NULL) != 0) {
        return false;
    }
    action.sa_handler = SIG_IGN;
    return sigaction(SIGPIPE, &action, NULL) == 0;
}

static bool client_open(struct client *client, int in, int out)
{
    client->in = in;
    client->out = out;
    client->length = 0;
    client->input = malloc(INPUT_MAX);
    return client->input != NULL;
}

static void client_close(struct client *client)
{
    close(client->in);
    if (client->out != client->in) {
        close(client->out);
    }
    free(client->input);
    client->input = NULL;
}

static bool send_all(int descriptor, const uint8_t *data, size_t length)
{
    while (length > 0) {
        ssize_t written = write(descriptor, data, length);

        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        data += written;
        length -= (size_t)written;
    }
    return true;
}

/* Carry out every complete request in the client's input. false: give the client up. */
static bool client_serve(const struct server *server, struct client *client)
{
    size_t done = 0;
    bool ok = true;

    while (ok) {
        uint8_t *response = NULL;
        size_t response_length = 0;
        long used = server_handle(server, client->input + done, client->length - done, &response,
                                  &response_length);

        if (used < 0) {
            fprintf(stderr, "%s: a client sent a frame that starts with 0x%02X; closed\n",
                    server->program, client->input[done]);
            return false;
        }
        if (used == 0) {
            break;
        }
        ok = send_all(client->out, response, response_length);
        free(response);
        done += (size_t)used;
    }
    memmove(client->input, client->input + done, client->length - done);
    client->length -= done;
    return ok;
}

/* Read the received bytes and answer requests. false: the client is gone. */
static bool client_read(const struct server *server, struct client *client)
{
    ssize_t got = read(client->in, client->input + client->length, INPUT_MAX - client->length);

    if (got < 0) {
        return errno == EINTR || errno == EAGAIN;
    }
    if (got == 0) {
        return false;
    }
    client->length += (size_t)got;
    return client_serve(server, client);
}

/* --- socket --- */

static bool is_socket(const char *path)
{
    struct stat info;

    return lstat(path, &info) == 0 && S_ISSOCK(info.st_mode);
}

/* Bind, replacing a socket file without a listener. -1 on failure, with a message on stderr. */
static int listen_on(const char *program, const char *path)
{
    struct sockaddr_un name;
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);

    memset(&name, 0, sizeof(name));
    name.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof(name.sun_path)) {
        fprintf(stderr, "%s: %s: longer than the %zu bytes that a socket's path may have\n",
                program, path, sizeof(name.sun_path) - 1);
        close(descriptor);
        return -1;
    }
    memcpy(name.sun_path, path, strlen(path));
    if (descriptor >= 0 && connect(descriptor, (struct sockaddr *)&name, sizeof(name)) == 0) {
        fprintf(stderr, "%s: %s: another server listens there\n", program, path);
        close(descriptor);
        return -1;
    }
    if (descriptor >= 0 && errno == ECONNREFUSED && is_socket(path)) {
        unlink(path);
    }
    if (descriptor < 0 || bind(descriptor, (struct sockaddr *)&name, sizeof(name)) != 0 ||
        listen(descriptor, CLIENTS_MAX) != 0) {
        fprintf(stderr, "%s: %s: cannot listen: %s\n", program, path, strerror(errno));
        close(descriptor);
        return -1;
    }
    return descriptor;
}

static void accept_client(const struct server *server, int listener, struct client *clients,
                          size_t *count)
{
    struct timeval patience = {SEND_TIMEOUT_S, 0};
    int descriptor = accept(listener, NULL, NULL);

    if (descriptor < 0) {
        return;
    }
    if (*count == CLIENTS_MAX || !client_open(&clients[*count], descriptor, descriptor)) {
        fprintf(stderr, "%s: no room for another client\n", server->program);
        close(descriptor);
        return;
    }
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    (*count)++;
}

int server_run_socket(const struct server *server, const char *path)
{
    struct client clients[CLIENTS_MAX];
    struct pollfd polled[CLIENTS_MAX + 2];
    size_t count = 0;
    int listener = listen_on(server->program, path);

    if (listener < 0 || !catch_signals()) {
        return 1;
    }
    printf("%s: listening on %s\n", server->program, path);
    fflush(stdout);
    for (;;) {
        size_t watched = count;

        polled[0] = (struct pollfd){.fd = stop_pipe[0], .events = POLLIN};
        polled[1] = (struct pollfd){.fd = listener, .events = POLLIN};
        for (size_t i = 0; i < count; i++) {
            polled[i + 2] = (struct pollfd){.fd = clients[i].in, .events = POLLIN};
        }
        if (poll(polled, (nfds_t)(watched + 2), -1) < 0 && errno != EINTR) {
            break;
        }
        if (polled[0].revents != 0) {
            break;
        }
        for (size_t i = watched; i-- > 0;) {
            if (polled[i + 2].revents != 0 && !client_read(server, &clients[i])) {
                client_close(&clients[i]);
                clients[i] = clients[--count];
            }
        }
        if (polled[1].revents != 0) {
            accept_client(server, listener, clients, &count);
        }
    }
    while (count > 0) {
        client_close(&clients[--count]);
    }
    close(listener);
    unlink(path);
    return 0;
}

/* --- FIFOs --- */

/* Make sure that path is a FIFO. Sets *made when it was created here. */
static bool ensure_fifo(const char *program, const char *path, bool *made)
{
    struct stat info;

    *made = mkfifo(path, 0600) == 0;
    if (*made || (errno == EEXIST && stat(path, &info) == 0 && S_ISFIFO(info.st_mode))) {
        return true;
    }
    fprintf(stderr, "%s: %s: not a FIFO, and none can be made there: %s\n", program, path,
            strerror(errno));
    return false;
}

/* Neither open blocks, so the peer may open its ends in either order. */
static bool open_fifos(const char *program, struct client *client, const char *in_path,
                       const char *out_path)
{
    int in = open(in_path, O_RDONLY | O_NONBLOCK);
    int out = open(out_path, O_RDWR);

    if (in < 0 || out < 0 || !client_open(client, in, out)) {
        fprintf(stderr, "%s: cannot open %s and %s: %s\n", program, in_path, out_path,
                strerror(errno));
        return false;
    }
    return true;
}

int server_run_fifo(const struct server *server, const char *in_path, const char *out_path)
{
    bool made_in = false;
    bool made_out = false;
    bool ok = ensure_fifo(server->program, in_path, &made_in) &&
              ensure_fifo(server->program, out_path, &made_out) && catch_signals();
    struct client client;

    if (ok && open_fifos(server->program, &client, in_path, out_path)) {
        struct pollfd polled[2] = {{.fd = stop_pipe[0], .events = POLLIN},
                                   {.fd = client.in, .events = POLLIN}};

        printf("%s: serving %s and %s\n", server->program, in_path, out_path);
        fflush(stdout);
        do {
            if (poll(polled, 2, -1) < 0 && errno != EINTR) {
                break;
            }
        } while (polled[0].revents == 0 &&
                 (polled[1].revents == 0 || client_read(server, &client)));
        client_close(&client);
    } else {
        ok = false;
    }
    if (made_in) {
        unlink(in_path);
    }
    if (made_out) {
        unlink(out_path);
    }
    return ok ? 0 : 1;
}
