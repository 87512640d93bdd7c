/* SPDX-License-Identifier: Apache-2.0 */
#define MLK_CONFIG_PARAMETER_SET 1024
#define CIPHERTEXT_SIZE 1568u
/* Below the functions that call the library, on a Cortex-M4 with -Os, in bytes. */
#define EXPAND_STACK 16970u
#define ENCAPSULATE_STACK 20660u
#define DECAPSULATE_STACK 31540u
#include "size.h"
