/* SPDX-License-Identifier: Apache-2.0 */
#include "start.h"

#include "../persistent/device.h"
#include "chips.h"

void start_off(void)
{
    device_off();
    (void)chips_power_on();
    chips_restart();
}

void start_again(void)
{
    start_off();
    NEED(psa_crypto_init());
}

void start_fresh(void)
{
    static const struct corral_flash_geometry geometry = {4096, 3, 8, false};

    start_off();
    device_new(&geometry);
    NEED(psa_crypto_init());
}
