/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection over TLS or DTLS as client or server, with certificates at both ends or a PSK.
 *
 *   tls client|server tls12|tls13|dtls12 PORT software|element|builtin|psk OWN PEER
 *
 * The key is made, or found, where the fourth word says; its certificate is signed by itself and
 * written to OWN. "ready" is printed, and a client waits for a line: time for a peer that knows
 * OWN. The peer's certificate must be one that PEER vouches for. "ping" is sent and a line
 * received, or the other way round. Exit status 0: all went well.
 */
#include <stdio.h>
#include <string.h>

#include <corral/locations.h>
#include <psa/crypto.h>

#include <mbedtls/error.h>
#include <mbedtls/net_sockets.h>
#include <mbedtls/ssl.h>
#include <mbedtls/ssl_cookie.h>
#include <mbedtls/timing.h>
#include <mbedtls/x509_crt.h>

#include "keys.h"

#define PSK_IDENTITY "corral"

static const unsigned char psk[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static const char *where = "the start";

struct connection {
    mbedtls_ssl_context ssl;
    mbedtls_ssl_config config;
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
    const char *port;
};

static struct connection c;

static int done(int result, const char *what)
{
    if (result < 0) {
        where = what;
    }
    return result;
}

static int draw(void *context, unsigned char *output, size_t size)
{
    (void)context;
    return psa_generate_random(output, size) == PSA_SUCCESS ? 0 : MBEDTLS_ERR_SSL_INTERNAL_ERROR;
}

static int configure(const char *protocol)
{
    const mbedtls_ssl_protocol_version version =
        strcmp(protocol, "tls13") == 0 ? MBEDTLS_SSL_VERSION_TLS1_3 : MBEDTLS_SSL_VERSION_TLS1_2;
    int result = mbedtls_ssl_config_defaults(
        &c.config, c.is_server ? MBEDTLS_SSL_IS_SERVER : MBEDTLS_SSL_IS_CLIENT,
        c.is_datagram ? MBEDTLS_SSL_TRANSPORT_DATAGRAM : MBEDTLS_SSL_TRANSPORT_STREAM,
        MBEDTLS_SSL_PRESET_DEFAULT);

    mbedtls_ssl_conf_rng(&c.config, draw, NULL);
    mbedtls_ssl_conf_min_tls_version(&c.config, version);
    mbedtls_ssl_conf_max_tls_version(&c.config, version);
    mbedtls_ssl_conf_authmode(&c.config, MBEDTLS_SSL_VERIFY_REQUIRED);
    mbedtls_ssl_conf_read_timeout(&c.config, 20000);
    if (result == 0 && c.has_psk) {
        mbedtls_ssl_conf_tls13_key_exchange_modes(&c.config,
                                                  MBEDTLS_SSL_TLS1_3_KEY_EXCHANGE_MODE_PSK_ALL);
        result = mbedtls_ssl_conf_psk(&c.config, psk, sizeof psk,
                                      (const unsigned char *)PSK_IDENTITY, strlen(PSK_IDENTITY));
    }
    if (result == 0 && !c.has_psk) {
        mbedtls_ssl_conf_ca_chain(&c.config, &c.trusted, NULL);
        result = mbedtls_ssl_conf_own_cert(&c.config, &c.own, &c.key);
    }
    if (result == 0 && c.is_datagram && c.is_server) {
        result = mbedtls_ssl_cookie_setup(&c.cookies, draw, NULL);
        mbedtls_ssl_conf_dtls_cookies(&c.config, mbedtls_ssl_cookie_write, mbedtls_ssl_cookie_check,
                                      &c.cookies);
    }
    return done(result == 0 ? mbedtls_ssl_setup(&c.ssl, &c.config) : result, "configuring");
}

static int connect_or_accept(void)
{
    const int protocol = c.is_datagram ? MBEDTLS_NET_PROTO_UDP : MBEDTLS_NET_PROTO_TCP;
    unsigned char address[16];
    size_t length = 0;
    int result;

    if (!c.is_server) {
        result = mbedtls_net_connect(&c.net, "127.0.0.1", c.port, protocol);
    } else {
        mbedtls_net_free(&c.net);
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

static int shake_hands(void)
{
    int result = c.is_server ? 0 : mbedtls_ssl_set_hostname(&c.ssl, "localhost");

    while (result == 0) {
        result = connect_or_accept();
        while (result == 0 && !mbedtls_ssl_is_handshake_over(&c.ssl)) {
            result = mbedtls_ssl_handshake_step(&c.ssl);
        }
        if (result != MBEDTLS_ERR_SSL_HELLO_VERIFY_REQUIRED) {
            break;
        }
        result = mbedtls_ssl_session_reset(&c.ssl);
    }
    return done(result, "the handshake");
}

/* A line, over session tickets that come before it. */
static int receive(void)
{
    unsigned char line[100];
    int result;

    do {
        result = mbedtls_ssl_read(&c.ssl, line, sizeof line - 1);
    } while (result == MBEDTLS_ERR_SSL_RECEIVED_NEW_SESSION_TICKET);
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
    (void)mbedtls_ssl_close_notify(&c.ssl);
    return result < 0 ? result : 0;
}

static int prepare(const char *place, const char *own, const char *peer)
{
    int result = 0;

    if (!c.has_psk) {
        result = done(tls_key_make(place, &c.key), "making the key");
        if (result == 0) {
            result = done(tls_certificate_make(&c.key, own, &c.own), "making the certificate");
        }
        if (result == 0) {
            result = done(mbedtls_x509_crt_parse_file(&c.trusted, peer), "the peer's certificate");
        }
    }
    if (result == 0 && c.is_server) {
        result =
            done(mbedtls_net_bind(&c.listener, "127.0.0.1", c.port,
                                  c.is_datagram ? MBEDTLS_NET_PROTO_UDP : MBEDTLS_NET_PROTO_TCP),
                 "listening");
    }
    return result;
}

int main(int argc, char **argv)
{
    char line[10];
    int result;

    if (argc != 7 || psa_crypto_init() != PSA_SUCCESS) {
        return 2;
    }
    c.is_server = strcmp(argv[1], "server") == 0;
    c.is_datagram = strcmp(argv[2], "dtls12") == 0;
    c.port = argv[3];
    c.has_psk = strcmp(argv[4], "psk") == 0;
    mbedtls_ssl_init(&c.ssl);
    mbedtls_ssl_config_init(&c.config);
    mbedtls_ssl_cookie_init(&c.cookies);
    mbedtls_net_init(&c.listener);
    mbedtls_net_init(&c.net);
    mbedtls_x509_crt_init(&c.own);
    mbedtls_x509_crt_init(&c.trusted);
    mbedtls_pk_init(&c.key);
    result = prepare(argv[4], argv[5], argv[6]);
    if (result == 0) {
        result = configure(argv[2]);
    }
    if (result == 0) {
        puts("ready");
        fflush(stdout);
        if (!c.is_server && fgets(line, sizeof line, stdin) == NULL) {
            return 2;
        }
        result = shake_hands();
    }
    if (result == 0) {
        result = converse();
    }
    if (result != 0) {
        printf("%s: -0x%04x\n", where, (unsigned)-result);
    }
    mbedtls_ssl_free(&c.ssl);
    mbedtls_ssl_config_free(&c.config);
    mbedtls_ssl_cookie_free(&c.cookies);
    mbedtls_x509_crt_free(&c.own);
    mbedtls_x509_crt_free(&c.trusted);
    mbedtls_pk_free(&c.key);
    mbedtls_net_free(&c.net);
    mbedtls_net_free(&c.listener);
    return result == 0 ? 0 : 1;
}
