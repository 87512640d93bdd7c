/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Initialisation of the drivers that ask for it. Generated from a configuration, board native and
 * each driver.json. Made by corral.generate.randomness of the rows of family init in
 * dispatch/entry_points.toml.
 */
#ifndef CORRAL_DISPATCH_INIT_H
#define CORRAL_DISPATCH_INIT_H

#include <psa/crypto.h>

#include <corral/drivers/micro_ecc/entry_points.h>

static inline psa_status_t corral_dispatch_init(void)
{
    return micro_ecc_driver_init();
}

#endif
