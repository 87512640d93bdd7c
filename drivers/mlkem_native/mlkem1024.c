/* SPDX-License-Identifier: Apache-2.0 */
#define MLK_CONFIG_PARAMETER_SET 1024
#define CIPHERTEXT_SIZE 1568u
#include "size.h"
