/* SPDX-License-Identifier: Apache-2.0 */
#include "initialised.h"

bool corral_initialised;
