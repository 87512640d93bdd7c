/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <stdint.h>

#include <corral/driver.h>

/* Inlined into a caller, the buffer would lie beside the frames to be wiped. */
#if defined(__GNUC__)
#define KEEP_APART __attribute__((noinline))
#else
#define KEEP_APART
#endif

KEEP_APART void bearssl_driver_wipe_stack_x25519(void)
{
    uint8_t frames[800]; /* of 860 */

    corral_wipe(frames, sizeof(frames));
}

KEEP_APART void bearssl_driver_wipe_stack_p256(void)
{
    uint8_t frames[2400]; /* of 2550 */

    corral_wipe(frames, sizeof(frames));
}

KEEP_APART void bearssl_driver_wipe_stack_prime(void)
{
    uint8_t frames[3700]; /* of 3860 */

    corral_wipe(frames, sizeof(frames));
}
