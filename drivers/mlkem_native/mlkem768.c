/* SPDX-License-Identifier: Apache-2.0 */
#define MLK_CONFIG_PARAMETER_SET 768
#define CIPHERTEXT_SIZE 1088u
/* Below the functions that call the library, on a Cortex-M4 with -Os, in bytes. */
#define EXPAND_STACK 11600u
#define ENCAPSULATE_STACK 14760u
#define DECAPSULATE_STACK 23200u
#include "size.h"
