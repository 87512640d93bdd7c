/* SPDX-License-Identifier: Apache-2.0 */
/* Power that fails in a run whose flash and counter are in files (option `cut`). */
#ifndef POWER_H
#define POWER_H

#include "../common/flash_model.h"
#include "semihosting.h"

/* Exit status of a run that lost its power. */
#define POWER_CUT_OFF 3

/* End the run if there is no power any more; the files are as the next one will find them. */
static inline void power_end_without(void)
{
    if (!flash_model_is_on()) {
        semihosting_exit(POWER_CUT_OFF);
    }
}

#endif
