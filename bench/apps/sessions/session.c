/* SPDX-License-Identifier: Apache-2.0 */
#include "session.h"

#include <mbedtls/memory_buffer_alloc.h>
#include <mbedtls/ssl.h>
#include <mbedtls/ssl_cookie.h>

#include "../steps/certificate.h"
#include "air.h"
#include "broker.h"

#define HEAP_SIZE 160000u
#define PSK_SIZE 16u
/* Longer than any message. */
#define MESSAGE_SIZE 512u

struct end {
    mbedtls_ssl_context ssl;
    mbedtls_ssl_config config;
    mbedtls_pk_context key;
    mbedtls_x509_crt certificate;
    enum side side;
};

static const unsigned char psk[PSK_SIZE] = "a key of 16 byte";
static const unsigned char psk_name[] = "b79b";
/* The cipher suites of RFC 7925 for things. */
static const int suites[2][2] = {{MBEDTLS_TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8, 0},
                                 {MBEDTLS_TLS_PSK_WITH_AES_128_CCM_8, 0}};
static const uint16_t groups[] = {MBEDTLS_SSL_IANA_TLS_GROUP_SECP256R1, 0};
static const uint16_t signatures[] = {MBEDTLS_TLS1_3_SIG_ECDSA_SECP256R1_SHA256, 0};
static unsigned char heap[HEAP_SIZE];
static struct end ends[2];
static mbedtls_ssl_cookie_ctx cookies;
static bool is_open;
/* Nothing is lost, so no time passes: 0 is no timer, 1 one that is on. */
static int timers[2];

static int put(void *context, const unsigned char *data, size_t length)
{
    return air_put(((struct end *)context)->side, data, length) ? (int)length
                                                                : MBEDTLS_ERR_SSL_INTERNAL_ERROR;
}

static int take(void *context, unsigned char *data, size_t size)
{
    const size_t length = air_take(((struct end *)context)->side, data, size);

    return length > 0 ? (int)length : MBEDTLS_ERR_SSL_WANT_READ;
}

static void set_timer(void *context, uint32_t intermediate, uint32_t final)
{
    (void)intermediate;
    *(int *)context = final > 0;
}

static int get_timer(void *context)
{
    return *(const int *)context - 1;
}

static int configure(struct end *end, const struct end *other, bool has_psk)
{
    const int endpoint = end->side == DEVICE ? MBEDTLS_SSL_IS_CLIENT : MBEDTLS_SSL_IS_SERVER;
    int result = mbedtls_ssl_config_defaults(&end->config, endpoint, MBEDTLS_SSL_TRANSPORT_DATAGRAM,
                                             MBEDTLS_SSL_PRESET_DEFAULT);

    mbedtls_ssl_conf_rng(&end->config, bench_draw, NULL);
    mbedtls_ssl_conf_authmode(&end->config, MBEDTLS_SSL_VERIFY_REQUIRED);
    mbedtls_ssl_conf_ciphersuites(&end->config, suites[has_psk]);
    mbedtls_ssl_conf_groups(&end->config, groups);
    mbedtls_ssl_conf_sig_algs(&end->config, signatures);
    mbedtls_ssl_conf_ca_chain(&end->config, (mbedtls_x509_crt *)&other->certificate, NULL);
    mbedtls_ssl_conf_dtls_cookies(&end->config, mbedtls_ssl_cookie_write, mbedtls_ssl_cookie_check,
                                  &cookies);
    if (result == 0) {
        result = has_psk ? mbedtls_ssl_conf_psk(&end->config, psk, sizeof psk, psk_name,
                                                sizeof psk_name - 1)
                         : mbedtls_ssl_conf_own_cert(&end->config, &end->certificate, &end->key);
    }
    if (result == 0) {
        result = mbedtls_ssl_setup(&end->ssl, &end->config);
    }
    mbedtls_ssl_set_bio(&end->ssl, end, put, take, NULL);
    mbedtls_ssl_set_timer_cb(&end->ssl, &timers[end->side], set_timer, get_timer);
    return result != 0 || end->side == SERVER ? result
                                              : mbedtls_ssl_set_hostname(&end->ssl, "bench");
}

