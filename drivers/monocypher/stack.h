/* SPDX-License-Identifier: Apache-2.0 */
/* Called right after the library, and from the same function: overwrites what its frames left. */
#ifndef MONOCYPHER_DRIVER_STACK_H
#define MONOCYPHER_DRIVER_STACK_H

/* After BLAKE2b, whose compression leaves words of the key block in registers that are saved. */
void monocypher_driver_wipe_stack_blake2b(void);

#endif
