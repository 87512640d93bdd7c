/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the library expects: a heap, a generator and a queue of errors. */
#include "ec.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <corral/driver.h>
#include <openssl/err.h>
#include <openssl/mem.h>
#include <openssl/rand.h>

/* The first failure of the heap or the generator in this thread. */
static _Thread_local psa_status_t failure;

void awslc_ec_begin(void)
{
    failure = PSA_SUCCESS;
}

psa_status_t awslc_ec_failed(psa_status_t status)
{
    return failure != PSA_SUCCESS ? failure : status;
}

/* Before each block; aligned for all that the library keeps in one. */
struct head {
    _Alignas(max_align_t) size_t size; /* of the block */
};

void *OPENSSL_malloc(size_t size)
{
    struct head *const head = size > SIZE_MAX - sizeof *head ? NULL : malloc(sizeof *head + size);

    if (head == NULL) {
        failure = PSA_ERROR_INSUFFICIENT_MEMORY;
        return NULL;
    }
    head->size = size;
    return head + 1;
}

void OPENSSL_free(void *block)
{
    if (block != NULL) {
        struct head *const head = (struct head *)block - 1;

        corral_wipe(block, head->size);
        free(head);
    }
}

void *OPENSSL_zalloc(size_t size)
{
    void *const block = OPENSSL_malloc(size);

    return block == NULL ? NULL : memset(block, 0, size);
}

void *OPENSSL_calloc(size_t count, size_t size)
{
    return size != 0 && count > SIZE_MAX / size ? NULL : OPENSSL_zalloc(count * size);
}

void *OPENSSL_memdup(const void *data, size_t size)
{
    void *const block = OPENSSL_malloc(size);

    return block == NULL ? NULL : memcpy(block, data, size);
}

void *OPENSSL_realloc(void *block, size_t size)
{
    void *const other = OPENSSL_malloc(size);

    if (block != NULL && other != NULL) {
        const size_t old = ((struct head *)block - 1)->size;

        memcpy(other, block, old < size ? old : size);
        OPENSSL_free(block);
    }
    return other;
}

/*
 * The library uses the bytes without looking at the result. So after a failure they are all ones:
 * such a number is above the order of each curve, and the library gives up after 99 of them, for
 * which the generator is not asked again.
 */
int RAND_bytes(uint8_t *output, size_t size)
{
    if (failure == PSA_SUCCESS) {
        failure = corral_random(output, size);
    }
    if (failure != PSA_SUCCESS) {
        memset(output, 0xff, size);
    }
    return failure == PSA_SUCCESS;
}

int RAND_bytes_with_user_prediction_resistance(uint8_t *output, size_t size,
                                               const uint8_t data[RAND_PRED_RESISTANCE_LEN])
{
    (void)data;
    return RAND_bytes(output, size);
}

/* Errors are not kept: results say whether a function failed. */
void ERR_put_error(int library, int unused, int reason, const char *file, unsigned line)
{
    (void)library;
    (void)unused;
    (void)reason;
    (void)file;
    (void)line;
}

uint32_t ERR_peek_last_error(void)
{
    return 0;
}

void ERR_clear_error(void)
{
}
