/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes: FIPS 204, table 2. */
#define MLD_CONFIG_PARAMETER_SET 65
#define STRENGTH 192u
#define PUBLIC_SIZE 1952u
#define PRIVATE_SIZE 4032u
#define SIGNATURE_SIZE 3309u
/* Below the functions that call the library, on a Cortex-M4 with -Os, in bytes. */
#define EXPAND_STACK 16170u
#define SIGN_STACK 40480u
#include "size.h"
