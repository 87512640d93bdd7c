/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UDP. FLEET_BROKER and FLEET_DIRECTORY say where the servers are: an address or a name, in square
 * brackets if it has colons, and after a colon a port other than 5683. Names are looked up once, at
 * the start. Without a directory of its own it shares the broker's address. A directory
 * that is FLEET_MULTICAST is to be found in FLEET_GROUP, which is a place, too: if it is
 * not said, all directories in networks of IPv4. A group of a link of IPv6 has an
 * interface, as [ff02::fe%eth0]; one of IPv4 is asked by the interface that has the address
 * FLEET_SOURCE, or else by the way out. FLEET_CLOCK names a file that is touched whenever
 * the computer's clock is set right, such as /run/systemd/timesync/synchronized. Without
 * it, or without the file, the clock counts as not synchronised.
 */
#define _POSIX_C_SOURCE 200809L

#include <arpa/inet.h>
#include <ctype.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../transport.h"

/* A clock that goes on while the machine sleeps, if there is one: waiting readings get older. */
#ifdef CLOCK_BOOTTIME
#define CLOCK CLOCK_BOOTTIME
#else
#define CLOCK CLOCK_MONOTONIC
#endif

#define COAP_PORT "5683"
#define PEERS 3
#define DIRECTORIES "224.0.1.190" /* RFC 9176, 9.5 */
#define NAME_SIZE 32
#define PLACE_SIZE 256

/* One connected socket a server: messages of others do not arrive. The group's takes it of all. */
static int sockets[PEERS] = {-1, -1, -1};

/* The group, and the sender of the latest message that was received from it. */
static struct address {
    struct sockaddr_storage at;
    socklen_t length;
} group, member;

static time_t started;

const char *fleet_transport_option(const char *name)
{
    char variable[NAME_SIZE] = "FLEET_";
    size_t at = strlen(variable);

    for (; *name != '\0' && at < sizeof variable - 1; at++) {
        variable[at] = (char)toupper((unsigned char)*name++);
    }
    variable[at] = '\0';
    return getenv(variable);
}

/* Take a place apart: HOST, HOST:PORT or [ADDRESS]:PORT. The port may be absent. */
static void split(char *place, char **host, const char **port)
{
    char *end = *place == '[' ? strchr(place, ']') : NULL;
    char *colon = end != NULL ? end + 1 : strchr(place, ':');

    *host = place;
    *port = COAP_PORT;
    if (end != NULL) {
        *host = place + 1;
        *end = '\0';
    }
    if (colon != NULL && *colon == ':') {
        *colon = '\0';
        *port = colon + 1;
    }
}

/* Look up a place. NULL: it is unknown; the result is freed by freeaddrinfo(). */
static struct addrinfo *look_up(const char *where)
{
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM};
    struct addrinfo *found;
    char place[PLACE_SIZE];
    const char *port;
    char *host;

    if (strlen(where) >= sizeof place) {
        return NULL;
    }
    memcpy(place, where, strlen(where) + 1);
    split(place, &host, &port);
    return getaddrinfo(host, port, &wanted, &found) == 0 ? found : NULL;
}

static int connect_to(const struct sockaddr *address, socklen_t length)
{
    int made = socket(address->sa_family, SOCK_DGRAM, 0);

    if (made >= 0 && connect(made, address, length) != 0) {
        close(made);
        made = -1;
    }
    return made;
}

/* To the first of its addresses that there is a way to. */
static int open_socket(const char *where)
{
    struct addrinfo *found = look_up(where);
    int made = -1;

    for (const struct addrinfo *one = found; one != NULL && made < 0; one = one->ai_next) {
        made = connect_to(one->ai_addr, one->ai_addrlen);
    }
    if (found != NULL) {
        freeaddrinfo(found);
    }
    return made;
}

