/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SIM_CRYPTOAUTHLIB_HAL_H
#define TESTS_SIM_CRYPTOAUTHLIB_HAL_H

struct atecc608_sim_bus;

/* The bus that the library's I2C goes to; set before atcab_init. */
void hal_use_bus(struct atecc608_sim_bus *bus);

#endif
