/* SPDX-License-Identifier: Apache-2.0 */
#include "heap.h"

#include <stdint.h>
#include <stdlib.h>

#include <corral/driver.h>

/* Before each block; aligned for all that the library keeps in one. */
union head {
    size_t size; /* of the block */
    uint64_t number;
    void *pointer;
};

void *mbedtls_driver_calloc(size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - sizeof(union head)) / size) {
        return NULL;
    }
    union head *const head = calloc(1, sizeof *head + count * size);
    if (head == NULL) {
        return NULL;
    }
    head->size = count * size;
    return head + 1;
}

void mbedtls_driver_free(void *block)
{
    if (block == NULL) {
        return;
    }
    union head *const head = (union head *)block - 1;
    corral_wipe(block, head->size);
    free(head);
}
