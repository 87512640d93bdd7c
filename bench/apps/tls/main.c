/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A handshake of TLS 1.3 between a client and a server in one memory, with certificates at both
 * ends. Their keys are where BENCH_LOCATION says; the ephemeral ones are in local memory. Prints
 * how many bytes were sent.
 */
#include <stdio.h>
#include <string.h>

#include <mbedtls/memory_buffer_alloc.h>
#include <mbedtls/ssl.h>

#include "../steps/certificate.h"

#define HEAP_SIZE 120000u
#define WIRE_SIZE 6000u

/* The bytes that one end has sent and the other has not yet read. */
struct wire {
    unsigned char bytes[WIRE_SIZE];
    size_t begin;
    size_t end;
};

struct end {
    mbedtls_ssl_context ssl;
    mbedtls_ssl_config config;
    mbedtls_pk_context key;
    mbedtls_x509_crt certificate;
    struct wire *in;
    struct wire *out;
};

static unsigned char heap[HEAP_SIZE];
static struct wire wires[2];
static struct end ends[2];

/* The active end, for the counter: 0 the client's, 1 the server's, 2 before the first byte. */
volatile unsigned char bench_turn = 2;

static int put(void *context, const unsigned char *data, size_t length)
{
    struct wire *const wire = ((struct end *)context)->out;

    if (length > WIRE_SIZE - wire->end) {
        return MBEDTLS_ERR_SSL_INTERNAL_ERROR;
    }
    memcpy(wire->bytes + wire->end, data, length);
    wire->end += length;
    return (int)length;
}

static int take(void *context, unsigned char *data, size_t size)
{
    struct wire *const wire = ((struct end *)context)->in;
    const size_t there = wire->end - wire->begin;
    const size_t length = there < size ? there : size;

    if (length == 0) {
        return MBEDTLS_ERR_SSL_WANT_READ;
    }
    memcpy(data, wire->bytes + wire->begin, length);
    wire->begin += length;
    return (int)length;
}

static int prepare(struct end *end, unsigned number)
{
    mbedtls_ssl_init(&end->ssl);
    mbedtls_ssl_config_init(&end->config);
    mbedtls_pk_init(&end->key);
    mbedtls_x509_crt_init(&end->certificate);
    end->in = &wires[number];
    end->out = &wires[1 - number];
    return bench_certify(&end->key, &end->certificate);
}

static int configure(struct end *end, const struct end *other, int endpoint)
{
    int result = mbedtls_ssl_config_defaults(&end->config, endpoint, MBEDTLS_SSL_TRANSPORT_STREAM,
                                             MBEDTLS_SSL_PRESET_DEFAULT);

    mbedtls_ssl_conf_rng(&end->config, bench_draw, NULL);
    mbedtls_ssl_conf_authmode(&end->config, MBEDTLS_SSL_VERIFY_REQUIRED);
    mbedtls_ssl_conf_ca_chain(&end->config, (mbedtls_x509_crt *)&other->certificate, NULL);
    if (result == 0) {
        result = mbedtls_ssl_conf_own_cert(&end->config, &end->certificate, &end->key);
    }
    if (result == 0) {
        result = mbedtls_ssl_setup(&end->ssl, &end->config);
    }
    mbedtls_ssl_set_bio(&end->ssl, end, put, take, NULL);
    return result == 0 ? mbedtls_ssl_set_hostname(&end->ssl, "bench") : result;
}

/* In turn, as far as each comes. */
static int shake_hands(void)
{
    int results[2] = {1, 1};

    while (results[0] != 0 || results[1] != 0) {
        for (unsigned i = 0; i < 2; i++) {
            bench_turn = (unsigned char)i;
            results[i] = mbedtls_ssl_handshake(&ends[i].ssl);
            if (results[i] != 0 && results[i] != MBEDTLS_ERR_SSL_WANT_READ) {
                return results[i];
            }
        }
    }
    return 0;
}

int main(void)
{
    char line[40];
    int result = psa_crypto_init() == PSA_SUCCESS ? 0 : -1;

    mbedtls_memory_buffer_alloc_init(heap, sizeof heap);
    for (unsigned i = 0; i < 2 && result == 0; i++) {
        result = prepare(&ends[i], i);
    }
    if (result == 0) {
        result = configure(&ends[0], &ends[1], MBEDTLS_SSL_IS_CLIENT);
    }
    if (result == 0) {
        result = configure(&ends[1], &ends[0], MBEDTLS_SSL_IS_SERVER);
    }
    if (result == 0) {
        result = shake_hands();
    }
    snprintf(line, sizeof line, "sent %u and %u\n", (unsigned)wires[1].end, (unsigned)wires[0].end);
    corral_board_print(line);
    snprintf(line, sizeof line, "result %d\n", result);
    corral_board_print(line);
    return bench_end(result == 0 ? PSA_SUCCESS : PSA_ERROR_GENERIC_ERROR);
}
