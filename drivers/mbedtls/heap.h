/* SPDX-License-Identifier: Apache-2.0 */
/* The heap of the library: that of the C library, with memory that is zero again when freed. */
#ifndef MBEDTLS_DRIVER_HEAP_H
#define MBEDTLS_DRIVER_HEAP_H

#include <stddef.h>

/* As calloc(). */
void *mbedtls_driver_calloc(size_t count, size_t size);

/* As free(), after overwriting the block. */
void mbedtls_driver_free(void *block);

#endif
