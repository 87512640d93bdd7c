/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections over TLS or DTLS as client or server.
 *
 *   tls client|server tls12|tls13|dtls12 KEY OWN PEER [again]
 *
 * KEY
 *   software, element, builtin  a key on P-256, made or found there; its self-signed certificate is
 *                               written to OWN
 *   rsa                         the certificates of OWN, and the key of OWN.der
 *   psk, password               a secret that both ends have, without certificates
 * PEER has the certificates that sign the peer's. A server prints "ready" and its port. A client
 * prints "ready", and reads a port. One end sends "ping", and the other answers with a line.
 * "again" connects twice, the second time with a ticket of the first. Exit status 0: all went well.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <psa/crypto.h>

#include <mbedtls/net_sockets.h>
#include <mbedtls/ssl.h>
#include <mbedtls/ssl_cookie.h>
#include <mbedtls/ssl_ticket.h>
#include <mbedtls/timing.h>
#include <mbedtls/x509_crt.h>

#include "keys.h"

#define IDENTITY "corral"

static const unsigned char psk[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const int only_jpake[] = {MBEDTLS_TLS_ECJPAKE_WITH_AES_128_CCM_8, 0};
static const char *where = "the start";

static struct {
    mbedtls_ssl_context ssl;
    mbedtls_ssl_config config;
    mbedtls_ssl_session session;
    mbedtls_ssl_ticket_context tickets;
    mbedtls_ssl_cookie_ctx cookies;
    mbedtls_net_context listener;
    mbedtls_net_context net;
    mbedtls_timing_delay_context timer;
    mbedtls_x509_crt own;
    mbedtls_x509_crt trusted;
    mbedtls_pk_context key;
    bool is_server;
    bool is_datagram;
    bool has_psk;
    bool has_password;
    bool has_session;
    char port[8];
} c;

static int done(int result, const char *what)
{
    if (result < 0) {
        where = what;
    }
    return result;
}

static int configure_keys(void)
{
    if (c.has_password) {
        mbedtls_ssl_conf_ciphersuites(&c.config, only_jpake);
        return 0;
    }
    if (c.has_psk) {
        mbedtls_ssl_conf_tls13_key_exchange_modes(&c.config,
                                                  MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_PSK_ALL);
        return mbedtls_ssl_conf_psk(&c.config, psk, sizeof psk, (const unsigned char *)IDENTITY,
                                    strlen(IDENTITY));
    }
    mbedtls_ssl_conf_ca_chain(&c.config, &c.trusted, NULL);
    return mbedtls_ssl_conf_own_cert(&c.config, &c.own, &c.key);
}

static int configure_server(void)
{
    int result =
        mbedtls_ssl_ticket_setup(&c.tickets, tls_draw, NULL, MBEDTLS_CIPHER_AES_256_GCM, 86400);

    mbedtls_ssl_conf_session_tickets_cb(&c.config, mbedtls_ssl_ticket_write,
                                        mbedtls_ssl_ticket_parse, &c.tickets);
    if (result == 0 && c.is_datagram) {
        result = mbedtls_ssl_cookie_setup(&c.cookies, tls_draw, NULL);
        mbedtls_ssl_conf_dtls_cookies(&c.config, mbedtls_ssl_cookie_write, mbedtls_ssl_cookie_check,
                                      &c.cookies);
    }
    return result;
}

static int configure(const char *protocol)
{
    int result = tls_configure(&c.config, c.is_server, c.is_datagram,
                               strcmp(protocol, "tls13") == 0 ? MBEDTLS_SSL_VERSION_TLS1_3
                                                              : MBEDTLS_SSL_VERSION_TLS1_2);

    mbedtls_ssl_conf_read_timeout(&c.config, 50000);
    mbedtls_ssl_conf_tls13_enable_signal_new_session_tickets(
        &c.config, MBEDTLS_SSL_TLS1_3_SIGNAL_NEW_SESSION_TICKETS_ENABLED);
    if (result == 0) {
        result = configure_keys();
    }
    if (result == 0 && c.is_server) {
        result = configure_server();
    }
    return done(result == 0 ? mbedtls_ssl_setup(&c.ssl, &c.config) : result, "configuring");
}

static int connect_or_accept(void)
{
    const int protocol = c.is_datagram ? MBEDTLS_NET_PROTO_UDP : MBEDTLS_NET_PROTO_TCP;
    unsigned char address[16];
    size_t length = 0;
    int result;

    mbedtls_net_free(&c.net);
    if (!c.is_server) {
        result = mbedtls_net_connect(&c.net, "127.0.0.1", c.port, protocol);
    } else {
        result = mbedtls_net_accept(&c.listener, &c.net, address, sizeof address, &length);
        if (result == 0 && c.is_datagram) {
            result = mbedtls_ssl_set_client_transport_id(&c.ssl, address, length);
        }
    }
    mbedtls_ssl_set_bio(&c.ssl, &c.net, mbedtls_net_send, mbedtls_net_recv,
                        mbedtls_net_recv_timeout);
    mbedtls_ssl_set_timer_cb(&c.ssl, &c.timer, mbedtls_timing_set_delay, mbedtls_timing_get_delay);
    return done(result, "connecting");
}

/* Sets up one connection. */
static int begin(void)
{
    int result = mbedtls_ssl_session_reset(&c.ssl);

    if (result == 0 && !c.is_server) {
        result = mbedtls_ssl_set_hostname(&c.ssl, "localhost");
    }
    if (result == 0 && c.has_password) {
        result = mbedtls_ssl_set_hs_ecjpake_password(&c.ssl, psk, sizeof psk);
    }
    if (result == 0 && c.has_session) {
        result = mbedtls_ssl_set_session(&c.ssl, &c.session);
    }
    return done(result, "preparing");
}

static int shake_hands(void)
{
    int result;

    do {
        result = begin();
        if (result == 0) {
            result = connect_or_accept();
        }
        while (result == 0 && !mbedtls_ssl_is_handshake_over(&c.ssl)) {
            result = mbedtls_ssl_handshake_step(&c.ssl);
        }
    } while (result == MBEDTLS_ERR_SSL_HELLO_VERIFY_REQUIRED);
    return done(result, "the handshake");
}

/* Keeps the session for a later connection; TLS 1.3 has it with each ticket. */
static int keep_session(void)
{
    mbedtls_ssl_session_free(&c.session);
    c.has_session = true;
    return done(mbedtls_ssl_get_session(&c.ssl, &c.session), "keeping the session");
}

static int receive(void)
{
    unsigned char line[100];
    int result;

    do {
        result = mbedtls_ssl_read(&c.ssl, line, sizeof line - 1);
    } while ((result == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET && keep_session() == 0) ||
             result == MBEDTLS_ERR_SSL_WANT_READ);
    if (result > 0) {
        printf("got %.*s", result, (const char *)line);
        result = 0;
    }
    return done(result, "receiving");
}

static int send_ping(void)
{
    return done(mbedtls_ssl_write(&c.ssl, (const unsigned char *)"ping\n", 5), "sending");
}

static int converse(void)
{
    int result;

    printf("%s %s\n", mbedtls_ssl_get_version(&c.ssl), mbedtls_ssl_get_ciphersuite(&c.ssl));
    result = c.is_server ? receive() : send_ping();
    if (result >= 0) {
        result = c.is_server ? send_ping() : receive();
    }
    if (result >= 0 && !c.is_server &&
        mbedtls_ssl_get_version_number(&c.ssl) == MBEDTLS_SSL_VERSION_TLS1_2) {
        result = keep_session();
    }
    (void)mbedtls_ssl_close_notify(&c.ssl);
    return result < 0 ? result : 0;
}

static int prepare_keys(const char *key, bool is_tls13, const char *own, const char *peer)
{
    int result;

    if (strcmp(key, "rsa") == 0) {
        result = tls_key_read(own, is_tls13, &c.key, &c.own);
    } else {
        result = tls_key_make(key, &c.key);
        if (result == 0) {
            result = tls_certificate_make(&c.key, own, &c.own);
        }
    }
    if (result == 0) {
        result = mbedtls_x509_crt_parse_file(&c.trusted, peer);
    }
    return done(result, "keys and certificates");
}

/* A server listens at any free port; a client reads the port of its server. */
static int find_port(void)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;

    if (!c.is_server) {
        puts("ready");
        fflush(stdout);
        if (fgets(c.port, sizeof c.port, stdin) == NULL) {
            return done(-1, "reading the port");
        }
        c.port[strcspn(c.port, "\n")] = '\0';
        return 0;
    }
    if (mbedtls_net_bind(&c.listener, "127.0.0.1", "0",
                         c.is_datagram ? MBEDTLS_NET_PROTO_UDP : MBEDTLS_NET_PROTO_TCP) != 0 ||
        getsockname(c.listener.fd, (struct sockaddr *)&address, &length) != 0) {
        return done(-1, "listening");
    }
    printf("ready %u\n", ntohs(address.sin_port));
    fflush(stdout);
    return 0;
}

