/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UDP over lwIP and a LAN9118, on boards that have it at LAN9118. Options are words of the
 * semihosting command line. `broker` and `directory` are the servers' addresses in IPv4. A colon
 * and a port may follow; the default is 5683. The default of `directory` is the broker's address.
 * `address` and `router` are the device's own. By default they are those of QEMU's network, in
 * which 10.0.2.2 is also the host computer. ADDRESS_MASK is the size of the device's network.
 *
 * Frames are looked at while a message is waited for; meanwhile the chip keeps them.
 */
#include <stdlib.h>
#include <string.h>

#include <lwip/etharp.h>
#include <lwip/init.h>
#include <lwip/netif.h>
#include <lwip/udp.h>
#include <netif/ethernet.h>
#include <ports/mps2/clock.h>
#include <ports/semihosting/options.h>
#include <psa/crypto.h>

#include "../../device.h"
#include "../../transport.h"
#include "lan9118.h"

#define COAP_PORT 5683u
#define PORT_MAX 65535u
#define OWN_PORTS 0xc000u /* and those above, free for all programs (RFC 6335, 6) */
#define OWN_PORT_BITS 0x3ffeu
#define PEERS 2
#define PLACE_SIZE 16u /* of an address as text */
#define FRAME_MAX 1500u

#define ADDRESS "10.0.2.15"
#define ROUTER "10.0.2.2"
#define ADDRESS_MASK "255.255.255.0"

_Static_assert(ETH_PAD_SIZE == LAN9118_PAD, "a frame goes as it lies in memory");
_Static_assert(PBUF_TRANSPORT + FLEET_MESSAGE_SIZE <= PBUF_POOL_BUFSIZE &&
                   PBUF_TRANSPORT + FLEET_ANSWER_SIZE <= PBUF_POOL_BUFSIZE,
               "a message is in one piece, whichever way it goes");

static struct netif network;
static struct udp_pcb *sockets[PEERS];
static struct pbuf *waiting[PEERS]; /* the latest message of each that was not collected */
static uint32_t aged;               /* when ARP was told of the time */

const char *fleet_transport_option(const char *name)
{
    return option_value(name);
}

uint32_t fleet_port_now(void)
{
    return clock_milliseconds();
}

static err_t send_frame(struct netif *to, struct pbuf *frame)
{
    (void)to;
    if (frame->next != NULL || frame->tot_len > FRAME_MAX) {
        return ERR_BUF; /* of pieces: lwIP makes none here */
    }
    return lan9118_send(frame->payload, frame->tot_len - LAN9118_PAD) ? ERR_OK : ERR_MEM;
}

static err_t begin_network(struct netif *made)
{
    if (!lan9118_start(made->hwaddr)) {
        return ERR_IF;
    }
    made->hwaddr_len = LAN9118_ADDRESS_SIZE;
    made->mtu = FRAME_MAX;
    made->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET;
    made->output = etharp_output;
    made->linkoutput = send_frame;
    return ERR_OK;
}

/* An address that an option gives, or another one. */
static bool read_address(const char *name, const char *otherwise, ip4_addr_t *address)
{
    const char *text = fleet_transport_option(name);

    return ip4addr_aton(text != NULL ? text : otherwise, address) != 0;
}

static bool start_network(void)
{
    ip4_addr_t address;
    ip4_addr_t router;
    ip4_addr_t mask;

    if (!read_address("address", ADDRESS, &address) || !read_address("router", ROUTER, &router) ||
        ip4addr_aton(ADDRESS_MASK, &mask) == 0 ||
        netif_add(&network, &address, &mask, &router, NULL, begin_network, ethernet_input) ==
            NULL) {
        return false;
    }
    netif_set_default(&network);
    netif_set_up(&network);
    netif_set_link_up(&network);
    return true;
}

/* lwIP calls it with a message for a socket, which comes only from the server. */
static void keep(void *slot, struct udp_pcb *socket, struct pbuf *message, const ip_addr_t *address,
                 u16_t port)
{
    struct pbuf **kept = slot;

    (void)socket;
    (void)address;
    (void)port;
    if (*kept != NULL) {
        (void)pbuf_free(*kept);
    }
    *kept = message;
}

