/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The other end of a handshake with a password: Mbed TLS with its own crypto. Speaks as OpenSSL's
 * programs do: a server prints ACCEPT and its port, both print what they receive.
 *
 *   stock server
 *   stock client PORT
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/net_sockets.h>
#include <mbedtls/ssl.h>

static const unsigned char password[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

static int connect_or_accept(const char *port, mbedtls_net_context *net)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    mbedtls_net_context listener;

    if (port != NULL) {
        return mbedtls_net_connect(net, "127.0.0.1", port, MBEDTLS_NET_PROTO_TCP);
    }
    mbedtls_net_init(&listener);
    int result = mbedtls_net_bind(&listener, "127.0.0.1", "0", MBEDTLS_NET_PROTO_TCP);
    if (result == 0) {
        result = getsockname(listener.fd, (struct sockaddr *)&address, &length);
    }
    printf("ACCEPT 127.0.0.1:%u\n", ntohs(address.sin_port));
    fflush(stdout);
    return result == 0 ? mbedtls_net_accept(&listener, net, NULL, 0, NULL) : result;
}

static int converse(mbedtls_ssl_context *ssl)
{
    unsigned char line[100];
    int result = mbedtls_ssl_write(ssl, (const unsigned char *)"pong\n", 5);

    if (result > 0) {
        result = mbedtls_ssl_read(ssl, line, sizeof line);
    }
    if (result > 0) {
        printf("%.*s", result, (const char *)line);
        fflush(stdout);
    }
    return result;
}

int main(int argc, char **argv)
{
    static mbedtls_entropy_context entropy;
    static mbedtls_ctr_drbg_context drbg;
    static mbedtls_ssl_context ssl;
    static mbedtls_ssl_config config;
    mbedtls_net_context net;

    mbedtls_entropy_init(&entropy);
    mbedtls_ctr_drbg_init(&drbg);
    mbedtls_ssl_init(&ssl);
    mbedtls_ssl_config_init(&config);
    mbedtls_net_init(&net);
    int result = mbedtls_ctr_drbg_seed(&drbg, mbedtls_entropy_func, &entropy, NULL, 0);
    if (result == 0) {
        result = mbedtls_ssl_config_defaults(
            &config, argc > 2 ? MBEDTLS_SSL_IS_CLIENT : MBEDTLS_SSL_IS_SERVER,
            MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT);
    }
    mbedtls_ssl_conf_rng(&config, mbedtls_ctr_drbg_random, &drbg);
    if (result == 0) {
        result = mbedtls_ssl_setup(&ssl, &config);
    }
    if (result == 0) {
        result = mbedtls_ssl_set_hs_ecjpake_password(&ssl, password, sizeof password);
    }
    if (result == 0) {
        result = connect_or_accept(argc > 2 ? argv[2] : NULL, &net);
    }
    mbedtls_ssl_set_bio(&ssl, &net, mbedtls_net_send, mbedtls_net_recv, NULL);
    if (result == 0) {
        result = mbedtls_ssl_handshake(&ssl);
    }
    if (result == 0) {
        result = converse(&ssl);
    }
    printf("result -0x%04x\n", (unsigned)-result);
    return result > 0 ? 0 : 1;
}
