/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generated from a configuration, board native and each driver.json. Made by
 * corral.generate.constants.
 */
#include <psa/crypto_types.h>

/*
 * The symbol that all objects of this configuration ask for; it takes no room. It has a type, or
 * linkers warn where it comes from a shared library. This object does not ask for it: on AArch64
 * the assembler loses the name, and nothing links.
 */

#if defined(__ELF__)
__asm__(".globl corral_configuration_0000000000000000\n"
        ".type corral_configuration_0000000000000000, %object\n"
        ".set corral_configuration_0000000000000000, 0\n");
#endif
