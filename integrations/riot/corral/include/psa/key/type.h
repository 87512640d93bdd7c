/* SPDX-License-Identifier: Apache-2.0 */
/* RIOT divides psa/crypto.h into many headers; applications include some of them. */
#include <psa/crypto.h>
