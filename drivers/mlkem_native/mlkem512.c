/* SPDX-License-Identifier: Apache-2.0 */
#define MLK_CONFIG_PARAMETER_SET 512
#define CIPHERTEXT_SIZE 768u
/* Below the functions that call the library, on a Cortex-M4 with -Os, in bytes. */
#define EXPAND_STACK 7180u
#define ENCAPSULATE_STACK 9840u
#define DECAPSULATE_STACK 15840u
#include "size.h"
