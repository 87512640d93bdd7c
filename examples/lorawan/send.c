/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "../show.h"
#include "device.h"

#define PAYLOAD_AT 9
#define CODED 14 /* of the message */

/* Type, address, control, number, port, and payload. The code follows. */
static uint8_t message[CODED + CODE_SIZE] = {0x40, 0, 0, 0, 0, 0, 0, 0, 1, '2', '1', '.', '5', 'C'};

static const struct {
    uint8_t root, kind;
    psa_algorithm_t alg;
} sessions[] = {
    [FORWARDING] = {NWK, 1, CODE},
    [SERVING] = {NWK, 3, CODE},
    [PAYLOAD] = {APP, 2, PSA_ALG_CTR},
};

static psa_status_t derive_session(struct device *device, unsigned i)
{
    return keys_derive(device->keys[sessions[i].root], sessions[i].kind, device->nonces,
                       sizeof device->nonces, PLACE, sessions[i].alg, &device->keys[i]);
}

psa_status_t device_send(struct device *device)
{
    const psa_key_id_t *const keys = device->keys;
    uint8_t block[BLOCK] = {1};
    uint8_t codes[2][CODE_SIZE];

    psa_status_t status = derive_session(device, FORWARDING);
    status = THEN(status, derive_session(device, SERVING));
    status = THEN(status, derive_session(device, PAYLOAD));
    memcpy(message + 1, device->address, 4);
    memcpy(block + 6, device->address, 4);
    block[15] = 1;
    status = THEN(status, keys_encrypt_payload(keys[PAYLOAD], block, message + PAYLOAD_AT, 5));
    block[0] = 0x49;
    block[15] = CODED;
    status = THEN(status, keys_code(keys[FORWARDING], block, BLOCK, message, CODED, codes[0]));
    block[3] = 5; /* the data rate */
    status = THEN(status, keys_code(keys[SERVING], block, BLOCK, message, CODED, codes[1]));
    memcpy(message + CODED, codes[1], 2);
    memcpy(message + CODED + 2, codes[0], 2);
    show("reading", message, sizeof message);
    return status;
}
