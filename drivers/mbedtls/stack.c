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

KEEP_APART void mbedtls_driver_wipe_stack(void)
{
    uint8_t frames[1024]; /* the frame is within the first 700 */

    corral_wipe(frames, sizeof(frames));
}
