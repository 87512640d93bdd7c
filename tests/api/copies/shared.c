/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that a process shares with its copies outside of its memory: connections, files. */
#define _GNU_SOURCE

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <corral/port.h>
#include <psa/internal_trusted_storage.h>

#include "../../harness/harness.h"

#define CLIENTS_MAX 4u
#define DELAY_SIZE 9u

static atomic_uint clients;

/* Acknowledge every delay of everybody, without end. */
static void *serve(void *listener)
{
    struct pollfd files[1 + CLIENTS_MAX] = {{*(const int *)listener, POLLIN, 0}};
    static const uint8_t acknowledged[3];
    uint8_t delay[DELAY_SIZE];

    for (;;) {
        const unsigned count = atomic_load(&clients);
        poll(files, 1 + count, -1);
        for (unsigned i = 1; i <= count; i++) {
            if (files[i].revents != 0 &&
                recv(files[i].fd, delay, sizeof delay, MSG_WAITALL) == (ssize_t)sizeof delay) {
                send(files[i].fd, acknowledged, sizeof acknowledged, MSG_NOSIGNAL);
            } else if (files[i].revents != 0) {
                files[i].events = 0;
                files[i].fd = -1;
            }
        }
        if (files[0].revents != 0 && count < CLIENTS_MAX) {
            files[count + 1] = (struct pollfd){accept(files[0].fd, NULL, NULL), POLLIN, 0};
            atomic_fetch_add(&clients, 1);
        }
    }
    return NULL;
}

static void start_server(const char *path)
{
    static int listener;
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    pthread_t server;

    memcpy(name.sun_path, path, strlen(path));
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(bind(listener, (const struct sockaddr *)&name, sizeof name) == 0);
    REQUIRE(listen(listener, (int)CLIENTS_MAX) == 0);
    REQUIRE(pthread_create(&server, NULL, serve, &listener) == 0);
    REQUIRE(pthread_detach(server) == 0);
}

static bool does_well(pid_t child)
{
    int status;

    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void bus__in_a_copy__has_a_connection_of_its_own(void)
{
    char folder[] = "/tmp/corral-XXXXXX";
    char path[64];

    REQUIRE(mkdtemp(folder) != NULL);
    strcpy(path, folder);
    strcat(path, "/socket");
    start_server(path);
    setenv("CORRAL_SIM_SOCKET", path, 1);
    corral_port_delay_us(1);
    CHECK(atomic_load(&clients) == 1);
    const pid_t child = fork();
    if (child == 0) {
        corral_port_delay_us(1);
        _exit(0);
    }
    CHECK(does_well(child));
    CHECK(atomic_load(&clients) == 2);
    corral_port_delay_us(1);
    CHECK(atomic_load(&clients) == 2);
    unsetenv("CORRAL_SIM_SOCKET");
    unlink(path);
    rmdir(folder);
}

static void flash__in_a_copy__does_not_touch_the_file(void)
{
    char path[] = "/tmp/corral-XXXXXX";
    uint8_t data[4] = {1, 2, 3, 4};
    size_t length;

    REQUIRE(mkdtemp(path) != NULL);
    REQUIRE(rmdir(path) == 0);
    setenv("CORRAL_FLASH", path, 1);
    EXPECT(PSA_SUCCESS, psa_its_set(1, sizeof data, data, PSA_STORAGE_FLAG_NONE));
    const pid_t child = fork();
    if (child == 0) {
        const bool is_refused =
            psa_its_set(1, 2, data, PSA_STORAGE_FLAG_NONE) == PSA_ERROR_STORAGE_FAILURE &&
            psa_its_get(1, 0, sizeof data, data, &length) == PSA_ERROR_STORAGE_FAILURE;
        _exit(is_refused ? 0 : 1);
    }
    CHECK(does_well(child));
    EXPECT(PSA_SUCCESS, psa_its_get(1, 0, sizeof data, data, &length));
    CHECK(length == sizeof data);
    unlink(path);
}

/*
 * A process that is forked before the first use of the flash. It sets entry 1 and reads it. In
 * between it sends a byte through `goes_on` and waits for one, if that is not null.
 */
static pid_t set_in_a_process(uint8_t data, const int goes_on[2], psa_status_t expected)
{
    uint8_t found = 0;
    size_t length;
    uint8_t signal;

    const pid_t child = fork();
    if (child == 0) {
        bool is_well = psa_its_set(1, 1, &data, PSA_STORAGE_FLAG_NONE) == expected;
        if (goes_on != NULL) {
            close(goes_on[0]);
            is_well = is_well && write(goes_on[1], &data, 1) == 1;
            is_well = is_well && read(goes_on[1], &signal, 1) == 1;
        }
        is_well = is_well && psa_its_get(1, 0, 1, &found, &length) == expected;
        _exit(is_well && (expected != PSA_SUCCESS || found == data) ? 0 : 1);
    }
    return child;
}

static void flash__of_another_process__is_not_touched(void)
{
    char path[] = "/tmp/corral-XXXXXX";
    int ends[2];
    uint8_t signal = 0;

    REQUIRE(mkdtemp(path) != NULL);
    REQUIRE(rmdir(path) == 0);
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    setenv("CORRAL_FLASH", path, 1);
    const pid_t first = set_in_a_process(1, ends, PSA_SUCCESS);
    close(ends[1]);
    REQUIRE(read(ends[0], &signal, 1) == 1);
    CHECK(does_well(set_in_a_process(2, NULL, PSA_ERROR_STORAGE_FAILURE)));
    REQUIRE(write(ends[0], &signal, 1) == 1);
    CHECK(does_well(first));
    CHECK(does_well(set_in_a_process(3, NULL, PSA_SUCCESS)));
    close(ends[0]);
    unlink(path);
}

static const struct test_case tests[] = {
    TEST(bus__in_a_copy__has_a_connection_of_its_own),
    TEST(flash__of_another_process__is_not_touched),
    TEST(flash__in_a_copy__does_not_touch_the_file),
};

TEST_SUITE(shared, tests);
