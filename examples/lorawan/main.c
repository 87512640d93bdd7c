/* SPDX-License-Identifier: Apache-2.0 */
/* A device joins by LoRaWAN 1.1 and sends a reading. Its keys are in key slots of the board. */
#include "../show.h"
#include "device.h"

#define ECB PSA_ALG_ECB_NO_PADDING

/* Root keys, which the network knows, too. In a product, the factory imports them. */
static const uint8_t network_root[BLOCK] = {1, 2, 3};
static const uint8_t application_root[BLOCK] = {4, 5, 6};

int main(void)
{
    struct device device = {0};

    psa_status_t status = psa_crypto_init();
    status = THEN(status, keys_import(PLACE, ECB, network_root, &device.keys[NWK]));
    status = THEN(status, keys_import(PLACE, CODE, network_root, &device.keys[NWK_CODE]));
    status = THEN(status, keys_import(PLACE, ECB, application_root, &device.keys[APP]));
    status = THEN(status, device_join(&device));
    status = THEN(status, device_send(&device));
    for (unsigned i = 0; i < KEYS; i++) {
        (void)psa_destroy_key(device.keys[i]);
    }
    return show_end(status);
}
