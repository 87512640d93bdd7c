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

/* The sizes below are those of a Cortex-M4; larger processors have larger frames, and room. */
#if UINTPTR_MAX > 0xffffffff
#define TIMES 4
#else
#define TIMES 1
#endif

KEEP_APART void bearssl_driver_wipe_stack_x25519(void)
{
    uint8_t frames[TIMES * 800]; /* of 860 */

    corral_wipe(frames, sizeof(frames));
}

KEEP_APART void bearssl_driver_wipe_stack_chacha20(void)
{
    uint8_t frames[TIMES * 472]; /* of 480 */

    corral_wipe(frames, sizeof(frames));
}

KEEP_APART void bearssl_driver_wipe_stack_p256_sign(void)
{
    uint8_t frames[TIMES * 2400]; /* of 2540 */

    corral_wipe(frames, sizeof(frames));
}

KEEP_APART void bearssl_driver_wipe_stack_p256_agree(void)
{
    uint8_t frames[TIMES * 1400]; /* of 1480 */

    corral_wipe(frames, sizeof(frames));
}

KEEP_APART void bearssl_driver_wipe_stack_prime_sign(void)
{
    uint8_t frames[TIMES * 3700]; /* of 3850 */

    corral_wipe(frames, sizeof(frames));
}

KEEP_APART void bearssl_driver_wipe_stack_prime_agree(void)
{
    uint8_t frames[TIMES * 2750]; /* of 2870 */

    corral_wipe(frames, sizeof(frames));
}
