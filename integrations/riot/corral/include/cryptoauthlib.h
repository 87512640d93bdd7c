/* SPDX-License-Identifier: Apache-2.0 */
/* custom_atca_params.h of an application includes this. Its macros are read by configure.py. */
#include "periph/i2c.h"
