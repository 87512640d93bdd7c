/* SPDX-License-Identifier: Apache-2.0 */
#include "../common/device_key.h"

psa_status_t corral_port_device_key(uint8_t key[CORRAL_DEVICE_KEY_SIZE])
{
    device_key_of_nobody(key);
    return PSA_SUCCESS;
}
