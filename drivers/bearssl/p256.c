/* SPDX-License-Identifier: Apache-2.0 */
#include <corral/drivers/bearssl/entry_points.h>

#include "ecc.h"

const struct bearssl_driver_curve bearssl_driver_p256 = {&BEARSSL_P256, BR_EC_secp256r1, 256, 32};
