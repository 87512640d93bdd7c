/* SPDX-License-Identifier: Apache-2.0 */
#include "owner.h"

corral_owner_t corral_owner;
