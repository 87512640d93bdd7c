/* SPDX-License-Identifier: Apache-2.0 */
#define MLK_CONFIG_PARAMETER_SET 768
#define CIPHERTEXT_SIZE 1088u
#include "size.h"
