/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes: FIPS 204, table 2. */
#define MLD_CONFIG_PARAMETER_SET 44
#define STRENGTH 128u
#define PUBLIC_SIZE 1312u
#define PRIVATE_SIZE 2560u
#define SIGNATURE_SIZE 2420u
/* Below the functions that call the library, on a Cortex-M4 with -Os, in bytes. */
#define EXPAND_STACK 13100u
#define SIGN_STACK 30920u
#include "size.h"
