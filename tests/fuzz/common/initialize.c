/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    FUZZ_CHECK(psa_crypto_init() == PSA_SUCCESS);
    return 0;
}