static int open_group(void)
{
    const char *where = fleet_transport_option("group");
    const char *source = fleet_transport_option("source");
    struct addrinfo *found = look_up(where != NULL ? where : DIRECTORIES);
    struct in_addr own;

    if (found == NULL) {
        return -1;
    }
    memcpy(&group.at, found->ai_addr, found->ai_addrlen);
    group.length = found->ai_addrlen;
    freeaddrinfo(found);
    int made = socket(group.at.ss_family, SOCK_DGRAM, 0);
    if (made >= 0 && source != NULL &&
        (inet_pton(AF_INET, source, &own) != 1 ||
         setsockopt(made, IPPROTO_IP, IP_MULTICAST_IF, &own, sizeof own) != 0)) {
        close(made);
        made = -1;
    }
    return made;
}

bool fleet_port_take_directory(void)
{
    const int made = connect_to((const struct sockaddr *)&member.at, member.length);

    if (made < 0) {
        return false;
    }
    if (sockets[FLEET_DIRECTORY] >= 0) {
        close(sockets[FLEET_DIRECTORY]);
    }
    sockets[FLEET_DIRECTORY] = made;
    return true;
}

/* Seconds of the clock that goes on. */
static time_t running(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK, &now);
    return now.tv_sec;
}

bool fleet_transport_start(void)
{
    const char *broker = fleet_transport_option("broker");
    const char *directory = fleet_transport_option("directory");

    started = running();
    if (broker == NULL) {
        return false;
    }
    sockets[FLEET_BROKER] = open_socket(broker);
    if (FLEET_FINDS && directory != NULL && strcmp(directory, FLEET_MULTICAST) == 0) {
        sockets[FLEET_GROUP] = open_group();
        return sockets[FLEET_BROKER] >= 0 && sockets[FLEET_GROUP] >= 0;
    }
    sockets[FLEET_DIRECTORY] = open_socket(directory != NULL ? directory : broker);
    return sockets[FLEET_BROKER] >= 0 && sockets[FLEET_DIRECTORY] >= 0;
}

uint32_t fleet_port_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK, &now);
    return (uint32_t)now.tv_sec * 1000u + (uint32_t)(now.tv_nsec / 1000000);
}

uint32_t fleet_port_uptime(void)
{
    return (uint32_t)(running() - started);
}

uint32_t fleet_port_time(uint32_t *since)
{
    const char *touched = fleet_transport_option("clock");
    struct timespec now;
    struct stat file;

    if (touched == NULL || stat(touched, &file) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0 ||
        file.st_mtime > now.tv_sec) {
        return 0;
    }
    *since = (uint32_t)(now.tv_sec - file.st_mtime);
    return (uint32_t)now.tv_sec;
}

bool fleet_port_send(enum fleet_peer peer, const uint8_t *message, size_t length)
{
    if (FLEET_FINDS && peer == FLEET_GROUP) {
        return sendto(sockets[peer], message, length, 0, (const struct sockaddr *)&group.at,
                      group.length) == (ssize_t)length;
    }
    ssize_t sent = send(sockets[peer], message, length, 0);

    if (sent < 0) {
        /* The kernel reports now that the message before had no receiver, which is no failure of
         * this one. */
        sent = send(sockets[peer], message, length, 0);
    }
    return sent == (ssize_t)length;
}

/* As recv() does; for the group's socket also the sender. */
static ssize_t receive(enum fleet_peer peer, uint8_t *message, size_t size)
{
    if (!FLEET_FINDS || peer != FLEET_GROUP) {
        return recv(sockets[peer], message, size, MSG_TRUNC);
    }
    member.length = sizeof member.at;
    return recvfrom(sockets[peer], message, size, MSG_TRUNC, (struct sockaddr *)&member.at,
                    &member.length);
}

size_t fleet_port_receive(enum fleet_peer peer, uint8_t *message, size_t size, uint32_t until)
{
    struct pollfd wanted = {sockets[peer], POLLIN, 0};

    for (;;) {
        const int32_t rest = (int32_t)(until - fleet_port_now());
        if (poll(&wanted, 1, rest > 0 ? (int)rest : 0) <= 0) {
            return 0;
        }
        const ssize_t length = receive(peer, message, size);
        if (length > 0 && (size_t)length <= size) {
            return (size_t)length;
        }
        if (rest <= 0) {
            return 0;
        }
    }
}
