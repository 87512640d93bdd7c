/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RIOT's I2C on native boards, where virtual chips are at the socket that the environment names in
 * CORRAL_SIM_SOCKET (./corral chips). RIOT's own functions there are weak and do nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <corral/port.h>

#include "mutex.h"
#include "native_internal.h"
#include "periph/i2c.h"
#include "virtual_bus.h"

#define NO_CONNECTION (-1)

static mutex_t connection_lock = MUTEX_INIT;
static int connection = NO_CONNECTION;

static void hang_up(void)
{
    if (connection != NO_CONNECTION) {
        real_close(connection);
        connection = NO_CONNECTION;
    }
}

static bool is_connected(void)
{
    const char *path = getenv("CORRAL_SIM_SOCKET");
    struct sockaddr_un name = {.sun_family = AF_UNIX};

    if (connection != NO_CONNECTION) {
        return true;
    }
    if (path == NULL || strlen(path) >= sizeof name.sun_path) {
        return false;
    }
    memcpy(name.sun_path, path, strlen(path));
    connection = real_socket(AF_UNIX, SOCK_STREAM, 0);
    if (connection != NO_CONNECTION &&
        real_connect(connection, (const struct sockaddr *)&name, sizeof name) != 0) {
        hang_up();
    }
    return connection != NO_CONNECTION;
}

bool virtual_bus_send(const uint8_t *data, size_t size)
{
    while (size > 0) {
        const ssize_t sent = real_send(connection, data, size, MSG_NOSIGNAL);
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
        const ssize_t received = real_recv(connection, data, size, 0);
        if (received > 0) {
            data += received;
            size -= (size_t)received;
        } else if (received == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* Carry out a request; 0, or an error as RIOT's drivers return it. */
static int ask(const struct virtual_bus_request *what, uint8_t *answer, size_t answer_size)
{
    bool in_step = false;
    psa_status_t status = PSA_ERROR_COMMUNICATION_FAILURE;

    mutex_lock(&connection_lock);
    /* RIOT changes threads by signals, but not during a system call. */
    _native_syscall_enter();
    if (is_connected()) {
        status = virtual_bus_exchange(what, answer, answer_size, &in_step);
        if (!in_step) {
            hang_up();
        }
    }
    _native_syscall_leave();
    mutex_unlock(&connection_lock);
    return status == PSA_SUCCESS ? 0 : (in_step ? -ENXIO : -EIO);
}

int i2c_write_bytes(i2c_t dev, uint16_t addr, const void *data, size_t len, uint8_t flags)
{
    (void)flags;
    const struct virtual_bus_request what =
        virtual_bus_write((uint8_t)dev, (uint8_t)addr, data, len);
    return ask(&what, NULL, 0);
}

int i2c_read_bytes(i2c_t dev, uint16_t addr, void *data, size_t len, uint8_t flags)
{
    (void)flags;
    const struct virtual_bus_request what = virtual_bus_read((uint8_t)dev, (uint8_t)addr, len);
    return ask(&what, data, len);
}

/* Virtual chips have no clock: delays are requests, too. */
void corral_port_delay_us(uint32_t microseconds)
{
    uint8_t payload[4];
    const struct virtual_bus_request what = virtual_bus_delay(microseconds, payload);

    (void)ask(&what, NULL, 0);
}