/* Take a place apart: ADDRESS or ADDRESS:PORT. */
static bool read_place(const char *text, ip4_addr_t *address, uint16_t *port)
{
    char place[PLACE_SIZE];
    const size_t length = strcspn(text, ":");
    const unsigned long number =
        text[length] == ':' ? strtoul(text + length + 1, NULL, 10) : COAP_PORT;

    if (length >= sizeof place || number == 0 || number > PORT_MAX) {
        return false;
    }
    memcpy(place, text, length);
    place[length] = '\0';
    *port = (uint16_t)number;
    return ip4addr_aton(place, address) != 0;
}

static bool open_socket(enum fleet_peer peer, const char *where)
{
    ip4_addr_t address;
    uint16_t port;
    uint16_t own;

    if (where == NULL || !read_place(where, &address, &port) ||
        psa_generate_random((uint8_t *)&own, sizeof own) != PSA_SUCCESS) {
        return false;
    }
    /* Not lwIP's first one in each life: a forger of the server's answers has to know
     * it. The last bit keeps the two apart. */
    own = (uint16_t)(OWN_PORTS | (own & OWN_PORT_BITS) | (uint16_t)peer);
    sockets[peer] = udp_new();
    if (sockets[peer] == NULL || udp_bind(sockets[peer], IP4_ADDR_ANY, own) != ERR_OK ||
        udp_connect(sockets[peer], &address, port) != ERR_OK) {
        return false;
    }
    udp_recv(sockets[peer], keep, &waiting[peer]);
    return true;
}

bool fleet_transport_start(void)
{
    const char *directory = fleet_transport_option("directory");

    lwip_init();
    aged = fleet_port_now();
    return start_network() &&
           open_socket(FLEET_DIRECTORY,
                       directory != NULL ? directory : fleet_transport_option("broker")) &&
           open_socket(FLEET_BROKER, fleet_transport_option("broker"));
}

bool fleet_port_send(enum fleet_peer peer, const uint8_t *message, size_t length)
{
    if (length > FRAME_MAX) {
        return false;
    }
    /* Of the pool, whose buffers have room for the headers: nothing is copied again. */
    struct pbuf *packet = pbuf_alloc(PBUF_TRANSPORT, (u16_t)length, PBUF_POOL);
    if (packet == NULL) {
        return false;
    }
    const bool is_sent = pbuf_take(packet, message, (u16_t)length) == ERR_OK &&
                         udp_send(sockets[peer], packet) == ERR_OK;
    (void)pbuf_free(packet);
    return is_sent;
}

/* Give lwIP the next frame, if there is one. A frame that is longer than any message for us is
 * dropped. */
static void take_frame(void)
{
    const size_t length = lan9118_next();

    if (length == 0) {
        return;
    }
    struct pbuf *frame = NULL;
    if (length + LAN9118_PAD <= PBUF_POOL_BUFSIZE) {
        frame = pbuf_alloc(PBUF_RAW, (u16_t)(length + LAN9118_PAD), PBUF_POOL);
    }
    lan9118_take(frame != NULL ? frame->payload : NULL, length);
    if (frame != NULL && network.input(frame, &network) != ERR_OK) {
        (void)pbuf_free(frame);
    }
}

/* ARP forgets, and asks again, by the second. Seconds outside of waits do not count. */
static void let_time_pass(void)
{
    if (fleet_port_now() - aged >= ARP_TMR_INTERVAL) {
        aged = fleet_port_now();
        etharp_tmr();
    }
}

/* The message from a peer, copied to the buffer; 0: nothing, or it is too long. */
static size_t collect(enum fleet_peer peer, uint8_t *message, size_t size)
{
    struct pbuf *packet = waiting[peer];
    size_t length = 0;

    if (packet == NULL) {
        return 0;
    }
    waiting[peer] = NULL;
    if (packet->tot_len <= size) {
        length = pbuf_copy_partial(packet, message, packet->tot_len, 0);
    }
    (void)pbuf_free(packet);
    return length;
}

size_t fleet_port_receive(enum fleet_peer peer, uint8_t *message, size_t size, uint32_t until)
{
    size_t length = collect(peer, message, size);

    while (length == 0) {
        /* Tested first: messages that came before the time passed are there. */
        const bool is_over = (int32_t)(until - fleet_port_now()) <= 0;
        let_time_pass();
        take_frame();
        length = collect(peer, message, size);
        if (is_over) {
            break;
        }
    }
    return length;
}
