/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Eight threads of handshakes over one library: four clients, each with a server of its own. Keys
 * are in software, made in an element, and one that the element came with, so that elements, slots
 * and the generator are asked by several at once. Prints how many handshakes there were.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <psa/crypto.h>

#include <mbedtls/net_sockets.h>

#include "keys.h"

#define PAIRS 4u
#define ROUNDS 4u

/* A key and its certificate, which all rounds of one thread use. */
struct identity {
    mbedtls_pk_context key;
    mbedtls_x509_crt certificate;
};

struct end {
    struct identity own;
    const mbedtls_x509_crt *trusted;
    mbedtls_net_context net[ROUNDS];
    pthread_t thread;
    bool is_server;
    int result;
};

static struct end ends[PAIRS][2];
static const char *const places[PAIRS][2] = {{"software", "element"},
                                             {"builtin", "software"},
                                             {"element", "builtin"},
                                             {"software", "software"}};

static int shake_hands(struct end *end, unsigned round)
{
    unsigned char byte = 1;
    mbedtls_ssl_context ssl;
    mbedtls_ssl_config config;

    mbedtls_ssl_init(&ssl);
    mbedtls_ssl_config_init(&config);
    int result =
        tls_configure(&config, end->is_server, false,
                      round % 2 == 0 ? MBEDTLS_SSL_VERSION_TLS1_3 : MBEDTLS_SSL_VERSION_TLS1_2);
    mbedtls_ssl_conf_ca_chain(&config, (mbedtls_x509_crt *)end->trusted, NULL);
    if (result == 0) {
        result = mbedtls_ssl_conf_own_cert(&config, &end->own.certificate, &end->own.key);
    }
    if (result == 0) {
        result = mbedtls_ssl_setup(&ssl, &config);
    }
    if (result == 0) {
        result = mbedtls_ssl_set_hostname(&ssl, "localhost");
    }
    mbedtls_ssl_set_bio(&ssl, &end->net[round], mbedtls_net_send, mbedtls_net_recv, NULL);
    if (result == 0) {
        result = mbedtls_ssl_handshake(&ssl);
    }
    /* A byte each way: each end waits until the other has all. */
    if (result == 0 && mbedtls_ssl_write(&ssl, &byte, 1) != 1) {
        result = -1;
    }
    if (result == 0 && mbedtls_ssl_read(&ssl, &byte, 1) != 1) {
        result = -1;
    }
    mbedtls_ssl_free(&ssl);
    mbedtls_ssl_config_free(&config);
    mbedtls_net_free(&end->net[round]);
    return result;
}

static void *run(void *context)
{
    struct end *const end = context;

    for (unsigned round = 0; round < ROUNDS && end->result == 0; round++) {
        end->result = shake_hands(end, round);
    }
    return NULL;
}

static int make_pair(struct end pair[2], const char *const place[2])
{
    int result = 0;

    for (unsigned i = 0; i < 2 && result == 0; i++) {
        pair[i].is_server = i == 1;
        pair[i].trusted = &pair[1 - i].own.certificate;
        mbedtls_pk_init(&pair[i].own.key);
        mbedtls_x509_crt_init(&pair[i].own.certificate);
        result = tls_key_make(place[i], &pair[i].own.key);
        if (result == 0) {
            result = tls_certificate_make(&pair[i].own.key, NULL, &pair[i].own.certificate);
        }
    }
    for (unsigned round = 0; round < ROUNDS && result == 0; round++) {
        int sockets[2];

        result = socketpair(AF_UNIX, SOCK_STREAM, 0, sockets);
        pair[0].net[round].fd = sockets[0];
        pair[1].net[round].fd = sockets[1];
    }
    return result;
}

int main(void)
{
    int result = psa_crypto_init() == PSA_SUCCESS ? 0 : -1;

    for (unsigned i = 0; i < PAIRS && result == 0; i++) {
        result = make_pair(ends[i], places[i]);
    }
    /* Mbed TLS makes its list at the first call, without a lock. */
    (void)mbedtls_ssl_list_ciphersuites();
    if (result != 0) {
        printf("keys: -0x%04x\n", (unsigned)-result);
        return 1;
    }
    for (unsigned i = 0; i < 2 * PAIRS; i++) {
        struct end *const end = &ends[i / 2][i % 2];
        if (pthread_create(&end->thread, NULL, run, end) != 0) {
            return 1;
        }
    }
    for (unsigned i = 0; i < 2 * PAIRS; i++) {
        struct end *const end = &ends[i / 2][i % 2];
        if (pthread_join(end->thread, NULL) != 0 || end->result != 0) {
            printf("pair %u, %s: -0x%04x\n", i / 2, end->is_server ? "server" : "client",
                   (unsigned)-end->result);
            result = 1;
        }
    }
    printf("%u handshakes\n", PAIRS * ROUNDS);
    return result;
}
