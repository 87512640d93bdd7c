/* SPDX-License-Identifier: Apache-2.0 */
#include <psa/crypto.h>

int main(void)
{
    return psa_crypto_init() == PSA_SUCCESS ? 0 : 1;
}