int session_prepare(bool has_psk)
{
    mbedtls_memory_buffer_alloc_init(heap, sizeof heap);
    mbedtls_ssl_cookie_init(&cookies);
    int result = mbedtls_ssl_cookie_setup(&cookies, bench_draw, NULL);
    for (unsigned i = 0; i < 2; i++) {
        ends[i].side = (enum side)i;
        mbedtls_ssl_init(&ends[i].ssl);
        mbedtls_ssl_config_init(&ends[i].config);
        mbedtls_pk_init(&ends[i].key);
        mbedtls_x509_crt_init(&ends[i].certificate);
        if (result == 0 && !has_psk) {
            result = bench_certify(&ends[i].key, &ends[i].certificate);
        }
    }
    for (unsigned i = 0; i < 2 && result == 0; i++) {
        result = configure(&ends[i], &ends[1 - i], has_psk);
    }
    return result;
}

/* Make the server ready for a client at the only address that there is. */
static int expect_client(void)
{
    static const unsigned char address[] = "here";
    const int result = mbedtls_ssl_session_reset(&ends[SERVER].ssl);

    return result == 0
               ? mbedtls_ssl_set_client_transport_id(&ends[SERVER].ssl, address, sizeof address - 1)
               : result;
}

/* One turn of the server's; it asks who comes for a cookie first. */
static int serve_handshake(void)
{
    const int result = mbedtls_ssl_handshake(&ends[SERVER].ssl);

    if (result != MBEDTLS_ERR_SSL_HELLO_VERIFY_REQUIRED) {
        return result;
    }
    const int again = expect_client();
    return again == 0 ? MBEDTLS_ERR_SSL_WANT_READ : again;
}

static bool is_failure(int result)
{
    return result != 0 && result != MBEDTLS_ERR_SSL_WANT_READ;
}

int session_open(void)
{
    int server = 1;
    int client = 1;
    int result = expect_client();

    while (result == 0 && (client != 0 || server != 0)) {
        air_turn(true);
        if (is_open) {
            result = mbedtls_ssl_session_reset(&ends[DEVICE].ssl);
            is_open = false;
        }
        client = result == 0 ? mbedtls_ssl_handshake(&ends[DEVICE].ssl) : result;
        air_turn(false);
        server = serve_handshake();
        result = is_failure(client) ? client : is_failure(server) ? server : 0;
    }
    is_open = true;
    return result;
}

int session_close(void)
{
    unsigned char byte;

    air_turn(true);
    const int result = mbedtls_ssl_close_notify(&ends[DEVICE].ssl);
    air_turn(false);
    if (result != 0) {
        return result;
    }
    const int said = mbedtls_ssl_read(&ends[SERVER].ssl, &byte, sizeof byte);
    return said == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY ? 0 : MBEDTLS_ERR_SSL_UNEXPECTED_MESSAGE;
}

int session_write(const uint8_t *message, size_t length)
{
    const int result = mbedtls_ssl_write(&ends[DEVICE].ssl, message, length);

    return result < 0 ? result : result == (int)length ? 0 : MBEDTLS_ERR_SSL_INTERNAL_ERROR;
}

size_t session_read(uint8_t *message, size_t size)
{
    const int result = mbedtls_ssl_read(&ends[DEVICE].ssl, message, size);

    return result > 0 ? (size_t)result : 0;
}

int session_serve(void)
{
    uint8_t message[MESSAGE_SIZE];
    uint8_t answer[BROKER_ANSWER_SIZE];

    const int result = mbedtls_ssl_read(&ends[SERVER].ssl, message, sizeof message);
    if (result <= 0) {
        return result == 0 ? MBEDTLS_ERR_SSL_CONN_EOF : result;
    }
    const size_t length = broker_answer(message, (size_t)result, answer);
    if (length == 0) {
        return 0;
    }
    const int written = mbedtls_ssl_write(&ends[SERVER].ssl, answer, length);
    return written < 0 ? written : 0;
}