static void free_all(void)
{
    mbedtls_ssl_free(&c.ssl);
    mbedtls_ssl_config_free(&c.config);
    mbedtls_ssl_session_free(&c.session);
    mbedtls_ssl_ticket_free(&c.tickets);
    mbedtls_ssl_cookie_free(&c.cookies);
    mbedtls_x509_crt_free(&c.own);
    mbedtls_x509_crt_free(&c.trusted);
    mbedtls_pk_free(&c.key);
    mbedtls_net_free(&c.net);
    mbedtls_net_free(&c.listener);
}

static void init_all(void)
{
    mbedtls_ssl_init(&c.ssl);
    mbedtls_ssl_config_init(&c.config);
    mbedtls_ssl_session_init(&c.session);
    mbedtls_ssl_ticket_init(&c.tickets);
    mbedtls_ssl_cookie_init(&c.cookies);
    mbedtls_net_init(&c.listener);
    mbedtls_net_init(&c.net);
    mbedtls_x509_crt_init(&c.own);
    mbedtls_x509_crt_init(&c.trusted);
    mbedtls_pk_init(&c.key);
}

int main(int argc, char **argv)
{
    int result = 0;

    if (argc < 6 || psa_crypto_init() != PSA_SUCCESS) {
        return 2;
    }
    c.is_server = strcmp(argv[1], "server") == 0;
    c.is_datagram = strcmp(argv[2], "dtls12") == 0;
    c.has_psk = strcmp(argv[3], "psk") == 0;
    c.has_password = strcmp(argv[3], "password") == 0;
    init_all();
    if (!c.has_psk && !c.has_password) {
        result = prepare_keys(argv[3], strcmp(argv[2], "tls13") == 0, argv[4], argv[5]);
    }
    if (result == 0) {
        result = configure(argv[2]);
    }
    if (result == 0) {
        result = find_port();
    }
    for (int i = 0; result == 0 && i < argc - 5; i++) {
        result = shake_hands();
        if (result == 0) {
            result = converse();
        }
    }
    if (result != 0) {
        printf("%s: -0x%04x\n", where, (unsigned)-result);
    }
    free_all();
    return result == 0 ? 0 : 1;
}
