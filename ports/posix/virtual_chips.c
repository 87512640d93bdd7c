/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual chips behind the Unix socket that the environment names in CORRAL_SIM_SOCKET. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../emulated/virtual_chips.h"
#include "copies.h"

#define NO_CONNECTION (-1)

/* Threads work with different elements at once, but the connection carries one request at a time.
 */
static pthread_mutex_t connection_lock = PTHREAD_MUTEX_INITIALIZER;
static int connection = NO_CONNECTION;
static struct copy_mark connected; /* whose connection it is: a copy of it needs its own */

static void hang_up(void)
{
    if (connection != NO_CONNECTION) {
        close(connection);
        connection = NO_CONNECTION;
    }
}

static bool connect_to(const char *path)
{
    struct sockaddr_un name;

    memset(&name, 0, sizeof name);
    name.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof name.sun_path) {
        return false;
    }
    memcpy(name.sun_path, path, strlen(path));
    connection = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connection != NO_CONNECTION &&
        connect(connection, (const struct sockaddr *)&name, sizeof name) != 0) {
        hang_up();
    }
    return connection != NO_CONNECTION;
}

/* Whether chips can be asked; connects at the first call, and after a failure. */
static bool is_connected(void)
{
    const char *path = getenv("CORRAL_SIM_SOCKET");

    if (!copy_mark_holds(&connected)) {
        hang_up();
        (void)copy_mark_set(&connected);
    }
    return connection != NO_CONNECTION || (path != NULL && connect_to(path));
}

bool virtual_bus_send(const uint8_t *data, size_t size)
{
    while (size > 0) {
        const ssize_t sent = send(connection, data, size, MSG_NOSIGNAL);
        if (sent > 0) {
            data += sent;
            size -= (size_t)sent;
        } else if (sent == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool virtual_bus_receive(uint8_t *data, size_t size)
{
    while (size > 0) {
        const ssize_t received = recv(connection, data, size, 0);
        if (received > 0) {
            data += received;
            size -= (size_t)received;
        } else if (received == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

psa_status_t virtual_chips_ask(const struct virtual_bus_request *what, uint8_t *answer,
                               size_t answer_size)
{
    psa_status_t status = PSA_ERROR_COMMUNICATION_FAILURE;

    pthread_mutex_lock(&connection_lock);
    if (is_connected()) {
        bool in_step;
        status = virtual_bus_exchange(what, answer, answer_size, &in_step);
        if (!in_step) {
            hang_up();
        }
    }
    pthread_mutex_unlock(&connection_lock);
    return status;
}

void virtual_chips_wait(uint32_t microseconds)
{
    struct timespec left = {(time_t)(microseconds / 1000000u),
                            (long)(microseconds % 1000000u) * 1000};

    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}
