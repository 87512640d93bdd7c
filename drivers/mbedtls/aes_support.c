/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the processor has instructions for AES. The library asks it at the first call, and writes
 * the answer where other threads read it without a lock; so it is asked before there are any.
 */
#include <mbedtls/build_info.h>

#if defined(MBEDTLS_AESNI_C)
#include <aesni.h>

__attribute__((constructor)) static void ask_processor(void)
{
    (void)mbedtls_aesni_has_support(MBEDTLS_AESNI_AES);
}
#endif
