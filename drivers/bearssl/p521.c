/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/bearssl/entry_points.h>

#include "ecc.h"

const struct bearssl_driver_curve bearssl_driver_p521 = {&BEARSSL_PRIME, BR_EC_secp521r1, 521, 66};
