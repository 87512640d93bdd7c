/* SPDX-License-Identifier: Apache-2.0 */
#include "p256m_glue.h"

#include <corral/stack.h>

CORRAL_STACK_WIPER(p256m_driver_wipe_stack, 600)
