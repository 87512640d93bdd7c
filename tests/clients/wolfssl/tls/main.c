/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection over TLS as client or server, with certificates at both ends.
 *
 *   tls client|server tls12|tls13 software|element|builtin OWN PEER
 *
 * The key is on P-256, made or found where the third word says; its certificate is signed by itself
 * and written to OWN. The peer's certificate must be one that PEER vouches for. "ready" is printed,
 * of a server with its port; a client reads a port. "ping" is sent and a line received, or the
 * other way round. Exit status 0: all went well.
 */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "../../own_key.h"
#include "keys.h"

#include <wolfssl/wolfcrypt/port/psa/psa.h>

static const char *where = "the start";

static int done(int result, const char *what)
{
    if (result != WOLFSSL_SUCCESS) {
        where = what;
    }
    return result;
}

static WOLFSSL_METHOD *method(bool is_server, bool is_tls13)
{
    if (is_server) {
        return is_tls13 ? wolfTLSv1_3_server_method() : wolfTLSv1_2_server_method();
    }
    return is_tls13 ? wolfTLSv1_3_client_method() : wolfTLSv1_2_client_method();
}

static int configure(WOLFSSL_CTX *config, const char *own, const char *peer)
{
    int result = wolfSSL_CTX_psa_enable(config);

    wolfSSL_CTX_SetEccVerifyCb(config, tls_verify);
    wolfSSL_CTX_set_verify(config, WOLFSSL_VERIFY_PEER | WOLFSSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    if (result == WOLFSSL_SUCCESS) {
        result = wolfSSL_CTX_load_verify_locations(config, peer, NULL);
    }
    if (result == WOLFSSL_SUCCESS) {
        result = wolfSSL_CTX_use_certificate_file(config, own, WOLFSSL_FILETYPE_PEM);
    }
    return done(result, "configuring");
}

/*
 * A server listens at any free port; a client reads the port of its server. Returns a connection,
 * or -1.
 */
static int connected(bool is_server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    const int end = socket(AF_INET, SOCK_STREAM, 0);
    char port[8];

    if (is_server) {
        if (bind(end, (struct sockaddr *)&address, sizeof address) != 0 || listen(end, 1) != 0 ||
            getsockname(end, (struct sockaddr *)&address, &length) != 0) {
            return -1;
        }
        printf("ready %u\n", ntohs(address.sin_port));
        fflush(stdout);
        return accept(end, NULL, NULL);
    }
    puts("ready");
    fflush(stdout);
    if (fgets(port, sizeof port, stdin) == NULL) {
        return -1;
    }
    address.sin_port = htons((uint16_t)atoi(port));
    return connect(end, (struct sockaddr *)&address, sizeof address) == 0 ? end : -1;
}

static bool receive(WOLFSSL *ssl)
{
    char line[100];
    const int length = wolfSSL_read(ssl, line, sizeof line);

    printf("got %.*s", length > 0 ? length : 0, line);
    return length > 0;
}

static int converse(WOLFSSL *ssl, bool is_server)
{
    bool is_well;

    printf("%s %s\n", wolfSSL_get_version(ssl), wolfSSL_get_cipher_name(ssl));
    is_well = is_server ? receive(ssl) : wolfSSL_write(ssl, "ping\n", 5) == 5;
    is_well = is_well && (is_server ? wolfSSL_write(ssl, "ping\n", 5) == 5 : receive(ssl));
    (void)wolfSSL_shutdown(ssl);
    return done(is_well ? WOLFSSL_SUCCESS : WOLFSSL_FAILURE, "the conversation");
}

static int connection(WOLFSSL *ssl, psa_key_id_t key, bool is_server)
{
    struct psa_ssl_ctx context = {0};
    const int socket = connected(is_server);

    int result = wolfSSL_set_psa_ctx(ssl, &context);
    if (result == WOLFSSL_SUCCESS) {
        result = wolfSSL_psa_set_private_key_id(&context, key);
    }
    if (result == WOLFSSL_SUCCESS) {
        result = done(socket < 0 ? WOLFSSL_FAILURE : wolfSSL_set_fd(ssl, socket), "connecting");
    }
    if (result == WOLFSSL_SUCCESS) {
        result = done(is_server ? wolfSSL_accept(ssl) : wolfSSL_connect(ssl), "the handshake");
    }
    if (result == WOLFSSL_SUCCESS) {
        result = converse(ssl, is_server);
    } else {
        printf("error %d\n", wolfSSL_get_error(ssl, result));
    }
    wolfSSL_free_psa_ctx(&context);
    return result;
}

int main(int argc, char **argv)
{
    psa_key_id_t key;

    if (argc != 6 || wolfSSL_Init() != WOLFSSL_SUCCESS) {
        return 2;
    }
    const bool is_server = strcmp(argv[1], "server") == 0;
    WOLFSSL_CTX *const config = wolfSSL_CTX_new(method(is_server, strcmp(argv[2], "tls13") == 0));
    int result = WOLFSSL_FAILURE;
    if (own_key_make(argv[3], &key) != PSA_SUCCESS || tls_certificate_make(key, argv[4]) != 0) {
        where = "key and certificate";
    } else {
        result = configure(config, argv[4], argv[5]);
    }
    WOLFSSL *const ssl = result == WOLFSSL_SUCCESS ? wolfSSL_new(config) : NULL;
    if (ssl != NULL) {
        result = connection(ssl, key, is_server);
    }
    if (result != WOLFSSL_SUCCESS) {
        printf("%s failed\n", where);
    }
    wolfSSL_free(ssl);
    wolfSSL_CTX_free(config);
    wolfSSL_Cleanup();
    return ssl != NULL && result == WOLFSSL_SUCCESS ? 0 : 1;
}
