/* SPDX-License-Identifier: Apache-2.0 */
/* The state of an operation here while its key is in a session of the device. */
#ifndef VIRTIO_CRYPTO_CONTEXTS_H
#define VIRTIO_CRYPTO_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint64_t session;   /* as the device numbers it */
    uint8_t iv[16];     /* CBC: the ciphertext before; CTR: the next counter */
    uint8_t stream[16]; /* CTR: of the key stream, the block that is in use */
    uint8_t used;       /* bytes of it that are spent; 0: none is in use */
    uint8_t mode;       /* by the device's numbers */
    bool is_encrypt;
    bool has_session;
} virtio_crypto_cipher_operation_t;

#endif
