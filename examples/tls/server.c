/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server of TLS 1.3 whose key is in a secure element: prints a line, and answers.
 *
 *   server PORT OWN TRUSTED    OWN: where its certificate is written, for the client to know it
 */
#include <stdio.h>

#include <psa/crypto.h>

#include <mbedtls/net_sockets.h>

#include "own.h"

static int converse(mbedtls_ssl_context *ssl)
{
    unsigned char line[100];
    int result = mbedtls_ssl_read(ssl, line, sizeof line);

    if (result > 0) {
        printf("%s: %.*s", mbedtls_ssl_get_ciphersuite(ssl), result, (const char *)line);
        result = mbedtls_ssl_write(ssl, (const unsigned char *)"pong\n", 5);
    }
    (void)mbedtls_ssl_close_notify(ssl);
    return result < 0 ? result : 0;
}

static int listen_at(mbedtls_net_context *listener, mbedtls_net_context *net, const char *port)
{
    const int result = mbedtls_net_bind(listener, "localhost", port, MBEDTLS_NET_PROTO_TCP);

    if (result != 0) {
        return result;
    }
    puts("listening");
    fflush(stdout);
    return mbedtls_net_accept(listener, net, NULL, 0, NULL);
}

int main(int argc, char **argv)
{
    mbedtls_ssl_context ssl;
    mbedtls_ssl_config config;
    mbedtls_net_context listener;
    mbedtls_net_context net;

    if (argc != 4 || psa_crypto_init() != PSA_SUCCESS) {
        return 2;
    }
    mbedtls_ssl_init(&ssl);
    mbedtls_ssl_config_init(&config);
    mbedtls_net_init(&listener);
    mbedtls_net_init(&net);
    int result = own_configure(&config, MBEDTLS_SSL_IS_SERVER, argv[2], argv[3]);
    if (result == 0) {
        result = mbedtls_ssl_setup(&ssl, &config);
    }
    if (result == 0) {
        result = listen_at(&listener, &net, argv[1]);
    }
    mbedtls_ssl_set_bio(&ssl, &net, mbedtls_net_send, mbedtls_net_recv, NULL);
    if (result == 0) {
        result = mbedtls_ssl_handshake(&ssl);
    }
    if (result == 0) {
        result = converse(&ssl);
    }
    if (result != 0) {
        printf("Mbed TLS says -0x%04x\n", (unsigned)-result);
    }
    mbedtls_net_free(&net);
    mbedtls_net_free(&listener);
    mbedtls_ssl_free(&ssl);
    mbedtls_ssl_config_free(&config);
    return result == 0 ? 0 : 1;
}
