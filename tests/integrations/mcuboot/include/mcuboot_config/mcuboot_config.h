/* SPDX-License-Identifier: Apache-2.0 */
/* In place of MCUboot's header: the test gives its options to the compiler. */
#ifndef TEST_MCUBOOT_CONFIG_H
#define TEST_MCUBOOT_CONFIG_H

#endif
