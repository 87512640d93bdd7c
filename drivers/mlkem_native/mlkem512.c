/* SPDX-License-Identifier: Apache-2.0 */
#define MLK_CONFIG_PARAMETER_SET 512
#define CIPHERTEXT_SIZE 768u
#include "size.h"
