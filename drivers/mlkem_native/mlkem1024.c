/* SPDX-License-Identifier: Apache-2.0 */
#define MLK_CONFIG_PARAMETER_SET 1024
#define CIPHERTEXT_SIZE 1568u
/* Below the functions that call the library, on a Cortex-M4 with -Os, in bytes. */
#define EXPAND_STACK 16900u
#define ENCAPSULATE_STACK 20600u
#define DECAPSULATE_STACK 26700u
#include "size.h"
