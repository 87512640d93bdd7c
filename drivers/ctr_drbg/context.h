/* SPDX-License-Identifier: Apache-2.0 */
/* CTR_DRBG with AES-256 (NIST SP 800-90A Rev. 1, 10.2.1), over the block cipher of the build. */
#ifndef CTR_DRBG_CONTEXT_H
#define CTR_DRBG_CONTEXT_H

#include <stdint.h>

typedef struct {
    uint8_t state[48]; /* the key, then the counter */
} ctr_drbg_context_t;

#endif
