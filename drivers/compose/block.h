/* SPDX-License-Identifier: Apache-2.0 */
/* What constructions over a block cipher have in common. */
#ifndef COMPOSE_BLOCK_H
#define COMPOSE_BLOCK_H

#include <string.h>

#include <corral/dispatch/block.h>
#include <corral/driver.h>

#include "shared.h"

#define BLOCK 16u /* bytes, of the block ciphers that these modes are for */

#endif
