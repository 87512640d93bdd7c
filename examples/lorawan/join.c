/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../show.h"
#include "device.h"

#define CODED 19 /* of the request */

/* Join-request: type, JoinEUI, DevEUI, DevNonce. Its code follows. */
static uint8_t request[CODED + CODE_SIZE] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 2,
                                             2, 2, 2, 2, 2, 2, 2, 7, 0};
/* The network's join-accept, encrypted, without its type. */
static const uint8_t answer[BLOCK] = {0xc7, 0xab, 0x35, 0xa2, 0x3d, 0x4b, 0x30, 0x75,
                                      0xa4, 0x02, 0x11, 0x53, 0xb6, 0xa1, 0xcc, 0x08};

psa_status_t device_join(struct device *device)
{
    psa_key_id_t *const keys = device->keys;
    uint8_t head[11] = {0xff};
    uint8_t accept[1 + BLOCK] = {0x20};
    uint8_t code[CODE_SIZE];

    psa_status_t status = keys_code(keys[NWK_CODE], NULL, 0, request, CODED, request + CODED);
    show("request", request, sizeof request);
    status = THEN(status, keys_derive(keys[NWK], 6, request + 9, 8, PLACE, CODE, &keys[JOIN]));
    status = THEN(status, keys_encrypt(keys[NWK], answer, accept + 1));
    memcpy(head + 1, request + 1, 8);
    memcpy(head + 9, request + 17, 2);
    status = THEN(status, keys_code(keys[JOIN], head, sizeof head, accept, 13, code));
    if (status == PSA_SUCCESS && memcmp(code, accept + 13, CODE_SIZE) != 0) {
        return PSA_ERROR_INVALID_SIGNATURE;
    }
    memcpy(device->nonces, accept + 1, 3);
    memcpy(device->nonces + 3, head + 1, 10);
    memcpy(device->address, accept + 7, 4);
    return status;
}
