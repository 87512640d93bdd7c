/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes: FIPS 204, table 2. */
#define MLD_CONFIG_PARAMETER_SET 87
#define STRENGTH 256u
#define PUBLIC_SIZE 2592u
#define PRIVATE_SIZE 4896u
#define SIGNATURE_SIZE 4627u
/* Below the functions that call the library, on a Cortex-M4 with -Os, in bytes. */
#define EXPAND_STACK 20270u
#define SIGN_STACK 50860u
#include "size.h"
