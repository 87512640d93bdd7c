/* SPDX-License-Identifier: Apache-2.0 */
#include "stack.h"

#include <stdint.h>

#include <corral/config.h>
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

static KEEP_APART void overwrite(void)
{
    uint8_t frames[TIMES * 700]; /* of 740 to 900 on a Cortex-M4 */

    corral_wipe(frames, sizeof(frames));
}

void micro_ecc_driver_wipe_stack(void)
{
    if (CORRAL_MICRO_ECC_WIPE_STACK) {
        overwrite();
    }
}
